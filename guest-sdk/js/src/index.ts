/**
 * Write a sandboxed MCP tool as a function in TypeScript or JavaScript. README.md shows how.
 */
export { ask, askAll } from "./asking.js";
export { type Call, call, type ClientAbility } from "./call.js";
export * as changed from "./changed.js";
export { complete, type Completed } from "./complete.js";
export * as content from "./content.js";
export { Cancelled, Declined, type FailureKind, ToolError } from "./errors.js";
export * as log from "./log.js";
export { type Message, message, type Messages } from "./message.js";
export * as progress from "./progress.js";
export { prompt, type PromptArgument, type PromptDeclaration } from "./prompt.js";
export {
  form,
  type FormSchema,
  type Question,
  type Root,
  roots,
  type Sampled,
  sampling,
  type SamplingOptions,
  url,
} from "./questions.js";
export { type Requirements, requires } from "./requires.js";
export { type Contents, resource, type ResourceDeclaration } from "./resource.js";
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
