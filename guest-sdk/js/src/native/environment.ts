/** The environment outside of a component. */
const set = new Map<string, string>();

/** For tests to fill. */
export function variables(): Map<string, string> {
  return set;
}
