/** The declaration of a resource: data that clients read by URI. */
import type { Call } from "./call.js";
import { Block } from "./content.js";
import { declaring, fail, known, settled, synchronous } from "./declaring.js";
import { resources } from "./registry.js";
import { variablesOf } from "./template.js";
import type * as wit from "./wit/types.js";

/** The values of the variables of a template, each by its name. */
export type Variables<U extends string> = U extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & Variables<Rest>
  : unknown;

/** What reading gives: text, bytes, `content.embedded(…)` or a list of those. */
export type Contents = string | Uint8Array | Block | readonly Block[];

export interface ResourceDeclaration<U extends string> {
  /** A URI, or an RFC 6570 template of level 1, such as `city://{name}`: a family of resources. */
  readonly uri: U;
  /** A name for people. */
  readonly title?: string;
  readonly description?: string;
  /** The MIME type of its contents. */
  readonly mimeType?: string;
  /** Gives the contents, from the values of the template's variables. */
  readonly read: (values: Variables<U>, call: Call) => Contents;
}

const KEYS = ["uri", "title", "description", "mimeType", "read"];

/** Declares a resource of this component, or a family of them. */
export function resource<const U extends string>(name: string, declaration: ResourceDeclaration<U>): void {
  declaring(`resource \`${name}\``, () => {
    const { uri, title, description, mimeType, read } = declaration;
    known(declaration, KEYS, "resource");
    synchronous(read, "read");
    if (typeof uri !== "string") fail("write a `uri`");
    if (resources.some((it) => it.uri === uri)) fail(`\`${uri}\` is there already`);
    const run = read as (values: unknown, call: Call) => unknown;
    resources.push({
      name,
      uri,
      variables: variablesOf(uri),
      title,
      description,
      mimeType,
      read: (uri, values, call) => contents(settled(run(values, call), "read"), uri, mimeType ?? null),
    });
  });
}

function contents(value: unknown, uri: string, mimeType: string | null): wit.ResourceContents[] {
  if (typeof value === "string") return [{ uri, mimeType, body: { tag: "text", val: value } }];
  if (value instanceof Uint8Array) return [{ uri, mimeType, body: { tag: "bytes", val: value } }];
  if (Array.isArray(value)) return value.flatMap((it) => contents(it, uri, mimeType));
  if (value instanceof Block && value.content.tag === "embedded") return [value.content.val.contents];
  throw new Error("`read` gives text, bytes, `content.embedded(…)`, or a list of those");
}
