/** Content blocks: what people and models read. */
import type * as wit from "./wit/types.js";

/** One block of content; the functions of this module make them. */
export class Block {
  /** @internal */
  constructor(readonly content: wit.Content) {}
}

/** Hints about a block. */
export interface Annotations {
  /** Whom it is meant for. */
  readonly audience?: readonly ("user" | "assistant")[];
  /** How much it matters, from 0 (not at all) to 1 (required). */
  readonly priority?: number;
  /** When its matter last changed, as an RFC 3339 date and time. */
  readonly lastModified?: string;
}

/** What a link may say beside its URI and name. */
export interface LinkDetails extends Annotations {
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly sizeBytes?: number;
}

/** Text. */
export function text(text: string, annotations?: Annotations): Block {
  return new Block({ tag: "text", val: { text, annotations: annotated(annotations) } });
}

/** An image: its raw bytes, and a MIME type that agrees with them. */
export function image(data: Uint8Array, mimeType: string, annotations?: Annotations): Block {
  return new Block({ tag: "image", val: { data, mimeType, annotations: annotated(annotations) } });
}

/** A sound: its raw bytes, and a MIME type that agrees with them. */
export function audio(data: Uint8Array, mimeType: string, annotations?: Annotations): Block {
  return new Block({ tag: "audio", val: { data, mimeType, annotations: annotated(annotations) } });
}

/** A link to a resource that the client may read: an absolute URI, and a name for what it leads to. */
export function link(uri: string, name: string, details: LinkDetails = {}): Block {
  const { title = null, description = null, mimeType = null, sizeBytes: size = null } = details;
  return new Block({
    tag: "link",
    val: { uri, name, title, description, mimeType, size, annotations: annotated(details) },
  });
}

/** A resource with its body: text, or raw bytes. */
export function embedded(
  uri: string,
  body: string | Uint8Array,
  details: Annotations & { readonly mimeType?: string } = {},
): Block {
  const witBody: wit.ResourceBody =
    typeof body === "string" ? { tag: "text", val: body } : { tag: "bytes", val: body };
  const contents = { uri, mimeType: details.mimeType ?? null, body: witBody };
  return new Block({ tag: "embedded", val: { contents, annotations: annotated(details) } });
}

function annotated({ audience, priority, lastModified }: Annotations = {}): wit.Annotations | null {
  if (audience === undefined && priority === undefined && lastModified === undefined) return null;
  return {
    audience: {
      user: audience?.includes("user") ?? false,
      assistant: audience?.includes("assistant") ?? false,
    },
    priority: priority ?? null,
    lastModified: lastModified ?? null,
  };
}
