/**
 * Write a sandboxed MCP tool as a function in TypeScript or JavaScript. README.md shows how.
 */
export { type Call, call, type ClientAbility } from "./call.js";
export * as content from "./content.js";
export { type FailureKind, ToolError } from "./errors.js";
export * as log from "./log.js";
export * as progress from "./progress.js";
export { type Requirements, requires } from "./requires.js";
export { type Dynamic, dynamic, dynamicJson, type Full, full, type Parts } from "./results.js";
export type { FromSchema, Schema, SchemaObject } from "./schema.js";
export type { StandardSchema } from "./standard.js";
export {
  type Declaration,
  type Hints,
  type InputSchema,
  type OutputSchema,
  type Tool,
  tool,
} from "./tool.js";
