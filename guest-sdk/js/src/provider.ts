/**
 * The interface `portcullis:guest/tools`, as a component exports it. This module, `outcome`, `words` and
 * `provide` speak to the host, and nothing else.
 */
import type { Call } from "./call.js";
import { ToolError } from "./errors.js";
import { outcome } from "./outcome.js";
import { prompts, resources } from "./registry.js";
import { required } from "./requires.js";
import { type Declared, tools } from "./tool.js";
import type * as wit from "./wit/types.js";
import { abilities, settled } from "./words.js";

export interface Package {
  readonly name: string;
  readonly version: string;
}

/** The exports of a component that has all tools declared so far. */
export function provider(component: Package) {
  if (tools.length + resources.length + prompts.length === 0)
    throw new Error("there is no tool: declare one with `tool(…)`");
  // Said once, when the component is built.
  const description = describe(component);
  return {
    describe: (): wit.Component => description,
    call(name: string, args: string, request: wit.Request): wit.Outcome {
      return settled(request, (call) => {
        const tool = tools.find((it) => it.name === name);
        if (tool === undefined) throw ToolError.notFound(`there is no tool \`${name}\``);
        return run(tool, args, call);
      });
    },
  };
}

function run(tool: Declared, args: string, call: Call): wit.Outcome {
  const input = tool.read(JSON.parse(args)) as never;
  return outcome(tool, tool.run(input, call));
}

function describe({ name, version }: Package): wit.Component {
  const { client, ...needs } = required();
  return {
    name,
    version,
    requires: { ...needs, client: abilities(client) },
    tools: tools.map(descriptor),
    extensions: [],
  };
}

function descriptor({
  name,
  title,
  description,
  input,
  output,
  hints,
  ownContent,
}: Declared): wit.Descriptor {
  const { readOnly = null, destructive = null, idempotent = null, openWorld = null } = hints;
  return {
    name,
    title: title ?? null,
    description,
    inputSchema: JSON.stringify(input),
    output: output === undefined ? { tag: "content-only" } : { tag: "typed", val: JSON.stringify(output) },
    hints: { readOnly, destructive, idempotent, openWorld },
    ownContent,
    extensions: [],
  };
}
