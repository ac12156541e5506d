/** The words of the WIT package, as componentize-qjs puts them in JavaScript. */
type Tagged<Tag extends string, Val> = { readonly tag: Tag; readonly val: Val };

export interface Annotations {
  readonly audience: { readonly user: boolean; readonly assistant: boolean };
  readonly priority: number | null;
  readonly lastModified: string | null;
}

export interface Media {
  readonly data: Uint8Array;
  readonly mimeType: string;
  readonly annotations: Annotations | null;
}

export type ResourceBody = Tagged<"text", string> | Tagged<"bytes", Uint8Array>;

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string | null;
  readonly body: ResourceBody;
}

export type Content =
  | Tagged<"text", { readonly text: string; readonly annotations: Annotations | null }>
  | Tagged<"image", Media>
  | Tagged<"audio", Media>
  | Tagged<
      "link",
      {
        readonly uri: string;
        readonly name: string;
        readonly title: string | null;
        readonly description: string | null;
        readonly mimeType: string | null;
        readonly size: number | null;
        readonly annotations: Annotations | null;
      }
    >
  | Tagged<
      "embedded",
      {
        readonly contents: ResourceContents;
        readonly annotations: Annotations | null;
      }
    >;

export interface ClientAbilities {
  readonly elicitForm: boolean;
  readonly elicitUrl: boolean;
  readonly sampling: boolean;
  readonly roots: boolean;
}

export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export interface Request {
  readonly callId: string;
  readonly timeLeftMs: number;
  readonly client: ClientAbilities;
  readonly answers: readonly Answer[];
  readonly state: Uint8Array | null;
  readonly wantsProgress: boolean;
  readonly wantsLog: LogLevel | null;
  readonly principal: string | null;
  readonly trace: { readonly parent: string; readonly state: string | null } | null;
}

export interface Failure {
  readonly kind:
    | { readonly tag: "tool-error" | "invalid-arguments" | "not-found" | "internal" }
    | Tagged<"missing-client-ability", ClientAbilities>;
  readonly message: string;
}

export interface Requirements {
  readonly http: readonly string[];
  readonly directories: readonly {
    readonly guestPath: string;
    readonly access: "read-only" | "read-write";
  }[];
  readonly environment: readonly string[];
  readonly secrets: readonly string[];
  readonly client: ClientAbilities;
}

export interface Descriptor {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly inputSchema: string;
  readonly output: Tagged<"typed", string> | { readonly tag: "content-only" };
  readonly hints: {
    readonly readOnly: boolean | null;
    readonly destructive: boolean | null;
    readonly idempotent: boolean | null;
    readonly openWorld: boolean | null;
  };
  readonly ownContent: boolean;
  readonly extensions: readonly never[];
}

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly requires: Requirements;
  readonly tools: readonly Descriptor[];
  readonly extensions: readonly never[];
}

export interface TypedValue {
  readonly json: string;
  readonly schema: { readonly tag: "declared" } | Tagged<"exact", string>;
}

export type Outcome =
  | Tagged<"value", TypedValue>
  | Tagged<"content", readonly Content[]>
  | Tagged<
      "full",
      {
        readonly content: readonly Content[];
        readonly value: TypedValue | null;
        readonly meta: readonly { readonly key: string; readonly value: string }[];
        readonly isError: boolean;
      }
    >
  | AsksFirst;

export interface Message {
  readonly role: "user" | "assistant";
  readonly content: Content;
}

export type Question =
  | Tagged<"form", { readonly message: string; readonly schema: string }>
  | Tagged<"url", { readonly message: string; readonly url: string }>
  | Tagged<
      "sampling",
      {
        readonly messages: readonly Message[];
        readonly systemPrompt: string | null;
        readonly tokensMax: number;
        readonly temperature: number | null;
        readonly stopSequences: readonly string[];
        readonly modelHints: readonly string[];
      }
    >
  | { readonly tag: "roots" };

export interface InputRequired {
  readonly questions: readonly { readonly key: string; readonly question: Question }[];
  readonly state: Uint8Array | null;
}

/** The case of each outcome that asks. */
export type AsksFirst = Tagged<"input-required", InputRequired>;

export type UserReply = Tagged<"accepted", string | null> | { readonly tag: "declined" | "cancelled" };

export type Reply =
  | Tagged<"form" | "url", UserReply>
  | Tagged<
      "sampling",
      {
        readonly role: "user" | "assistant";
        readonly content: readonly Content[];
        readonly model: string;
        readonly stopReason: string | null;
      }
    >
  | Tagged<"roots", readonly { readonly uri: string; readonly name: string | null }[]>;

export interface Answer {
  readonly key: string;
  readonly reply: Reply;
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly annotations: null;
  readonly extensions: readonly never[];
}

export type ResourceEntry = Omit<ResourceTemplate, "uriTemplate"> & {
  readonly uri: string;
  readonly size: null;
};

export interface ResourceCatalog {
  readonly entries: readonly ResourceEntry[];
  readonly templates: readonly ResourceTemplate[];
}

export type ReadOutcome = Tagged<"contents", readonly ResourceContents[]> | AsksFirst;

export interface PromptParameter {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly required: boolean;
}

export interface Prompt {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly parameters: readonly PromptParameter[];
  readonly extensions: readonly never[];
}

export type PromptOutcome =
  | Tagged<"messages", { readonly description: null; readonly messages: readonly Message[] }>
  | AsksFirst;

export type Subject = Tagged<"prompt" | "resource-template", string>;

export interface Suggestions {
  readonly values: readonly string[];
  readonly total: number | null;
  readonly more: boolean;
  readonly extensions: readonly never[];
}
