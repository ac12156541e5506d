/** The interface `portcullis:guest/completion`, as a component exports it. */
import type { Call } from "../call.js";
import { completions, prompts, resources } from "../registry.js";
import type * as wit from "../wit/types.js";
import { settled } from "../words.js";

/** As many as a client may get at a time (MCP, completion). */
const VALUES_MAX = 100;

/** The export of completion; throws where something is completed that is not there. */
export function provided() {
  for (const { subject, argument } of completions) {
    const names =
      "prompt" in subject
        ? prompts.find((it) => it.name === subject.prompt)?.parameters.map((it) => it.name)
        : resources.find((it) => it.uri === subject.template)?.variables;
    const of = "prompt" in subject ? `prompt \`${subject.prompt}\`` : `template \`${subject.template}\``;
    if (names?.includes(argument) !== true)
      throw new Error(`suggestions of \`${argument}\`: there is no ${of} with such an argument`);
  }
  return {
    complete(
      { tag, val }: wit.Subject,
      name: string,
      typed: string,
      settledArguments: readonly { readonly name: string; readonly value: string }[],
      request: wit.Request,
    ): wit.Suggestions {
      const subject = tag === "prompt" ? { prompt: val } : { template: val };
      const values = Object.fromEntries(settledArguments.map(({ name, value }) => [name, value]));
      const given = settled(request, (call) => suggest(subject, name, typed, values, call));
      if ("values" in given) return given;
      // There is nobody to ask while somebody types.
      const failure: wit.Failure = { kind: { tag: "tool-error" }, message: "a suggestion asks something" };
      throw failure;
    },
  };
}

/** Suggestions for an argument; none where nobody makes any. */
export function suggest(
  subject: { readonly prompt: string } | { readonly template: string },
  argument: string,
  typed: string,
  settledArguments: Readonly<Record<string, string>>,
  call: Call,
): wit.Suggestions {
  const key = JSON.stringify([subject, argument]);
  const found = completions.find((it) => JSON.stringify([it.subject, it.argument]) === key);
  if (found === undefined) return { values: [], total: null, more: false, extensions: [] };
  const values = found.complete(typed, settledArguments, call);
  return {
    values: values.slice(0, VALUES_MAX),
    total: values.length,
    more: values.length > VALUES_MAX,
    extensions: [],
  };
}
