/** Suggestions while a user types an argument of a prompt or a variable of a template. */
import type { Call } from "./call.js";
import { declaring, fail, settled, synchronous } from "./declaring.js";
import { completions } from "./registry.js";

/** Which argument is completed: of a prompt, by its name, or of a family of resources, by its template. */
export type Completed =
  | { readonly prompt: string; readonly argument: string }
  | { readonly template: string; readonly argument: string };

/**
 * Suggests values of one argument: what may be meant by what was typed, the best first. `settled` has the
 * arguments that have their values.
 */
export function complete(
  of: Completed,
  suggest: (typed: string, settled: Readonly<Record<string, string>>, call: Call) => readonly string[],
): void {
  const { argument } = of;
  const subject = "prompt" in of ? { prompt: of.prompt } : { template: of.template };
  declaring(`suggestions of \`${argument}\``, () => {
    synchronous(suggest, "suggest");
    const key = JSON.stringify([subject, argument]);
    if (completions.some((it) => JSON.stringify([it.subject, it.argument]) === key))
      fail("they are there already");
    completions.push({
      subject,
      argument,
      complete: (...asked) => settled(suggest(...asked), "suggest"),
    });
  });
}
