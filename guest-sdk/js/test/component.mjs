/**
 * Builds test/component, and calls its tools in a host: `node test/component.mjs PORTCULLIS`.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "../build/build.mjs";

const [portcullis] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), "portcullis-component-"));
const project = fileURLToPath(new URL("component", import.meta.url));

const server = createServer(async (request, response) => {
  let length = 0;
  for await (const chunk of request) length += chunk.length;
  const { method, url, headers } = request;
  const word = Buffer.from(headers["x-word"] ?? "", "latin1").toString();
  response.writeHead(207, { "x-two": ["a", "b"] }).end(JSON.stringify({ method, url, word, length }));
});

try {
  const { component, imports } = await build(project, "tools.ts");
  assert.ok(
    !imports.some((it) => it.startsWith("wasi:random/random")),
    "no import may take a grant that nobody asked for",
  );
  writeFileSync(join(home, "component.wasm"), component);
  mkdirSync(join(home, "data"));
  mkdirSync(join(home, "other"));
  writeFileSync(
    join(home, "portcullis.toml"),
    `[components.component]
path = "component.wasm"
[components.component.grants]
http = ["127.0.0.1:8399"]
dirs = [{ host = "data", guest = "/data", access = "rw" }]
env.GREETING = "hello"
`,
  );
  // `call` takes a path beside the config's components.
  writeFileSync(join(home, "other/other.wasm"), (await build(project, "other.ts")).component);
  await new Promise((resolve) => server.listen(8399, "127.0.0.1", resolve));

  const value = async (name) => {
    const { result, log } = await call(name);
    assert.equal(result.isError, false, `${name}: ${result.content[0]?.text}\n${log}`);
    return result.structuredContent?.result ?? result.structuredContent;
  };
  const failure = async (name) => {
    const { result, log } = await call(name);
    assert.equal(result.isError, true, name);
    return { text: result.content[0].text, log };
  };

  const said = await call("says");
  assert.deepEqual(
    said.result.content.map((it) => it.type),
    ["text", "image", "resource_link"],
  );
  assert.match(said.log, /info: printed \{"a":1\} TypeError: odd/);
  assert.match(said.log, /warning: part: logged/);
  assert.notEqual(await value("random"), await value("random"));
  assert.deepEqual(await value("text"), [
    [...new TextEncoder().encode("a\u{10ffff}é\ud800€")],
    "a\u{10ffff}é\ufffd€",
    "A\ufffd\ufffd",
  ]);
  assert.deepEqual(await value("files"), [50_000, [["a.txt", "regular-file"]], []]);
  assert.match((await failure("missing_file")).text, /`\/data\/none`: no entry/);
  assert.match((await failure("foreign_file")).text, /`\/etc\/passwd`: no entry/);
  assert.deepEqual(await value("environment"), ["hello", null]);
  assert.deepEqual(await value("post"), [
    207,
    "a, b",
    { method: "POST", url: "/echo?a=1", word: "wörd", length: 10_000 },
  ]);
  assert.match((await failure("denied")).text, /a\.example gave no answer: HTTP request denied.*not granted/);
  assert.deepEqual(await value("facts"), [true, true, "string"]);
  assert.match((await call("large")).stdout, /9007199254740993/);
  assert.deepEqual(await value("exact"), [1]);
  assert.match((await failure("not_found")).text, /it is gone$/);
  const fault = await failure("fault");
  assert.doesNotMatch(fault.text, /inner detail/);
  assert.match(fault.log, /RangeError: inner detail.*at faulty/);

  for (const [entry, message] of [
    ["wrong.ts", /^tool `same`: the name is taken by another tool/],
    ["nothing.ts", /^there is no tool/],
    ["unresolved.ts", /unresolved\.ts:2: Could not resolve "\.\/none\.js"/],
  ]) {
    await assert.rejects(build(project, entry), { message }, entry);
  }
  console.log("a component does what its tests say");
} finally {
  server.close();
  rmSync(home, { recursive: true });
}

function call(name) {
  const config = join(home, "portcullis.toml");
  const child = spawn(portcullis, [
    "call",
    join(home, "other"),
    name,
    "--json",
    "--config",
    config,
    "--log",
    "info",
  ]);
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"])
    child[stream].setEncoding("utf8").on("data", (text) => (output[stream] += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", () => {
      try {
        resolve({ result: JSON.parse(output.stdout), stdout: output.stdout, log: output.stderr });
      } catch {
        reject(new Error(`${name}: ${output.stdout}${output.stderr}`));
      }
    });
  });
}
