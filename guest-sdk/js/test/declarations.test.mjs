import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";

import { requires, tool } from "../src/index.ts";
import { describe } from "../src/testing.ts";

const good = { description: "…", output: { type: "string" }, run: () => "" };
const refused = (name, declaration, message) =>
  assert.throws(() => tool(name, { ...good, ...declaration }), { message: `tool \`${name}\`: ${message}` });

test("a wrong declaration is told by the tool's name", () => {
  refused("no spaces", {}, "a name has 1 to 64 of A-Z a-z 0-9 _ -");
  refused("x".repeat(65), {}, "a name has 1 to 64 of A-Z a-z 0-9 _ -");
  refused("t", { description: " " }, "write a `description`: it is all that a model knows of the tool");
  refused("t", { run: undefined }, "write a function `run`");
  refused("t", { run: async () => "" }, "`run` is async, but there is no event loop to wait in");
  refused(
    "t",
    { output: undefined },
    'write an `output`: a JSON Schema, or "content" if there is nothing to compute with',
  );
  refused("t", { output: "text" }, "`output` is not a JSON Schema");
  refused(
    "t",
    { output: "content", ownContent: true },
    "`ownContent` is for tools that have a typed value as well",
  );
  refused("t", { input: { type: "string" } }, '`input` is not a JSON Schema of type "object"');
  refused("t", { input: { city: { type: "string" } } }, '`input` is not a JSON Schema of type "object"');
  refused("t", { input: z.string() }, '`input` is not a JSON Schema of type "object"');
  refused(
    "t",
    { inputSchema: {} },
    "`inputSchema` says nothing about a tool; what does is title, description, input, output, hints, ownContent, run",
  );
  assert.deepEqual(describe().tools, []);
});

test("a name is taken whatever its case", () => {
  tool("Taken", good);
  refused("taken", {}, "the name is taken by another tool");
  refused("Taken", {}, "the name is taken by another tool");
});

test("schemas, title and hints are published as they were written", () => {
  const input = {
    type: "object",
    properties: { b: { type: "string" }, a: { type: "integer", default: 1 } },
    required: ["b"],
  };
  tool("whole", { ...good, title: "Whole", input, hints: { readOnly: true, openWorld: false } });
  assert.deepEqual(describe().tools.at(-1), {
    name: "whole",
    title: "Whole",
    description: "…",
    inputSchema: input,
    outputSchema: { type: "string" },
    hints: { readOnly: true, openWorld: false },
    ownContent: false,
  });
});

test("a library's schemas are published by what they accept and what they give", () => {
  tool("zod", {
    ...good,
    input: z.object({ days: z.number().default(3).describe("How many.") }),
    output: z.object({ sum: z.number() }),
  });
  const { inputSchema, outputSchema } = describe().tools.at(-1);
  assert.deepEqual(inputSchema, {
    type: "object",
    properties: { days: { default: 3, description: "How many.", type: "number" } },
  });
  assert.deepEqual(outputSchema, {
    type: "object",
    properties: { sum: { type: "number" } },
    required: ["sum"],
    additionalProperties: false,
  });
});

test("what is required in several places is required once, in order", () => {
  requires({
    http: ["b.example:443", "a.example:443"],
    directories: { "/data": "read-only" },
    client: ["sampling"],
  });
  requires({
    http: ["a.example:443"],
    directories: { "/data": "read-write", "/cache": "read-only" },
    environment: ["TZ"],
  });
  assert.deepEqual(describe().requires, {
    http: ["a.example:443", "b.example:443"],
    directories: [
      { guestPath: "/cache", access: "read-only" },
      { guestPath: "/data", access: "read-write" },
    ],
    environment: ["TZ"],
    secrets: [],
    client: ["sampling"],
  });
});
