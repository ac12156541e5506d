/** The facts about the call that is running. */
import type { Level } from "./log.js";
import { noRound, type Round } from "./round.js";

/** What a client can do for a tool: show a form, open a URL, run a model, name the user's directories. */
export type ClientAbility = "elicitForm" | "elicitUrl" | "sampling" | "roots";

/** The facts about one call; a tool gets them after its arguments, or anywhere with `call()`. */
export interface Call {
  /** The name of this call in the host's log. */
  readonly id: string;
  /** How long the call may take, in milliseconds, counted from its start. */
  readonly timeLimitMs: number;
  /** What the client can do. */
  readonly client: Readonly<Record<ClientAbility, boolean>>;
  /** Whether anyone receives progress notes. */
  readonly wantsProgress: boolean;
  /** The least urgent level of log lines that anyone receives. */
  readonly wantsLog: Level | undefined;
  /** Who makes the call: opaque, equal for the same caller, of no other use. */
  readonly principal: string | undefined;
  /** The W3C trace context to pass on. */
  readonly trace: { readonly parent: string; readonly state: string | undefined } | undefined;
}

/** What a function sees outside of a host, as in a test: no time limit, and a client that can do nothing. */
export const NO_CALL: Call = {
  id: "",
  timeLimitMs: Number.POSITIVE_INFINITY,
  client: { elicitForm: false, elicitUrl: false, sampling: false, roots: false },
  wantsProgress: false,
  wantsLog: undefined,
  principal: undefined,
  trace: undefined,
};

let current = NO_CALL;
let currentRound = noRound();

/** The call that is running. */
export function call(): Call {
  return current;
}

/** The round of the call that is running. */
export function round(): Round {
  return currentRound;
}

/** Runs a function as this call, in this round of it. */
export function during<T>(facts: Call, run: () => T, round: Round = noRound()): T {
  const before = [current, currentRound] as const;
  [current, currentRound] = [facts, round];
  try {
    return run();
  } finally {
    [current, currentRound] = before;
  }
}
