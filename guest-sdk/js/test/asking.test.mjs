import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";

import { ask, askAll, Cancelled, Declined, form, message, roots, sampling, tool, url } from "../src/index.ts";
import { provider } from "../src/provider.ts";
import { accepted, callTool, cancelled, declined, rooted, sampled } from "../src/testing.ts";

const description = "…";
const who = form("Who?", { type: "object", properties: { name: { type: "string" } }, required: ["name"] });
const ann = accepted({ name: "Ann" });
const declare = (name, run) => tool(name, { description, output: {}, run });
const thrown = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
};

test("each question waits for the answer to the one before", () => {
  let runs = 0;
  declare("greet", () => {
    runs += 1;
    const { name } = ask("name", who);
    ask("sure", url("Sure?", "https://a.example/"));
    return `Hello, ${name}!`;
  });
  const schema = '{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}';
  assert.deepEqual(callTool("greet", {}, {}), {
    asks: { name: { tag: "form", val: { message: "Who?", schema } } },
  });
  assert.deepEqual(callTool("greet", {}, { name: ann }), {
    asks: { sure: { tag: "url", val: { message: "Sure?", url: "https://a.example/" } } },
  });
  assert.deepEqual(callTool("greet", {}, { name: ann, sure: accepted() }), { value: "Hello, Ann!" });
  assert.equal(runs, 3);
});

test("several are asked at once, and only those without an answer", () => {
  declare("several", () => {
    const said = askAll({ name: who, said: sampling("Hi", { maxTokens: 10 }), where: roots() });
    // What was answered once is there for `ask`, too.
    assert.deepEqual(ask("name", who), said.name);
    return [said.name.name, said.said.text, said.where[0].uri];
  });
  assert.deepEqual(Object.keys(callTool("several", {}, {}).asks), ["name", "said", "where"]);
  const some = { name: ann, where: rooted("file:///work") };
  assert.deepEqual(Object.keys(callTool("several", {}, some).asks), ["said"]);
  const all = { ...some, said: sampled("Hello") };
  assert.deepEqual(callTool("several", {}, all), { value: ["Ann", "Hello", "file:///work"] });
});

test("no `catch` swallows a question", () => {
  declare("swallows", () => {
    try {
      return ask("name", who).name;
    } catch {
      return "swallowed";
    }
  });
  declare("goes_on", () => {
    const said = ["one", "two"].map((key) => {
      try {
        return ask(key, who).name;
      } catch {
        return "swallowed";
      }
    });
    throw new Error(said.join());
  });
  assert.deepEqual(Object.keys(callTool("swallows", {}, {}).asks), ["name"]);
  assert.deepEqual(callTool("swallows", {}, { name: ann }), { value: "Ann" });
  assert.deepEqual(Object.keys(callTool("goes_on", {}, {}).asks), ["one", "two"]);
});

test("a user who declines and a client that cannot be asked are errors", () => {
  declare("asks", () => ask("name", who).name);
  declare("anyway", () => {
    try {
      return ask("name", who).name;
    } catch (error) {
      return error instanceof Declined || error instanceof Cancelled ? error.message : "another";
    }
  });
  for (const [reply, text] of [
    [declined, "the user declined"],
    [cancelled, "the user did not answer"],
  ]) {
    assert.throws(() => callTool("asks", {}, { name: reply }), { kind: "tool-error", message: text });
    assert.deepEqual(callTool("anyway", {}, { name: reply }), { value: text });
  }
  const refused = thrown(() => callTool("asks"));
  assert.deepEqual([refused.kind, refused.abilities], ["missing-client-ability", ["elicitForm"]]);
});

test("an answer is one to what was asked", () => {
  const message = "what came back is no answer to a form or a URL";
  assert.throws(() => callTool("asks", {}, { name: sampled("Ann") }), { kind: "tool-error", message });
  declare("no_question", () => ask("name", "Who?"));
  assert.throws(() => callTool("no_question", {}, {}), { message: "`name` is no question: write `form(…)`" });
});

test("a library's schema is a form, and reads the answer", () => {
  const when = z.object({ date: z.iso.date().transform((it) => new Date(it)), kind: z.enum(["a", "b"]) });
  declare("when", () => {
    const { date, kind } = ask("when", form("When?", when));
    return [date.getTime(), kind];
  });
  const { schema } = callTool("when", {}, {}).asks.when.val;
  assert.deepEqual(Object.keys(JSON.parse(schema)).sort(), ["properties", "required", "type"]);
  const answered = { when: accepted({ date: "1970-01-02", kind: "b" }) };
  assert.deepEqual(callTool("when", {}, answered), { value: [86_400_000, "b"] });
  const wrong = thrown(() => callTool("when", {}, { when: accepted({ date: "?", kind: "b" }) }));
  assert.equal(wrong.kind, "tool-error");
  assert.match(wrong.message, /^what was filled in is not what was asked: date: /);
});

test("what was answered comes back to the host, and from it, with the next round", () => {
  const request = {
    callId: "c7",
    timeLeftMs: 5000,
    client: { elicitForm: true, elicitUrl: true, sampling: true, roots: true },
    answers: [],
    state: null,
    wantsProgress: false,
    wantsLog: null,
    principal: null,
    trace: null,
    extensions: [],
  };
  declare("rounds", () => {
    const { text } = ask("said", sampling([message("user", "Hi"), "Go on"], { maxTokens: 3, models: ["m"] }));
    return `${text} ${ask("name", who).name}`;
  });
  const { call } = provider({ name: "p", version: "0" });
  const first = call("rounds", "{}", request);
  assert.equal(first.tag, "input-required");
  const text = (text) => ({ tag: "text", val: { text, annotations: null } });
  assert.deepEqual(first.val.questions[0].question, {
    tag: "sampling",
    val: {
      messages: [
        { role: "user", content: text("Hi") },
        { role: "user", content: text("Go on") },
      ],
      systemPrompt: null,
      tokensMax: 3,
      temperature: null,
      stopSequences: [],
      modelHints: ["m"],
    },
  });
  const image = { tag: "image", val: { data: Uint8Array.of(1), mimeType: "image/png", annotations: null } };
  const said = { role: "assistant", content: [text("é"), image, text("2")], model: "m", stopReason: null };
  const second = call("rounds", "{}", {
    ...request,
    answers: [{ key: "said", reply: { tag: "sampling", val: said } }],
    state: first.val.state,
  });
  assert.deepEqual(
    second.val.questions.map((it) => it.key),
    ["name"],
  );
  const done = call("rounds", "{}", {
    ...request,
    answers: [{ key: "name", reply: ann }],
    state: second.val.state,
  });
  assert.deepEqual(JSON.parse(done.val.json), "é\n2 Ann");
});
