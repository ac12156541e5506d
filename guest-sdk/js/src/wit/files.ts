/** Files by way of wasi:filesystem. */
import { getDirectories } from "wasi:filesystem/preopens@0.2.6";
import type { Descriptor } from "wasi:filesystem/types@0.2.6";
import type { Entry, Opened } from "../native/files.js";
import { payload } from "./payload.js";

export type { Entry, Opened };

const CHUNK_BYTES = 64 * 1024;
const FOLLOW = { symlinkFollow: true };

/** A path, to be used in one of several ways. */
export function opened(path: string): Opened {
  return {
    read: () => done(() => read(open(path, {}, { read: true }))),
    write: (bytes) => done(() => write(open(path, { create: true, truncate: true }, { write: true }), bytes)),
    list: () => done(() => list(open(path, { directory: true }, { read: true }))),
    make: () => done(() => within(path, (directory, rest) => directory.createDirectoryAt(rest))),
    remove: () => done(() => within(path, (directory, rest) => directory.unlinkFileAt(rest))),
  };
}

function open(path: string, how: object, flags: object): Descriptor {
  return within(path, (directory, rest) => directory.openAt(FOLLOW, rest, how, flags));
}

/** Uses a path by the granted directory that it is in. */
function within<T>(path: string, use: (directory: Descriptor, rest: string) => T): T {
  const granted = getDirectories().filter(
    ([, name]) => path === name || path.startsWith(name.replace(/\/*$/, "/")),
  );
  const [closest] = granted.sort(([, a], [, b]) => b.length - a.length);
  if (closest === undefined) throw "no-entry";
  const [directory, name] = closest;
  return use(directory, path.slice(name.length).replace(/^\/+/, "") || ".");
}

function read(file: Descriptor): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let isEnd = false; !isEnd;) {
    const [chunk, end] = file.read(CHUNK_BYTES, length);
    chunks.push(chunk);
    length += chunk.length;
    isEnd = end || chunk.length === 0;
  }
  const all = new Uint8Array(length);
  chunks.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0);
  return all;
}

function write(file: Descriptor, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.write(bytes.subarray(at, at + CHUNK_BYTES), at);
}

function list(directory: Descriptor): Entry[] {
  const stream = directory.readDirectory();
  const entries: Entry[] = [];
  for (let entry = stream.readDirectoryEntry(); entry !== null; entry = stream.readDirectoryEntry())
    entries.push(entry);
  return entries;
}

function done<T>(use: () => T): { tag: "ok"; val: T } | { tag: "err"; val: string } {
  try {
    return { tag: "ok", val: use() };
  } catch (thrown) {
    const code = payload(thrown);
    if (typeof code !== "string") throw thrown;
    return { tag: "err", val: code };
  }
}
