/** JSON Schema as authors write it, and the TypeScript types that it means. */

/** The keywords that types are inferred from; all others of JSON Schema 2020-12 pass as they are. */
export interface SchemaObject {
  readonly type?: TypeName | readonly TypeName[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: Schema };
  readonly [keyword: string]: unknown;
}

export type Schema = boolean | SchemaObject;
export type TypeName = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** The type of the values that a schema accepts; `unknown` where it says nothing that a type can say. */
export type FromSchema<S, Root = S> =
  S extends false ? never
  : S extends { readonly $ref: infer Pointer } ? Referred<Pointer, Root>
  : S extends { readonly const: infer Value } ? Value
  : S extends { readonly enum: readonly (infer Value)[] } ? Value
  : S extends { readonly anyOf: readonly (infer Arm)[] } ? Either<Arm, Root>
  : S extends { readonly oneOf: readonly (infer Arm)[] } ? Either<Arm, Root>
  : S extends { readonly allOf: readonly (infer Part)[] } ? Both<Part extends unknown ? [FromSchema<Part, Root>] : never>
  : S extends { readonly type: readonly (infer Name)[] } ? OfType<Name, S, Root>
  : S extends { readonly type: infer Name } ? OfType<Name, S, Root>
  : S extends { readonly properties: unknown } ? ObjectOf<S, Root>
  : unknown;

/** The arguments that a tool gets: as the schema says, with every default in its place. */
export type Arguments<S> =
  S extends { readonly properties: infer P }
    ? FromSchema<Omit<S, "required"> & { readonly required: readonly (RequiredOf<S> | WithDefault<P>)[] }, S>
    : FromSchema<S>;

type Referred<Pointer, Root> =
  Pointer extends "#" ? FromSchema<Root>
  : Pointer extends `#/$defs/${infer Name}`
    ? Root extends { readonly $defs: { readonly [N in Name]: infer Target } } ? FromSchema<Target, Root> : unknown
  : unknown;

type Either<Arm, Root> = Arm extends unknown ? FromSchema<Arm, Root> : never;

// The tuples keep a part that is itself a union in one piece.
type Both<Parts> = (Parts extends [infer Part] ? (it: Part) => void : never) extends (it: infer All) => void ? All : never;

type OfType<Name, S, Root> =
  Name extends "string" ? string
  : Name extends "number" | "integer" ? number
  : Name extends "boolean" ? boolean
  : Name extends "null" ? null
  : Name extends "array" ? ArrayOf<S, Root>
  : Name extends "object" ? ObjectOf<S, Root>
  : never;

type ArrayOf<S, Root> =
  S extends { readonly prefixItems: infer Items }
    ? { -readonly [Place in keyof Items]: FromSchema<Items[Place], Root> }
  : S extends { readonly items: infer Item } ? FromSchema<Item, Root>[]
  : unknown[];

type ObjectOf<S, Root> =
  S extends { readonly properties: infer P }
    ? Flat<
        & { -readonly [K in keyof P as K extends RequiredOf<S> ? K : never]: FromSchema<P[K], Root> }
        & { -readonly [K in keyof P as K extends RequiredOf<S> ? never : K]?: FromSchema<P[K], Root> | undefined }
      >
  : S extends { readonly additionalProperties: infer Value } ? { [name: string]: FromSchema<Value, Root> }
  : { [name: string]: unknown };

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;
type WithDefault<P> = { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P];
type Flat<T> = { [K in keyof T]: T[K] };
