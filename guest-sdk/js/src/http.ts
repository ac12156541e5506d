/**
 * HTTP requests, to the hosts that the component is granted. They are synchronous: a call has an
 * instance of its own, and nothing else to do until the answer is there.
 *
 * Redirects are not followed by themselves; the next host may be one that is not granted.
 */
import { ToolError } from "./errors.js";
import { TextDecoder, TextEncoder } from "./globals/text.js";
import { exchange } from "#http";

export interface RequestOptions {
  /** `GET`, or `POST` where there is a body, unless it says otherwise. */
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  /** How much of a body is read before the request fails; 4 MiB unless it says otherwise. */
  readonly bodyBytesMax?: number;
}

export interface Target {
  readonly scheme: "http" | "https";
  readonly authority: string;
  readonly pathWithQuery: string;
}

/** A request as it goes to the host, and the answer as it comes from there. */
export interface Outgoing extends Target {
  readonly method: string;
  readonly headers: readonly (readonly [string, Uint8Array])[];
  readonly body: Uint8Array | undefined;
  readonly bodyBytesMax: number;
}

export interface Incoming {
  readonly status: number;
  readonly headers: readonly (readonly [string, Uint8Array])[];
  readonly body: Uint8Array;
}

/** The request did not come to an answer. The model reads why, unless the tool catches it. */
export class HttpError extends ToolError {}

/** An answer, whatever its status. */
export class Response {
  readonly status: number;
  readonly body: Uint8Array;
  readonly #headers = new Map<string, string>();

  /** @internal */
  constructor({ status, headers, body }: Incoming) {
    this.status = status;
    this.body = body;
    const decoder = new TextDecoder();
    for (const [name, value] of headers) {
      const key = name.toLowerCase();
      const before = this.#headers.get(key);
      this.#headers.set(key, (before === undefined ? "" : `${before}, `) + decoder.decode(value));
    }
  }

  /** Whether the status is one of success. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** A header's value; several of one name are joined by commas. */
  header(name: string): string | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  /** The body as UTF-8 text. */
  text(): string {
    return new TextDecoder().decode(this.body);
  }

  /** The body as JSON. */
  json(): unknown {
    return JSON.parse(this.text());
  }
}

const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Sends a request and waits for all of the answer. */
export function request(url: string, options: RequestOptions = {}): Response {
  const target = parsed(url);
  const encoder = new TextEncoder();
  const body = typeof options.body === "string" ? encoder.encode(options.body) : options.body;
  const incoming = exchange({
    ...target,
    method: (options.method ?? (body === undefined ? "GET" : "POST")).toUpperCase(),
    headers: Object.entries(options.headers ?? {}).map(
      ([name, value]) => [name, encoder.encode(value)] as const,
    ),
    body,
    bodyBytesMax: options.bodyBytesMax ?? BODY_BYTES_MAX,
  });
  if (incoming.tag === "ok") return new Response(incoming.val);
  throw new HttpError(`${target.authority} gave no answer: ${incoming.val}`);
}

/** The parts of an absolute http or https URL. */
export function parsed(url: string): Target {
  const match = /^(https?):\/\/([^/?#@\s\\]+)((?:[/?][^#\s]*)?)(?:#.*)?$/i.exec(url);
  if (match === null) throw ToolError.invalidArguments(`\`${url}\` is not an absolute http or https URL`);
  const [, scheme = "", authority = "", rest = ""] = match;
  return {
    scheme: scheme.toLowerCase() as Target["scheme"],
    authority: authority.toLowerCase(),
    pathWithQuery: rest.startsWith("/") ? rest : `/${rest}`,
  };
}
