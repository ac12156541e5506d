// What a component can import, as far as this package does.

declare module "portcullis:guest/log@0.1.0" {
  export function write(level: string, logger: string | null, message: string): void;
}

declare module "portcullis:guest/progress@0.1.0" {
  export function report(done: number, total: number | null, message: string | null): void;
}

declare module "portcullis:guest/changed@0.1.0" {
  export function toolList(): void;
  export function resourceList(): void;
  export function promptList(): void;
  export function resourceContents(uri: string): void;
}

declare module "wasi:random/insecure@0.2.12" {
  export function getInsecureRandomU64(): number;
}

declare module "wasi:http/outgoing-handler@0.2.6" {
  import type { FutureIncomingResponse, OutgoingRequest } from "wasi:http/types@0.2.6";
  export function handle(request: OutgoingRequest, options: null): FutureIncomingResponse;
}

declare module "wasi:http/types@0.2.6" {
  type Case = { readonly tag: string; readonly val?: unknown };
  type Entries = readonly (readonly [string, Uint8Array])[];
  // What WIT calls a result is returned, or thrown.
  type Settled<T> = { readonly tag: "ok"; readonly val: T } | { readonly tag: "err"; readonly val: unknown };
  interface Resource {
    [Symbol.dispose](): void;
  }
  export class Fields {
    static fromList(entries: Entries): Fields;
    entries(): Entries;
  }
  export class OutgoingRequest {
    constructor(headers: Fields);
    body(): OutgoingBody;
    setMethod(method: Case): void;
    setScheme(scheme: Case): void;
    setAuthority(authority: string): void;
    setPathWithQuery(pathWithQuery: string): void;
  }
  export class OutgoingBody {
    write(): Resource & { blockingWriteAndFlush(bytes: Uint8Array): void };
    static finish(body: OutgoingBody, trailers: null): void;
  }
  export interface FutureIncomingResponse {
    subscribe(): Resource & { block(): void };
    get(): Settled<Settled<IncomingResponse>> | null;
  }
  export interface IncomingResponse {
    status(): number;
    headers(): Fields;
    consume(): IncomingBody;
  }
  export interface IncomingBody {
    stream(): { blockingRead(bytesMax: number): Uint8Array };
  }
}

declare module "wasi:cli/environment@0.2.12" {
  export function getEnvironment(): [string, string][];
}

declare module "wasi:filesystem/preopens@0.2.6" {
  import type { Descriptor } from "wasi:filesystem/types@0.2.6";
  export function getDirectories(): [Descriptor, string][];
}

declare module "wasi:filesystem/types@0.2.6" {
  type Flags = object;
  export interface Descriptor {
    read(length: number, offset: number): [Uint8Array, boolean];
    write(bytes: Uint8Array, offset: number): number;
    readDirectory(): { readDirectoryEntry(): { readonly type: string; readonly name: string } | null };
    createDirectoryAt(path: string): void;
    openAt(pathFlags: Flags, path: string, openFlags: Flags, flags: Flags): Descriptor;
    unlinkFileAt(path: string): void;
  }
}
