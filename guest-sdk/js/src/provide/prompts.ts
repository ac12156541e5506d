/** The interface `portcullis:guest/prompts`, as a component exports it. */
import type { Call } from "../call.js";
import { ToolError } from "../errors.js";
import { prompts } from "../registry.js";
import type * as wit from "../wit/types.js";
import { settled } from "../words.js";

/** The export of prompts. */
export function provided() {
  return {
    describe(): wit.Prompt[] {
      return prompts.map(({ name, title, description, parameters }) => ({
        name,
        title: title ?? null,
        description: description ?? null,
        parameters,
        extensions: [],
      }));
    },
    get(
      name: string,
      args: readonly { readonly name: string; readonly value: string }[],
      request: wit.Request,
    ): wit.PromptOutcome {
      const values = Object.fromEntries(args.map(({ name, value }) => [name, value]));
      return settled(request, (call) => {
        return { tag: "messages", val: { description: null, messages: get(name, values, call) } };
      });
    },
  };
}

/** Fills in the prompt of this name. */
export function get(name: string, values: Readonly<Record<string, string>>, call: Call): wit.Message[] {
  const prompt = prompts.find((it) => it.name === name);
  if (prompt === undefined) throw ToolError.notFound(`there is no prompt \`${name}\``);
  const missing = prompt.parameters.find((it) => it.required && !Object.hasOwn(values, it.name));
  if (missing !== undefined) throw ToolError.invalidArguments(`the argument \`${missing.name}\` is missing`);
  return prompt.get(values, call);
}
