/** What an author says when a call fails. */
import type { ClientAbility } from "./call.js";

export type FailureKind = "tool-error" | "invalid-arguments" | "missing-client-ability" | "not-found";

/**
 * An error whose message the model reads. Throw it where the model can act on what went wrong.
 *
 * Any other exception is the tool's own fault: the model is told no more than that the tool failed,
 * and the message goes to the host's log, with where it was thrown.
 */
export class ToolError extends Error {
  readonly kind: FailureKind;
  readonly abilities: readonly ClientAbility[];

  /** The tool did not manage; the model may try something else. */
  constructor(
    message: string,
    options?: ErrorOptions & { kind?: FailureKind; abilities?: readonly ClientAbility[] },
  ) {
    super(message, options);
    this.name = "ToolError";
    this.kind = options?.kind ?? "tool-error";
    this.abilities = options?.abilities ?? [];
  }

  /** The arguments fit the schema but make no sense; the model can correct them. */
  static invalidArguments(message: string): ToolError {
    return new ToolError(message, { kind: "invalid-arguments" });
  }

  /** What the call names does not exist. */
  static notFound(message: string): ToolError {
    return new ToolError(message, { kind: "not-found" });
  }

  /** The call needs something that this client cannot do. */
  static missingAbility(abilities: readonly ClientAbility[], message: string): ToolError {
    return new ToolError(message, { kind: "missing-client-ability", abilities });
  }
}

/** The user was asked, and said no. */
export class Declined extends ToolError {}

/** The user was asked, and said nothing. */
export class Cancelled extends ToolError {}

const FRAMES_MAX = 8;

/** An exception for the log: what it says, and the places that led to it, the innermost first. */
export function trace(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `${String(thrown)} was thrown, which is no Error`;
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const cause = thrown.cause === undefined ? [] : [`caused by ${trace(thrown.cause)}`];
  return [`${thrown.name}: ${thrown.message}`, ...frames.slice(0, FRAMES_MAX), ...cause].join("\n");
}
