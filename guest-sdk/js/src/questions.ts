/** What can be asked of a client in the middle of a call, and what comes back of it. */
import type { ClientAbility } from "./call.js";
import { Cancelled, Declined, ToolError } from "./errors.js";
import { type Messages, messages } from "./message.js";
import type { FromSchema, SchemaObject } from "./schema.js";
import { isStandard, jsonSchema, type Read, read, type StandardSchema } from "./standard.js";
import type * as wit from "./wit/types.js";

/** A question whose answer is a `T`; see `ask`. */
export class Question<T> {
  /** @internal */
  constructor(
    /** What the client must be able to do. */
    readonly needs: ClientAbility,
    readonly wit: wit.Question,
    /** The answer of what came back, or the error that says why there is none. */
    readonly answer: (reply: wit.Reply) => T,
  ) {}
}

/** A JSON Schema of an object whose properties are plain: text, numbers, booleans, names, lists of names. */
export type FormSchema = (SchemaObject & { readonly type: "object" }) | StandardSchema;

/** What is filled into a form. */
export type Filled<S> = S extends StandardSchema ? Read<S> : FromSchema<S>;

/**
 * A form that the user fills in; `message` says what is asked, and why. It must not ask for secrets: see
 * `url`.
 */
export function form<const S extends FormSchema>(message: string, schema: S): Question<Filled<S>> {
  const library = isStandard(schema) ? schema : undefined;
  const { additionalProperties: _, ...written } =
    library === undefined ? (schema as SchemaObject) : jsonSchema(library, "input");
  return new Question(
    "elicitForm",
    { tag: "form", val: { message, schema: JSON.stringify(written) } },
    (reply) => {
      const content: unknown = JSON.parse(accepted(reply) ?? "{}");
      return (library === undefined ? content : readBy(library, content)) as Filled<S>;
    },
  );
}

/** A page that the user is asked to open, for what does not belong in a form. An https URL. */
export function url(message: string, url: string): Question<void> {
  return new Question("elicitUrl", { tag: "url", val: { message, url } }, (reply) => void accepted(reply));
}

/** What a request for the client's model may say beside its messages. */
export interface SamplingOptions {
  /** The most tokens that may come. */
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  /** From 0 to 1. */
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Names of models, or parts of names, that would be right; the best first. */
  readonly models?: readonly string[];
}

/** What the client's model said. */
export interface Sampled {
  /** Its words, those of all blocks of text. */
  readonly text: string;
  /** Which model it was. */
  readonly model: string;
  /** Why it stopped. */
  readonly stopReason: string | undefined;
}

/** A request for the client's language model. */
export function sampling(said: Messages, options: SamplingOptions): Question<Sampled> {
  const { maxTokens, systemPrompt = null, temperature = null, stopSequences = [], models = [] } = options;
  const val = {
    messages: messages(said),
    systemPrompt,
    tokensMax: maxTokens,
    temperature,
    stopSequences,
    modelHints: models,
  };
  return new Question("sampling", { tag: "sampling", val }, (reply) => {
    if (reply.tag !== "sampling") return wrong("sampling");
    const { content, model, stopReason } = reply.val;
    const texts = content.flatMap((it) => (it.tag === "text" ? [it.val.text] : []));
    return { text: texts.join("\n"), model, stopReason: stopReason ?? undefined };
  });
}

/** A directory that the user works in: a `file:` URI, and a name for people. */
export interface Root {
  readonly uri: string;
  readonly name: string | undefined;
}

/** The directories that the user works in. */
export function roots(): Question<Root[]> {
  return new Question("roots", { tag: "roots" }, (reply) =>
    reply.tag === "roots"
      ? reply.val.map(({ uri, name }) => ({ uri, name: name ?? undefined }))
      : wrong("roots"),
  );
}

/** What a library refuses was not an argument, which a model could correct. */
function readBy(library: StandardSchema, content: unknown): unknown {
  try {
    return read(library, content);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(`what was filled in is not what was asked: ${error.message}`);
  }
}

function accepted(reply: wit.Reply): string | null {
  if (reply.tag !== "form" && reply.tag !== "url") return wrong("form or a URL");
  switch (reply.val.tag) {
    case "accepted":
      return reply.val.val;
    case "declined":
      throw new Declined("the user declined");
    case "cancelled":
      throw new Cancelled("the user did not answer");
  }
}

function wrong(what: string): never {
  throw new ToolError(`what came back is no answer to a ${what}`);
}
