/**
 * Environment variables that the component is granted, secrets among them. Outside of a component, as
 * in a test, there are none but those that the test sets.
 */
import { variables } from "#environment";

/** A variable's value, where it is granted. To be asked during a call. */
export function variable(name: string): string | undefined {
  return variables().get(name);
}
