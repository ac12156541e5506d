/** What the host says, and what is said to it, in its words: what all exports share. */
import { type Call, type ClientAbility, during } from "./call.js";
import { ToolError, trace } from "./errors.js";
import type { Round } from "./round.js";
import type * as wit from "./wit/types.js";

/** What a function gives; or what it asks first, whatever came of it then. A failure is thrown. */
export function settled<T>(request: wit.Request, run: (call: Call) => T): T | wit.AsksFirst {
  const call = facts(request);
  const round: Round = { answers: request.answers, state: request.state, asked: undefined };
  const asked = () =>
    round.asked === undefined ? undefined : { tag: "input-required" as const, val: round.asked };
  try {
    const given = during(call, () => run(call), round);
    return asked() ?? given;
  } catch (thrown) {
    const first = asked();
    if (first === undefined) throw failure(thrown);
    return first;
  }
}

/** A `result`'s error is thrown as a plain value. */
function failure(thrown: unknown): wit.Failure {
  if (!(thrown instanceof ToolError)) return { kind: { tag: "internal" }, message: trace(thrown) };
  const { kind, message } = thrown;
  return kind === "missing-client-ability"
    ? { kind: { tag: kind, val: abilities(thrown.abilities) }, message }
    : { kind: { tag: kind }, message };
}

/** What a client can do, of these. */
export function abilities(names: readonly ClientAbility[]): wit.ClientAbilities {
  return {
    elicitForm: names.includes("elicitForm"),
    elicitUrl: names.includes("elicitUrl"),
    sampling: names.includes("sampling"),
    roots: names.includes("roots"),
  };
}

function facts(request: wit.Request): Call {
  const { trace } = request;
  return {
    id: request.callId,
    timeLimitMs: request.timeLeftMs,
    client: request.client,
    wantsProgress: request.wantsProgress,
    wantsLog: request.wantsLog ?? undefined,
    principal: request.principal ?? undefined,
    trace: trace === null ? undefined : { parent: trace.parent, state: trace.state ?? undefined },
  };
}
