/** URI templates of level 1 (RFC 6570): `city://{name}`. */
import { fail } from "./declaring.js";

/** The names of a template's variables; none are in a URI. */
export function variablesOf(template: string): string[] {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  if (names.some((name) => !/^[A-Za-z0-9_]+$/.test(name)) || /[{}]/.test(template.replace(/\{[^{}]*\}/g, "")))
    fail("a variable of a `uri` is a plain name, such as `{id}`");
  if (new Set(names).size < names.length) fail("each variable of a `uri` has a name of its own");
  return names;
}

// A value holds what is unreserved or percent-encoded, and nothing else.
const VALUE = "((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)";

/** The values of the variables with which a template is `uri`. */
export function valuesOf(template: string, uri: string): Record<string, string> | undefined {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const pattern = template
    .split(/\{[^{}]*\}/)
    .map(literal)
    .join(VALUE);
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (found === null) return undefined;
  try {
    const values = found.slice(1).map(decodeURIComponent);
    return Object.fromEntries(variablesOf(template).map((name, at) => [name, values[at] as string]));
  } catch {
    // No UTF-8.
    return undefined;
  }
}
