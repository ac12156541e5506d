/**
 * The interface `portcullis:guest/tools`, as a component exports it. Only this module and `outcome`
 * speak to the host.
 */
import { type Call, type ClientAbility, during } from "./call.js";
import { ToolError, trace } from "./errors.js";
import { outcome } from "./outcome.js";
import { required } from "./requires.js";
import { type Declared, tools } from "./tool.js";
import type * as wit from "./wit/types.js";

export interface Package {
  readonly name: string;
  readonly version: string;
}

/** The exports of a component that has all tools declared so far. */
export function provider(component: Package) {
  if (tools.length === 0) throw new Error("there is no tool: declare one with `tool(…)`");
  // Said once, when the component is built.
  const description = describe(component);
  return {
    describe: (): wit.Component => description,
    call(name: string, args: string, request: wit.Request): wit.Outcome {
      try {
        const tool = tools.find((it) => it.name === name);
        if (tool === undefined) throw ToolError.notFound(`there is no tool \`${name}\``);
        const call = facts(request);
        return during(call, () => run(tool, args, call));
      } catch (thrown) {
        throw failure(thrown);
      }
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

/** A `result`'s error is thrown as a plain value. */
function failure(thrown: unknown): wit.Failure {
  if (!(thrown instanceof ToolError)) return { kind: { tag: "internal" }, message: trace(thrown) };
  const { kind, message } = thrown;
  return kind === "missing-client-ability"
    ? { kind: { tag: kind, val: abilities(thrown.abilities) }, message }
    : { kind: { tag: kind }, message };
}

function abilities(names: readonly ClientAbility[]): wit.ClientAbilities {
  return {
    elicitForm: names.includes("elicitForm"),
    elicitUrl: names.includes("elicitUrl"),
    sampling: names.includes("sampling"),
    roots: names.includes("roots"),
  };
}

function facts(request: wit.Request): Call {
  const { trace } = request;
  return {
    id: request.callId,
    timeLimitMs: request.timeLeftMs,
    client: request.client,
    wantsProgress: request.wantsProgress,
    wantsLog: request.wantsLog ?? undefined,
    principal: request.principal ?? undefined,
    trace: trace === null ? undefined : { parent: trace.parent, state: trace.state ?? undefined },
  };
}
