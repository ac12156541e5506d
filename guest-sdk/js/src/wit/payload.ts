/** What WIT calls the error of a result is thrown with an Error around it, or as it is. */
export function payload(thrown: unknown): unknown {
  return typeof thrown === "object" && thrown !== null && "payload" in thrown
    ? payload(thrown.payload)
    : thrown;
}
