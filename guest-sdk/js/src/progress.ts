/**
 * Notes on how far a call has come. What nobody wants, and what goes beyond the host's rate, is
 * dropped. Outside of a component, as in a test, notes go nowhere.
 */
import { report as send } from "#progress";

/** Reports that `done` of `total` is done; `done` must grow from note to note. */
export function report(done: number, total?: number, message?: string): void {
  send(done, total ?? null, message ?? null);
}
