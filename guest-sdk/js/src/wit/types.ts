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
        readonly contents: {
          readonly uri: string;
          readonly mimeType: string | null;
          readonly body: ResourceBody;
        };
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
    >;
