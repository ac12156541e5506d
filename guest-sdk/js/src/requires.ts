/** What a component needs from its host beyond running. */
import type { ClientAbility } from "./call.js";

export interface Requirements {
  /** Hosts that are spoken to over HTTP, as `host:port`. */
  readonly http?: readonly string[];
  /** Directories by the absolute path at which they are opened, and how they are used. */
  readonly directories?: { readonly [path: string]: "read-only" | "read-write" };
  /** Names of environment variables. */
  readonly environment?: readonly string[];
  /** Names of secrets. */
  readonly secrets?: readonly string[];
  /** What no call can do without. */
  readonly client?: readonly ClientAbility[];
}

const asked: Requirements[] = [];

/**
 * Says what the component needs from its host beyond running. What an operator has not granted stays
 * out of reach, whatever is written here. It may be called several times; the component then needs all.
 */
export function requires(needs: Requirements): void {
  asked.push(needs);
}

/** Everything that was asked for, each once and in order. */
export function required() {
  const once = (list: (needs: Requirements) => readonly string[] | undefined) =>
    [...new Set(asked.flatMap((needs) => list(needs) ?? []))].sort();
  const places = asked.flatMap((needs) => Object.entries(needs.directories ?? {}));
  const writes = new Set(places.filter(([, access]) => access === "read-write").map(([path]) => path));
  const paths = [...new Set(places.map(([path]) => path))].sort();
  return {
    http: once((needs) => needs.http),
    directories: paths.map((guestPath) => ({
      guestPath,
      access: writes.has(guestPath) ? ("read-write" as const) : ("read-only" as const),
    })),
    environment: once((needs) => needs.environment),
    secrets: once((needs) => needs.secrets),
    client: once((needs) => needs.client) as ClientAbility[],
  };
}
