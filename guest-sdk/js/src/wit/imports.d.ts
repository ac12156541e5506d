// What a component can import, as far as this package does.

declare module "portcullis:guest/log@0.1.0" {
  export function write(level: string, logger: string | null, message: string): void;
}

declare module "portcullis:guest/progress@0.1.0" {
  export function report(done: number, total: number | null, message: string | null): void;
}

declare module "wasi:random/insecure@0.2.12" {
  export function getInsecureRandomU64(): number;
}
