/** What the host says of earlier rounds of a call, and what is asked in this one. */
import type * as wit from "./wit/types.js";

export interface Round {
  /** The answers to the questions of the round before. */
  readonly answers: readonly wit.Answer[];
  /** The answers to those before, as `ask` wrote them down. */
  readonly state: Uint8Array | null;
  /** What is asked and not answered yet; once there is something, the call ends with it. */
  asked: wit.InputRequired | undefined;
}

/** The only round there is outside of a host. */
export function noRound(): Round {
  return { answers: [], state: null, asked: undefined };
}
