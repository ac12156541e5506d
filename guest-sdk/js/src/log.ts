/**
 * Lines for the host's log and for a client that asked for them. What goes beyond the host's limit is
 * dropped. Outside of a component, as in a test, lines go to standard error.
 */
import { write as send } from "#log";

/** How urgent a line is; the levels of RFC 5424, the least urgent first. */
export type Level = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** Writes one line; `logger` names the part of the component that speaks. */
export function write(level: Level, message: string, logger?: string): void {
  send(level, logger ?? null, message);
}

export const debug = (message: string): void => write("debug", message);
export const info = (message: string): void => write("info", message);
export const notice = (message: string): void => write("notice", message);
export const warning = (message: string): void => write("warning", message);
export const error = (message: string): void => write("error", message);
