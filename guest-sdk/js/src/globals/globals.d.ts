// The globals that a component has beyond ECMAScript's, for projects without the DOM's types:
// `"types": ["@portcullis/guest/globals"]` in tsconfig.json.

declare const console: typeof import("./console.js").console;
declare const TextEncoder: typeof import("./text.js").TextEncoder;
declare const TextDecoder: typeof import("./text.js").TextDecoder;
declare function atob(text: string): string;
declare function btoa(binary: string): string;
