/**
 * Tests of tools as a host sees them, without one. A tool's `run` is a plain function, and most tests
 * call it as one. What a host adds is here: the published contract, and a call by name with arguments.
 * Neither checks anything against a schema; that is the host's part.
 */
import { type Call, during, NO_CALL } from "./call.js";
import { ToolError } from "./errors.js";
import { outcome } from "./outcome.js";
import { suggest } from "./provide/completion.js";
import { get } from "./provide/prompts.js";
import { read } from "./provide/resources.js";
import { required } from "./requires.js";
import type { Round } from "./round.js";
import { tools } from "./tool.js";
import type * as wit from "./wit/types.js";

/** What the component would say about itself, but for its name and version. */
export function describe() {
  return {
    requires: required(),
    tools: tools.map(({ name, title, description, input, output, hints, ownContent }) => ({
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      hints,
      ownContent,
    })),
  };
}

/** What a call gives; `value` and `exactSchema` are parsed. */
export interface Result {
  readonly value?: unknown;
  readonly exactSchema?: unknown;
  readonly content?: readonly wit.Content[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** What a client did with a question. */
export type Reply = wit.Reply;

/** What a client has answered so far, by the keys of the questions. */
export type Answers = { readonly [key: string]: Reply };

/** The user filled in a form so, or, without content, opened a URL. */
export function accepted(content?: Readonly<Record<string, unknown>>): Reply {
  const val = content === undefined ? null : JSON.stringify(content);
  return { tag: "form", val: { tag: "accepted", val } };
}

/** The user said no. */
export const declined: Reply = { tag: "form", val: { tag: "declined" } };

/** The user said nothing. */
export const cancelled: Reply = { tag: "form", val: { tag: "cancelled" } };

/** The client's model said this. */
export function sampled(text: string, model = "", stopReason: string | null = null): Reply {
  const content = [{ tag: "text", val: { text, annotations: null } }] as const;
  return { tag: "sampling", val: { role: "assistant", content, model, stopReason } };
}

/** The user works in these directories. */
export function rooted(...uris: readonly string[]): Reply {
  return { tag: "roots", val: uris.map((uri) => ({ uri, name: null })) };
}

/** What is asked first, each question by its key. */
export interface Asks {
  readonly asks: { readonly [key: string]: wit.Question };
}

/**
 * Calls a tool by its name; what it throws is thrown. With `answers`, the client can be asked anything,
 * and has answered this much; where the tool asks more, that is what it `asks`.
 */
export function callTool(
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  answers?: Answers,
): Result & Partial<Asks> {
  const tool = tools.find((it) => it.name === name);
  if (tool === undefined) throw ToolError.notFound(`there is no tool \`${name}\``);
  const input = tool.read(JSON.parse(JSON.stringify(args))) as never;
  const given = answering(answers, (call) => outcome(tool, tool.run(input, call)));
  if ("asks" in given) return given;
  switch (given.tag) {
    case "value":
      return typed(given.val);
    case "content":
      return { content: given.val };
    case "full": {
      const { value, content, meta, isError } = given.val;
      return {
        ...(value === null ? {} : typed(value)),
        content,
        meta: Object.fromEntries(meta.map(({ key, value }) => [key, JSON.parse(value)])),
        isError,
      };
    }
    case "input-required":
      throw new Error("nothing was asked");
  }
}

/** Reads the resource at a URI, or says what it asks first. */
export function readResource(uri: string, answers?: Answers): readonly wit.ResourceContents[] | Asks {
  return answering(answers, (call) => read(uri, call));
}

/** Fills in a prompt, or says what it asks first. */
export function getPrompt(
  name: string,
  args: Readonly<Record<string, string>> = {},
  answers?: Answers,
): readonly wit.Message[] | Asks {
  return answering(answers, (call) => get(name, args, call));
}

/** What is suggested for an argument of which `typed` is there. */
export function completeArgument(
  of: ({ readonly prompt: string } | { readonly template: string }) & { readonly argument: string },
  typed: string,
  settled: Readonly<Record<string, string>> = {},
): wit.Suggestions {
  const subject = "prompt" in of ? { prompt: of.prompt } : { template: of.template };
  return during(NO_CALL, () => suggest(subject, of.argument, typed, settled, NO_CALL));
}

function answering<T extends object>(answers: Answers | undefined, run: (call: Call) => T): T | Asks {
  const given = Object.entries(answers ?? {}).map(([key, reply]) => ({ key, reply }));
  const round: Round = { answers: given, state: null, asked: undefined };
  const can = answers !== undefined;
  const client = { elicitForm: can, elicitUrl: can, sampling: can, roots: can };
  const call = can ? { ...NO_CALL, client } : NO_CALL;
  try {
    const result = during(call, () => run(call), round);
    return asked(round) ?? result;
  } catch (thrown) {
    const first = asked(round);
    if (first === undefined) throw thrown;
    return first;
  }
}

function asked({ asked }: Round): Asks | undefined {
  if (asked === undefined) return undefined;
  return { asks: Object.fromEntries(asked.questions.map(({ key, question }) => [key, question])) };
}

function typed({ json, schema }: wit.TypedValue): Result {
  const value: unknown = JSON.parse(json);
  return schema.tag === "exact" ? { value, exactSchema: JSON.parse(schema.val) } : { value };
}
