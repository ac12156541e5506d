/** Files outside of a component: there are none. */
export interface Entry {
  readonly name: string;
  readonly type: string;
}

type Done<T> = { tag: "ok"; val: T } | { tag: "err"; val: string };

export interface Opened {
  read(): Done<Uint8Array>;
  write(bytes: Uint8Array): Done<void>;
  list(): Done<Entry[]>;
  make(): Done<void>;
  remove(): Done<void>;
}

export function opened(_path: string): Opened {
  const none = { tag: "err", val: "no-entry" } as const;
  return { read: () => none, write: () => none, list: () => none, make: () => none, remove: () => none };
}
