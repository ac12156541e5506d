/** HTTP by way of wasi:http. */
import { handle } from "wasi:http/outgoing-handler@0.2.6";
import { Fields, type IncomingBody, OutgoingBody, OutgoingRequest } from "wasi:http/types@0.2.6";
import type { Incoming, Outgoing } from "../http.js";
import { payload } from "./payload.js";

type Exchanged =
  { readonly tag: "ok"; readonly val: Incoming } | { readonly tag: "err"; readonly val: string };

const METHODS = ["get", "head", "post", "put", "delete", "connect", "options", "trace", "patch"];
const CHUNK_BYTES = 64 * 1024;

/** Sends a request and reads the answer, or says why there is none. */
export function exchange(outgoing: Outgoing): Exchanged {
  try {
    return { tag: "ok", val: answered(outgoing) };
  } catch (error) {
    return { tag: "err", val: reason(error) };
  }
}

function answered({
  method,
  scheme,
  authority,
  pathWithQuery,
  headers,
  body,
  bodyBytesMax,
}: Outgoing): Incoming {
  const request = new OutgoingRequest(Fields.fromList(headers));
  const known = METHODS.includes(method.toLowerCase());
  request.setMethod(known ? { tag: method.toLowerCase() } : { tag: "other", val: method });
  request.setScheme({ tag: scheme === "https" ? "HTTPS" : "HTTP" });
  request.setAuthority(authority);
  request.setPathWithQuery(pathWithQuery);
  const outgoingBody = request.body();
  const future = handle(request, null);
  if (body !== undefined) {
    const stream = outgoingBody.write();
    // One write takes 4096 bytes at most.
    for (let at = 0; at < body.length; at += 4096) stream.blockingWriteAndFlush(body.subarray(at, at + 4096));
    stream[Symbol.dispose]();
  }
  OutgoingBody.finish(outgoingBody, null);

  const ready = future.subscribe();
  ready.block();
  ready[Symbol.dispose]();
  const given = future.get();
  if (given?.tag !== "ok") throw new Error("the answer was taken before");
  if (given.val.tag === "err") throw given.val.val;
  const response = given.val.val;
  return {
    status: response.status(),
    headers: response.headers().entries(),
    body: whole(response.consume(), bodyBytesMax),
  };
}

function whole(body: IncomingBody, bytesMax: number): Uint8Array {
  const stream = body.stream();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    let chunk: Uint8Array;
    try {
      chunk = stream.blockingRead(CHUNK_BYTES);
    } catch (error) {
      if (code(error).tag === "closed") break;
      throw error;
    }
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) throw new Error(`the body has more than ${bytesMax} bytes`);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** An error code of wasi:http is a case with or without a payload. */
function reason(error: unknown): string {
  const { tag, val } = code(error);
  if (tag === undefined) return error instanceof Error ? error.message : String(error);
  const words = tag.replaceAll("-", " ");
  return typeof val === "string" ? `${words}: ${val}` : words;
}

function code(thrown: unknown): { readonly tag?: string; readonly val?: unknown } {
  const error = payload(thrown);
  return typeof error === "object" && error !== null ? error : {};
}
