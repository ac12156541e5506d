/** The declaration of a prompt: messages that a user picks to start from. */
import type { Call } from "./call.js";
import { declaring, known, named, settled, synchronous } from "./declaring.js";
import { type Messages, messages } from "./message.js";
import { prompts } from "./registry.js";

/** What a prompt's argument is for; its value is a text. */
export interface PromptArgument {
  /** A name for people. */
  readonly title?: string;
  readonly description?: string;
  /** It may be left out. */
  readonly optional?: boolean;
}

type Named = { readonly [name: string]: PromptArgument };

/** The arguments of a prompt, each by its name. */
export type Given<A> = {
  readonly [K in keyof A]: A[K] extends { readonly optional: true } ? string | undefined : string;
};

export interface PromptDeclaration<A extends Named> {
  /** A name for people. */
  readonly title?: string;
  readonly description?: string;
  /** Left out, there are none. */
  readonly arguments?: A;
  /** Gives the messages. */
  readonly get: (args: Given<A>, call: Call) => Messages;
}

const KEYS = ["title", "description", "arguments", "get"];

/** Declares a prompt of this component. */
export function prompt<const A extends Named = {}>(name: string, declaration: PromptDeclaration<A>): void {
  declaring(`prompt \`${name}\``, () => {
    const { title, description, arguments: args = {}, get } = declaration;
    known(declaration, KEYS, "prompt");
    named(name, prompts, "prompt");
    synchronous(get, "get");
    prompts.push({
      name,
      title,
      description,
      parameters: Object.entries(args as Named).map(([name, it]) => {
        known(it, ["title", "description", "optional"], "prompt's argument");
        const { title = null, description = null, optional = false } = it;
        return { name, title, description, required: !optional };
      }),
      get: (values, call) => messages(settled(get(values as Given<A>, call), "get")),
    });
  });
}
