/** From what an author's function returns to what the host is told. */
import { Block } from "./content.js";
import { settled } from "./declaring.js";
import { ToolError } from "./errors.js";
import { Dynamic, Full } from "./results.js";
import type { Declared } from "./tool.js";
import type * as wit from "./wit/types.js";

/** The outcome of a call. */
export function outcome(tool: Declared, given: unknown): wit.Outcome {
  const returned = settled(given, "run");
  if (returned instanceof Full) return fullOutcome(tool, returned);
  return tool.output === undefined
    ? { tag: "content", val: blocks(returned) }
    : { tag: "value", val: { json: json(returned), schema: { tag: "declared" } } };
}

function fullOutcome(tool: Declared, { value, parts }: Full<unknown>): wit.Outcome {
  const { meta = {}, exactSchema, content = [], isError = false } = parts;
  const isTyped = tool.output !== undefined;
  if (isTyped && !tool.ownContent && content.length > 0) {
    throw new Error(
      "the tool gives `content` of its own, which its declaration does not announce: write `ownContent: true`",
    );
  }
  const schema: wit.TypedValue["schema"] =
    exactSchema === undefined ? { tag: "declared" } : { tag: "exact", val: JSON.stringify(exactSchema) };
  return {
    tag: "full",
    val: {
      content: [...(isTyped ? [] : blocks(value)), ...content.flatMap(blocks)],
      value: isTyped ? { json: json(value), schema } : null,
      meta: Object.entries(meta).map(([key, value]) => ({ key, value: json(value) })),
      isError,
    },
  };
}

/** Blocks that are written as such, or that a host would render from a value. */
function blocks(value: unknown): wit.Content[] {
  if (value instanceof Block) return [value.content];
  if (typeof value === "string") return [text(value)];
  if (Array.isArray(value)) return value.flatMap(blocks);
  if (value instanceof Dynamic) {
    const parsed: unknown = JSON.parse(json(value));
    return (Array.isArray(parsed) ? parsed : [parsed]).map((it) =>
      text(typeof it === "string" ? it : JSON.stringify(it, null, 2)),
    );
  }
  throw new Error('a tool with `output: "content"` returns text, blocks, or a list of them');
}

function text(text: string): wit.Content {
  return { tag: "text", val: { text, annotations: null } };
}

/** The value as JSON text. */
function json(value: unknown): string {
  if (value instanceof Dynamic) return value.write() ?? nothing();
  const text = JSON.stringify(value) ?? nothing();
  if (text.includes("null")) finite(value, "");
  return text;
}

function nothing(): never {
  throw new Error("`run` returned nothing that JSON can say");
}

/** JSON has no word for NaN and the infinities, and JavaScript writes null instead. */
function finite(value: unknown, path: string): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new ToolError(
      `the result${path === "" ? "" : ` at ${path.replace(/^\./, "")}`} is ${value}, which JSON cannot say`,
    );
  }
  if (typeof value !== "object" || value === null || "toJSON" in value) return;
  for (const [key, inner] of Object.entries(value)) {
    finite(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  }
}
