/**
 * Schemas of a library, such as zod's: whatever is a Standard Schema that can write itself as JSON
 * Schema (https://standardschema.dev). No library is imported here.
 */
import { ToolError } from "./errors.js";
import type { SchemaObject } from "./schema.js";

export interface StandardSchema {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

/** The type of a library's value once it is read. */
export type Read<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["output"];

export function isStandard(schema: unknown): schema is StandardSchema {
  return (
    (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema
  );
}

/** What a library's schema accepts (`input`), or gives once it is read (`output`), as JSON Schema. */
export function jsonSchema(schema: StandardSchema, side: "input" | "output"): SchemaObject {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new Error(`this version of ${vendor} cannot write its schemas as JSON Schema; zod can from 4.2 on`);
  }
  const { $schema: _, ...written } = jsonSchema[side]({ target: "draft-2020-12" });
  return written;
}

/** The value as the library reads it, with its defaults and conversions. */
export function read(schema: StandardSchema, value: unknown): unknown {
  const result = schema["~standard"].validate(value) as { value?: unknown; issues?: readonly Issue[] };
  if (result instanceof Promise)
    throw new Error("a schema whose checks are asynchronous cannot be used here");
  if (result.issues === undefined) return result.value;
  throw ToolError.invalidArguments(result.issues.map(described).join("; "));
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function described({ message, path = [] }: Issue): string {
  const keys = path.map((step) => String(typeof step === "object" ? step.key : step));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}
