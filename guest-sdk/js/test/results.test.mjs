import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";

import { content, dynamic, dynamicJson, full, ToolError, tool } from "../src/index.ts";
import { callTool } from "../src/testing.ts";

let count = 0;
const run = (declaration, args) => {
  const name = `t${(count += 1)}`;
  tool(name, { description: "…", output: {}, ...declaration });
  return callTool(name, args);
};
const text = (text) => ({ tag: "text", val: { text, annotations: null } });

test("a value is JSON", () => {
  assert.deepEqual(run({ run: () => ({ a: [1, null, "x"], none: undefined }) }), {
    value: { a: [1, null, "x"] },
  });
  assert.deepEqual(run({ run: () => new Date(0) }), { value: "1970-01-01T00:00:00.000Z" });
});

test("defaults of arguments stand where an argument was left out", () => {
  const input = {
    type: "object",
    properties: { days: { type: "integer", default: 3 }, tags: { default: [] }, city: { type: "string" } },
  };
  assert.deepEqual(run({ input, run: (args) => args }, { city: "London" }).value, {
    city: "London",
    days: 3,
    tags: [],
  });
  assert.deepEqual(run({ input, run: (args) => args }, { days: 0 }).value, { days: 0, tags: [] });
});

test("a library reads the arguments, and what it refuses the model can correct", () => {
  const input = z.object({
    at: z.iso.datetime().transform((it) => new Date(it)),
    days: z.number().default(2),
  });
  const run_ = ({ at, days }) => at.getUTCFullYear() + days;
  assert.deepEqual(run({ input, run: run_ }, { at: "2026-01-01T00:00:00Z" }), { value: 2028 });
  assert.throws(() => run({ input, run: run_ }, { at: "soon" }), {
    kind: "invalid-arguments",
    message: "at: Invalid ISO datetime",
  });
});

test("numbers that JSON cannot say are told with their place", () => {
  const refused = (value, message) =>
    assert.throws(() => run({ run: () => value }), { name: "ToolError", message });
  refused(Number.NaN, "the result is NaN, which JSON cannot say");
  refused(
    { days: [{ low: 1 }, { low: -Infinity }] },
    "the result at days[1].low is -Infinity, which JSON cannot say",
  );
  refused([1, Infinity], "the result at [1] is Infinity, which JSON cannot say");
});

test("nothing, a promise and a BigInt are faults of the tool", () => {
  const fault = (value, message) =>
    assert.throws(
      () => run({ run: () => value }),
      (error) => !(error instanceof ToolError) && message.test(error.message),
    );
  fault(undefined, /returned nothing/);
  fault(Promise.resolve(1), /returned a promise/);
  fault(1n, /BigInt/);
});

test("dynamic values go as they are, large integers in text with every digit", () => {
  assert.deepEqual(run({ run: () => dynamic({ any: 1 }) }), { value: { any: 1 } });
  assert.deepEqual(run({ run: () => dynamicJson("[1, 2]") }), { value: [1, 2] });
});

test("a content-only tool gives text and blocks", () => {
  const given = (value) => run({ output: "content", run: () => value }).content;
  assert.deepEqual(given("plain"), [text("plain")]);
  assert.deepEqual(given(["a", content.text("b")]), [text("a"), text("b")]);
  assert.deepEqual(given(dynamic(["a", { b: 1 }])), [text("a"), text('{\n  "b": 1\n}')]);
  assert.throws(() => given(17), /returns text, blocks/);
});

test("each block has the interface's words", () => {
  const bytes = Uint8Array.of(1, 2);
  const blocks = [
    content.image(bytes, "image/png", { audience: ["user"], priority: 0.5 }),
    content.audio(bytes, "audio/wav", { lastModified: "2026-01-01T00:00:00Z" }),
    content.link("https://a.example/x", "x", { title: "X", sizeBytes: 4, audience: ["assistant"] }),
    content.embedded("https://a.example/t", "text", { mimeType: "text/plain" }),
    content.embedded("https://a.example/b", bytes),
  ];
  const annotations = (audience, priority, lastModified) => ({
    audience: { user: audience === "user", assistant: audience === "assistant" },
    priority,
    lastModified,
  });
  assert.deepEqual(run({ output: "content", run: () => blocks }).content, [
    {
      tag: "image",
      val: { data: bytes, mimeType: "image/png", annotations: annotations("user", 0.5, null) },
    },
    {
      tag: "audio",
      val: { data: bytes, mimeType: "audio/wav", annotations: annotations("", null, "2026-01-01T00:00:00Z") },
    },
    {
      tag: "link",
      val: {
        uri: "https://a.example/x",
        name: "x",
        title: "X",
        description: null,
        mimeType: null,
        size: 4,
        annotations: annotations("assistant", null, null),
      },
    },
    {
      tag: "embedded",
      val: {
        contents: { uri: "https://a.example/t", mimeType: "text/plain", body: { tag: "text", val: "text" } },
        annotations: null,
      },
    },
    {
      tag: "embedded",
      val: {
        contents: { uri: "https://a.example/b", mimeType: null, body: { tag: "bytes", val: bytes } },
        annotations: null,
      },
    },
  ]);
});

test("a full result has what goes beside its value", () => {
  const exactSchema = { type: "integer", maximum: 5 };
  assert.deepEqual(run({ run: () => full(3, { meta: { took: [1] }, exactSchema, isError: true }) }), {
    value: 3,
    exactSchema,
    content: [],
    meta: { took: [1] },
    isError: true,
  });
  assert.deepEqual(run({ ownContent: true, run: () => full(3, { content: ["three"] }) }).content, [
    text("three"),
  ]);
  assert.deepEqual(run({ output: "content", run: () => full("a", { content: ["b"] }) }), {
    content: [text("a"), text("b")],
    meta: {},
    isError: false,
  });
  assert.throws(() => run({ run: () => full(3, { content: ["three"] }) }), /write `ownContent: true`/);
});
