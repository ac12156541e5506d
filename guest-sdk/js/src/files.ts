/**
 * Files in the directories that the component is granted, by their absolute paths. Outside of a
 * component, as in a test, there are none.
 */
import { ToolError } from "./errors.js";
import { TextDecoder, TextEncoder } from "./globals/text.js";
import { type Entry, type Opened, opened } from "#files";

export type { Entry } from "#files";

/** What went wrong with a file. The model reads it, unless the tool catches it. */
export class FileError extends ToolError {
  /** The code of wasi:filesystem, such as `no-entry` or `not-permitted`. */
  readonly code: string;

  constructor(path: string, code: string) {
    super(`\`${path}\`: ${code.replaceAll("-", " ")}`);
    this.name = "FileError";
    this.code = code;
  }
}

/** All bytes of a file. */
export function readFile(path: string): Uint8Array {
  return at(path, (file) => file.read());
}

/** A file's UTF-8 text. */
export function readText(path: string): string {
  return new TextDecoder().decode(readFile(path));
}

/** Writes a file, and makes it where there is none. What was in it is gone. */
export function writeFile(path: string, contents: string | Uint8Array): void {
  const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
  at(path, (file) => file.write(bytes));
}

/** What is in a directory, in no order. */
export function list(path: string): Entry[] {
  return at(path, (directory) => directory.list());
}

/** Makes a directory in one that exists. */
export function makeDirectory(path: string): void {
  at(path, (directory) => directory.make());
}

/** Removes a file. */
export function removeFile(path: string): void {
  at(path, (file) => file.remove());
}

function at<T>(path: string, use: (it: Opened) => { tag: "ok"; val: T } | { tag: "err"; val: string }): T {
  const done = use(opened(path));
  if (done.tag === "err") throw new FileError(path, done.val);
  return done.val;
}
