/**
 * Tests of tools as a host sees them, without one. A tool's `run` is a plain function, and most tests
 * call it as one. What a host adds is here: the published contract, and a call by name with arguments.
 * Neither checks anything against a schema; that is the host's part.
 */
import { during, NO_CALL } from "./call.js";
import { ToolError } from "./errors.js";
import { outcome } from "./outcome.js";
import { required } from "./requires.js";
import { tools } from "./tool.js";
import type * as wit from "./wit/types.js";

/** What the component would say about itself, but for its name and version. */
export function describe() {
  return {
    requires: required(),
    tools: tools.map(({ name, title, description, input, output, hints, ownContent }) => ({
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      hints,
      ownContent,
    })),
  };
}

/** What a call gives; `value` and `exactSchema` are parsed. */
export interface Result {
  readonly value?: unknown;
  readonly exactSchema?: unknown;
  readonly content?: readonly wit.Content[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** Calls a tool by its name; what it throws is thrown. */
export function callTool(name: string, args: Readonly<Record<string, unknown>> = {}): Result {
  const tool = tools.find((it) => it.name === name);
  if (tool === undefined) throw ToolError.notFound(`there is no tool \`${name}\``);
  const input = tool.read(JSON.parse(JSON.stringify(args))) as never;
  const given = during(NO_CALL, () => outcome(tool, tool.run(input, NO_CALL)));
  switch (given.tag) {
    case "value":
      return typed(given.val);
    case "content":
      return { content: given.val };
    case "full": {
      const { value, content, meta, isError } = given.val;
      return {
        ...(value === null ? {} : typed(value)),
        content,
        meta: Object.fromEntries(meta.map(({ key, value }) => [key, JSON.parse(value)])),
        isError,
      };
    }
  }
}

function typed({ json, schema }: wit.TypedValue): Result {
  const value: unknown = JSON.parse(json);
  return schema.tag === "exact" ? { value, exactSchema: JSON.parse(schema.val) } : { value };
}
