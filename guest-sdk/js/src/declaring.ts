/** What all declarations have in common. */

const ASYNC: unknown = Object.getPrototypeOf(async () => {});

/** Runs a declaration; what is wrong with it is told with what it declares. */
export function declaring<T>(what: string, declare: () => T): T {
  try {
    return declare();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Sees to it that there is a function, and that it waits for nothing. */
export function synchronous(run: unknown, name: string): void {
  if (typeof run !== "function") fail(`write a function \`${name}\``);
  if (Object.getPrototypeOf(run) === ASYNC)
    fail(`\`${name}\` is async, but there is no event loop to wait in`);
}

/** What a function gave, and no promise of it. */
export function settled<T>(given: T, name: string): T {
  if (given instanceof Promise)
    throw new Error(`\`${name}\` returned a promise, and there is no event loop to wait in`);
  return given;
}

/** Sees to it that a name is one, and not taken. */
export function named(name: string, others: readonly { readonly name: string }[], what: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) fail("a name has 1 to 64 of A-Z a-z 0-9 _ -");
  if (others.some((it) => it.name.toLowerCase() === name.toLowerCase()))
    fail(`the name is taken by another ${what}`);
}

/** Sees to it that a declaration says nothing that is not known. */
export function known(declaration: object, keys: readonly string[], what: string): void {
  const unknown = Object.keys(declaration).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    fail(`\`${unknown}\` says nothing about a ${what}; what does is ${keys.join(", ")}`);
}

export function fail(message: string): never {
  throw new Error(message);
}
