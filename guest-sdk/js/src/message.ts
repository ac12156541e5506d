/** Messages of prompts, and of conversations with a model. */
import { Block, text } from "./content.js";
import type * as wit from "./wit/types.js";

/** One message; `message` makes one. */
export class Message {
  /** @internal */
  constructor(readonly wit: wit.Message) {}
}

/** One message: who speaks, and what. */
export function message(role: "user" | "assistant", content: string | Block): Message {
  return new Message({ role, content: (typeof content === "string" ? text(content) : content).content });
}

/** What stands for messages; a text, or a block alone, is one of the user. */
export type Messages = string | Block | Message | readonly (string | Block | Message)[];

/** The messages that a value stands for. */
export function messages(value: unknown): wit.Message[] {
  if (Array.isArray(value)) return value.flatMap(messages);
  if (value instanceof Message) return [value.wit];
  if (typeof value === "string" || value instanceof Block) return [message("user", value).wit];
  throw new Error("no message was given: give text, a block, a `message(…)`, or a list of them");
}
