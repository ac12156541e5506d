/** Results that are more, or less certain, than a value of the declared type. */
import type { Block } from "./content.js";
import type { SchemaObject } from "./schema.js";

/**
 * A JSON value that is promised to keep the contract, because it comes from somewhere else. It is not
 * checked here; the host checks every result, and a mismatch is a tool error that names the field.
 */
export class Dynamic {
  /** @internal */
  constructor(readonly write: () => string | undefined) {}
}

/** A value of which only the host can say whether it keeps the contract. */
export function dynamic(value: unknown): Dynamic {
  return new Dynamic(() => JSON.stringify(value));
}

/** The same as JSON text, which the host reads by itself: no digit of a large integer is lost. */
export function dynamicJson(text: string): Dynamic {
  return new Dynamic(() => text);
}

/** What a full result has beside its value. */
export interface Parts {
  /** For the app; never reaches the model. The host puts the component's own prefix before each key. */
  readonly meta?: { readonly [key: string]: unknown };
  /**
   * A JSON Schema for this one value that is narrower than the declared one, such as the columns that a
   * query turned out to have. The value is checked against both.
   */
  readonly exactSchema?: SchemaObject;
  /** Blocks of the tool's own; takes `ownContent: true`. Otherwise the host renders the value. */
  readonly content?: readonly (Block | string)[];
  /** The call ran, and what it says is that it failed. */
  readonly isError?: boolean;
}

/** A result of which the author controls every part. */
export class Full<T> {
  /** @internal */
  constructor(
    readonly value: T,
    readonly parts: Parts,
  ) {}
}

/** A value and what goes beside it. */
export function full<T>(value: T, parts: Parts): Full<T> {
  return new Full(value, parts);
}
