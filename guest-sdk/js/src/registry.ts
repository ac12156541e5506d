/**
 * What a component has beside tools, as it was declared. Only the lists are here: what is done with them
 * is in a component that has something in them, and in no other.
 */
import type { Call } from "./call.js";
import type * as wit from "./wit/types.js";

export interface DeclaredResource {
  readonly name: string;
  /** A URI, or a template of URIs. */
  readonly uri: string;
  /** The names of the template's variables. */
  readonly variables: readonly string[];
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly mimeType: string | undefined;
  readonly read: (
    uri: string,
    values: Readonly<Record<string, string>>,
    call: Call,
  ) => wit.ResourceContents[];
}

export interface DeclaredPrompt {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly parameters: readonly wit.PromptParameter[];
  readonly get: (values: Readonly<Record<string, string>>, call: Call) => wit.Message[];
}

export interface DeclaredCompletion {
  readonly subject: { readonly prompt: string } | { readonly template: string };
  readonly argument: string;
  readonly complete: (
    typed: string,
    settled: Readonly<Record<string, string>>,
    call: Call,
  ) => readonly string[];
}

export const resources: DeclaredResource[] = [];
export const prompts: DeclaredPrompt[] = [];
export const completions: DeclaredCompletion[] = [];
