import assert from "node:assert/strict";
import { test } from "node:test";

import { call, requires, ToolError, tool } from "../src/index.ts";
import { provider } from "../src/provider.ts";

const request = {
  callId: "c7",
  timeLeftMs: 5000,
  client: { elicitForm: true, elicitUrl: false, sampling: false, roots: false },
  answers: [],
  state: null,
  wantsProgress: true,
  wantsLog: "warning",
  principal: null,
  trace: { parent: "00-a-b-01", state: null },
  extensions: [],
};
const declare = (name, run, more = {}) => tool(name, { description: "…", output: {}, run, ...more });
const thrown = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
};

test("a component without a tool is none", () => {
  assert.throws(() => provider({ name: "empty", version: "0.1.0" }), /there is no tool/);
});

test("a component says what it is, in the interface's words", () => {
  declare("first", () => 1, { title: "First", hints: { destructive: false } });
  declare("second", () => "", { output: "content" });
  requires({ http: ["a.example:443"], client: ["roots"] });
  const description = provider({ name: "described", version: "1.2.3" }).describe();
  const descriptor = {
    name: "first",
    title: "First",
    description: "…",
    inputSchema: '{"type":"object","properties":{}}',
    output: { tag: "typed", val: "{}" },
    hints: { readOnly: null, destructive: false, idempotent: null, openWorld: null },
    ownContent: false,
    extensions: [],
  };
  assert.deepEqual(description, {
    name: "described",
    version: "1.2.3",
    requires: {
      http: ["a.example:443"],
      directories: [],
      environment: [],
      secrets: [],
      client: { elicitForm: false, elicitUrl: false, sampling: false, roots: true },
    },
    tools: [
      descriptor,
      {
        ...descriptor,
        name: "second",
        title: null,
        output: { tag: "content-only" },
        hints: { ...descriptor.hints, destructive: null },
      },
    ],
    extensions: [],
  });
});

test("a tool gets its arguments and the facts of the call", () => {
  declare("facts", ({ a }, facts) => ({
    a,
    id: facts.id,
    same: call() === facts,
    log: facts.wantsLog,
    trace: facts.trace.parent,
  }));
  const given = provider({ name: "p", version: "0" }).call("facts", '{"a":[1]}', request);
  assert.equal(given.tag, "value");
  assert.deepEqual(given.val.schema, { tag: "declared" });
  assert.deepEqual(JSON.parse(given.val.json), {
    a: [1],
    id: "c7",
    same: true,
    log: "warning",
    trace: "00-a-b-01",
  });
  assert.equal(call().id, "");
});

test("a tool error is for the model, with its kind", () => {
  const failures = {
    "tool-error": new ToolError("no"),
    "invalid-arguments": ToolError.invalidArguments("no"),
    "not-found": ToolError.notFound("no"),
  };
  for (const [kind, error] of Object.entries(failures)) {
    declare(`fails-${kind}`, () => {
      throw error;
    });
    const failure = thrown(() => provider({ name: "p", version: "0" }).call(`fails-${kind}`, "{}", request));
    assert.deepEqual(failure, { kind: { tag: kind }, message: "no" });
  }
  declare("needs", () => {
    throw ToolError.missingAbility(["sampling"], "a model is needed");
  });
  assert.deepEqual(
    thrown(() => provider({ name: "p", version: "0" }).call("needs", "{}", request)),
    {
      kind: {
        tag: "missing-client-ability",
        val: { elicitForm: false, elicitUrl: false, sampling: true, roots: false },
      },
      message: "a model is needed",
    },
  );
  assert.deepEqual(
    thrown(() => provider({ name: "p", version: "0" }).call("unknown", "{}", request)),
    {
      kind: { tag: "not-found" },
      message: "there is no tool `unknown`",
    },
  );
});

test("any other exception is for the log, with where it came from", () => {
  declare("breaks", function breaking() {
    throw new TypeError("secret detail", { cause: new Error("deeper") });
  });
  const failure = thrown(() => provider({ name: "p", version: "0" }).call("breaks", "{}", request));
  assert.deepEqual(failure.kind, { tag: "internal" });
  const lines = failure.message.split("\n");
  assert.equal(lines[0], "TypeError: secret detail");
  assert.match(lines[1], /^\s+at .*breaking/);
  assert.ok(lines.includes("caused by Error: deeper"));
  assert.ok(lines.length <= 18, failure.message);

  declare("throws", () => {
    throw "a string";
  });
  const odd = thrown(() => provider({ name: "p", version: "0" }).call("throws", "{}", request));
  assert.deepEqual(odd, { kind: { tag: "internal" }, message: "a string was thrown, which is no Error" });
});
