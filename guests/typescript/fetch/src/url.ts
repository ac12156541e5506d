/** A reference as it stands in a redirect, made absolute. */
export function resolved(reference: string, base: string): string {
  const [, scheme = "", authority = "", path = ""] = /^(https?:)(\/\/[^/?#]*)([^?#]*)/i.exec(base) ?? [];
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference;
  if (reference.startsWith("//")) return scheme + reference;
  if (reference.startsWith("/")) return scheme + authority + reference;
  if (reference.startsWith("?")) return scheme + authority + (path || "/") + reference;
  return scheme + authority + (path.slice(0, path.lastIndexOf("/") + 1) || "/") + reference;
}
