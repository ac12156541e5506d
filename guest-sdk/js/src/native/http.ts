/** HTTP outside of a component: there is none. */
import type { Incoming, Outgoing } from "../http.js";

type Exchanged =
  { readonly tag: "ok"; readonly val: Incoming } | { readonly tag: "err"; readonly val: string };

export function exchange(_outgoing: Outgoing): Exchanged {
  return { tag: "err", val: "requests are sent only by a component" };
}
