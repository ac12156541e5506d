/** The declaration of a tool. */
import type { Call } from "./call.js";
import type { Block } from "./content.js";
import { declaring, fail, known, named, synchronous } from "./declaring.js";
import type { Dynamic, Full } from "./results.js";
import type { Arguments, FromSchema, Schema, SchemaObject } from "./schema.js";
import { isStandard, jsonSchema, type Read, read, type StandardSchema } from "./standard.js";

/** A JSON Schema of type object, or a library's schema that is one. */
export type InputSchema = (SchemaObject & { readonly type: "object" }) | StandardSchema;

/** A JSON Schema, a library's schema, or `"content"` for a tool with nothing to compute with. */
export type OutputSchema = Schema | StandardSchema | "content";

/** What is said about a tool's behaviour; what is left out is not published. */
export interface Hints {
  /** Changes nothing. */
  readonly readOnly?: boolean;
  /** May destroy or overwrite something. */
  readonly destructive?: boolean;
  /** The same call again changes nothing more. */
  readonly idempotent?: boolean;
  /** Deals with things outside of a closed world, such as the web. */
  readonly openWorld?: boolean;
}

/** What a tool's function gets. */
export type Input<I> = I extends StandardSchema ? Read<I> : Arguments<I>;

/** What a tool's function returns. */
export type Output<O> = O extends "content"
  ? Readable | Full<Readable>
  : Valued<O> | Dynamic | Full<Valued<O> | Dynamic>;

type Valued<O> = O extends StandardSchema ? Read<O> : FromSchema<O>;
type Readable = string | Block | Dynamic | readonly (string | Block)[];

export interface Declaration<I extends InputSchema, O extends OutputSchema> {
  /** A name for people. */
  readonly title?: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** The arguments; left out, there are none. */
  readonly input?: I;
  /** What is promised about the result. */
  readonly output: O;
  readonly hints?: Hints;
  /** The tool writes content blocks beside its typed value, with `full`. */
  readonly ownContent?: boolean;
  /** The tool itself. There is no event loop to wait in, so it must not be async. */
  readonly run: (input: Input<I>, call: Call) => Output<O>;
}

/** A tool as it was declared; `run` is the author's function, to be tested as any other. */
export interface Tool<I extends InputSchema = InputSchema, O extends OutputSchema = OutputSchema> {
  readonly name: string;
  readonly run: (input: Input<I>, call: Call) => Output<O>;
}

/** A tool as the provider needs it. */
export interface Declared {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly input: SchemaObject;
  /** `undefined`: content only. */
  readonly output: Schema | undefined;
  readonly hints: Hints;
  readonly ownContent: boolean;
  /** The arguments as the author's function gets them. */
  readonly read: (parsed: Record<string, unknown>) => unknown;
  readonly run: (input: never, call: Call) => unknown;
}

const declared: Declared[] = [];

/** All tools of the component, in the order of their declarations. */
export const tools: readonly Declared[] = declared;

/**
 * Declares a tool of this component. The types of `run` follow from the schemas.
 *
 * A declaration that makes no sense is an error of the build, which names the tool.
 */
export function tool<
  const O extends OutputSchema,
  const I extends InputSchema = { readonly type: "object"; readonly properties: {} },
>(name: string, declaration: Declaration<I, O>): Tool<I, O> {
  declaring(`tool \`${name}\``, () =>
    declared.push(checked(name, declaration as unknown as Declaration<InputSchema, OutputSchema>)),
  );
  return { name, run: declaration.run };
}

const NOTHING: SchemaObject = { type: "object", properties: {} };

function checked(name: string, declaration: Declaration<InputSchema, OutputSchema>): Declared {
  const { title, description, input = NOTHING, output, hints = {}, ownContent = false, run } = declaration;
  named(name, declared, "tool");
  if (typeof description !== "string" || description.trim() === "") {
    fail("write a `description`: it is all that a model knows of the tool");
  }
  synchronous(run, "run");
  if (output === undefined)
    fail('write an `output`: a JSON Schema, or "content" if there is nothing to compute with');
  if (output === "content" && ownContent) fail("`ownContent` is for tools that have a typed value as well");
  known(declaration, KEYS, "tool");

  const inputSchema = isStandard(input) ? jsonSchema(input, "input") : input;
  if (inputSchema?.type !== "object") fail('`input` is not a JSON Schema of type "object"');
  return {
    name,
    title,
    description,
    input: inputSchema,
    output: output === "content" ? undefined : outputSchema(output),
    hints,
    ownContent,
    read: isStandard(input) ? (parsed) => read(input, parsed) : withDefaults(inputSchema),
    run: run as Declared["run"],
  };
}

const KEYS = ["title", "description", "input", "output", "hints", "ownContent", "run"];

function outputSchema(output: Schema | StandardSchema): Schema {
  const schema = isStandard(output) ? jsonSchema(output, "output") : output;
  if (
    (typeof schema !== "object" || schema === null || Array.isArray(schema)) &&
    typeof schema !== "boolean"
  ) {
    fail("`output` is not a JSON Schema");
  }
  return schema;
}

/** Puts the defaults of the schema's properties where an argument was left out. */
function withDefaults({ properties = {} }: SchemaObject): Declared["read"] {
  const defaults = Object.entries(properties).flatMap(([name, schema]): [string, string][] =>
    typeof schema === "object" && "default" in schema ? [[name, JSON.stringify(schema.default)]] : [],
  );
  return (parsed) => {
    for (const [name, json] of defaults) if (!Object.hasOwn(parsed, name)) parsed[name] = JSON.parse(json);
    return parsed;
  };
}
