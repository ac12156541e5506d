/** `console`, as far as libraries use it: lines of the host's log. */
import { type Level, write } from "../log.js";

const line =
  (level: Level) =>
  (...values: unknown[]): void =>
    write(level, values.map(shown).join(" "));

export const console = {
  debug: line("debug"),
  log: line("info"),
  info: line("info"),
  warn: line("warning"),
  error: line("error"),
  trace: line("debug"),
  assert(holds: unknown, ...values: unknown[]): void {
    if (!holds) write("error", ["assertion failed:", ...values.map(shown)].join(" "));
  },
};

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
