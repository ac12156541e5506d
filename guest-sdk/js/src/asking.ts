/** Questions to the user, or to their model, in the middle of a call. */
import { type ClientAbility, call, round } from "./call.js";
import { ToolError } from "./errors.js";
import { Question } from "./questions.js";
import type * as wit from "./wit/types.js";

/** Thrown where something is asked first; no failure, and no `Error`. */
class Asking {}

type Answers<Q> = { [Key in keyof Q]: Q[Key] extends Question<infer T> ? T : never };

/**
 * Asks the client, and gives its answer. `key` names the question within the tool.
 *
 * The first time there is no answer yet, and this ends the function. The host asks, and **runs the
 * function again from its beginning**, where the same line gives the answer. So whatever stands before a
 * question runs more than once; let it change nothing. Where a `catch` stands around it, the call ends
 * with the question all the same.
 *
 * Throws `Declined` or `Cancelled`, which the model is told, when the user says no or nothing, and a
 * `ToolError` when this client cannot be asked; `call().client` says what it can do.
 */
export function ask<T>(key: string, question: Question<T>): T {
  return askAll({ [key]: question })[key] as T;
}

/** Asks several questions at once, each under its key, and gives their answers by key. */
export function askAll<const Q extends { readonly [key: string]: Question<unknown> }>(
  questions: Q,
): Answers<Q> {
  const current = round();
  const known = replies(current.answers, current.state);
  const open = Object.entries(questions).filter(([key, question]) => {
    if (!(question instanceof Question)) throw new Error(`\`${key}\` is no question: write \`form(…)\``);
    return !known.has(key);
  });
  if (open.length === 0) {
    const answers = Object.entries(questions).map(([key, question]): [string, unknown] => {
      return [key, question.answer(known.get(key) as wit.Reply)];
    });
    return Object.fromEntries(answers) as Answers<Q>;
  }
  const needed = new Set(open.map(([, question]) => question.needs));
  const lacking = [...needed].filter((ability: ClientAbility) => !call().client[ability]);
  if (lacking.length > 0)
    throw ToolError.missingAbility(lacking, "it asks the user or their model something");
  const asked = open.map(([key, question]) => ({ key, question: question.wit }));
  current.asked = {
    questions: [...(current.asked?.questions ?? []).filter((it) => !(it.key in questions)), ...asked],
    state: new TextEncoder().encode(JSON.stringify([...known])),
  };
  throw new Asking();
}

/** Those of the last round, and those before it, which `askAll` put into the state. */
function replies(answers: readonly wit.Answer[], state: Uint8Array | null): Map<string, wit.Reply> {
  const earlier =
    state === null ? [] : (JSON.parse(new TextDecoder().decode(state)) as [string, wit.Reply][]);
  return new Map([...earlier, ...answers.map(({ key, reply }): [string, wit.Reply] => [key, heard(reply)])]);
}

/** A reply without what JSON cannot keep: of a model's words, the text is all that anybody reads. */
function heard(reply: wit.Reply): wit.Reply {
  if (reply.tag !== "sampling") return reply;
  return {
    tag: "sampling",
    val: { ...reply.val, content: reply.val.content.filter((it) => it.tag === "text") },
  };
}
