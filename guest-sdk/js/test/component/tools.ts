/** A tool for each thing that is another within a component than in a test. */
import {
  call,
  content,
  dynamicJson,
  full,
  log,
  progress,
  requires,
  ToolError,
  tool,
} from "../../src/index.js";
import { variable } from "../../src/environment.js";
import * as files from "../../src/files.js";
import { request } from "../../src/http.js";

declare const console: typeof import("../../src/globals/console.js").console;
declare const TextEncoder: typeof import("../../src/globals/text.js").TextEncoder;
declare const TextDecoder: typeof import("../../src/globals/text.js").TextDecoder;

requires({ http: ["127.0.0.1:8399"], directories: { "/data": "read-write" }, environment: ["GREETING"] });

const description = "…";
const any = {} as const;

tool("says", {
  description,
  output: "content",
  run() {
    console.log("printed", { a: 1 }, new TypeError("odd"));
    log.write("warning", "logged", "part");
    progress.report(1, 2, "half");
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
    return [
      content.text("a", { priority: 1 }),
      content.image(png, "image/png"),
      content.link("https://a.example/", "a"),
    ];
  },
});

tool("random", { description, output: { type: "number" }, run: () => Math.random() });

tool("text", {
  description,
  output: any,
  run() {
    const bytes = new TextEncoder().encode("a\u{10ffff}é\ud800€");
    return [
      [...bytes],
      new TextDecoder().decode(bytes),
      new TextDecoder().decode(Uint8Array.of(0x41, 0xff, 0xe2, 0x82)),
    ];
  },
});

tool("files", {
  description,
  output: any,
  run() {
    files.makeDirectory("/data/sub");
    files.writeFile("/data/sub/a.txt", "é".repeat(50_000));
    const length = files.readText("/data/sub/a.txt").length;
    const entries = files.list("/data/sub").map(({ name, type }) => [name, type]);
    files.removeFile("/data/sub/a.txt");
    return [length, entries, files.list("/data/sub")];
  },
});
tool("missing_file", { description, output: any, run: () => files.readText("/data/none") });
tool("foreign_file", { description, output: any, run: () => files.readText("/etc/passwd") });

tool("environment", {
  description,
  output: any,
  run: () => [variable("GREETING") ?? null, variable("HOME") ?? null],
});

tool("post", {
  description,
  output: any,
  run() {
    const answer = request("http://127.0.0.1:8399/echo?a=1", {
      headers: { "x-word": "wörd" },
      body: "é".repeat(5000),
    });
    return [answer.status, answer.header("X-Two"), answer.json()];
  },
});
tool("denied", { description, output: any, run: () => request("http://a.example/").status });

tool("facts", {
  description,
  output: any,
  run: (_, facts) => [facts === call(), facts.timeLimitMs > 0, typeof facts.id],
});
tool("large", { description, output: any, run: () => dynamicJson('{"id": 9007199254740993}') });
tool("exact", {
  description,
  output: { type: "array" },
  run: () => full([1], { exactSchema: { type: "array", items: { type: "integer" } }, meta: { took: 3 } }),
});
tool("not_found", {
  description,
  output: any,
  run() {
    throw ToolError.notFound("it is gone");
  },
});
tool("fault", {
  description,
  output: any,
  run: function faulty() {
    throw new RangeError("inner detail");
  },
});
