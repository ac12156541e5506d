import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, complete, content, form, message, prompt, resource } from "../src/index.ts";
import { provided as providedCompletion } from "../src/provide/completion.ts";
import { provided as providedPrompts } from "../src/provide/prompts.ts";
import { provided as providedResources } from "../src/provide/resources.ts";
import { accepted, completeArgument, getPrompt, readResource } from "../src/testing.ts";

const who = form("Who?", { type: "object", properties: { name: { type: "string" } }, required: ["name"] });
const text = (text) => ({ tag: "text", val: { text, annotations: null } });
const user = (text_) => ({ role: "user", content: text(text_) });

test("a resource is read at its URI", () => {
  resource("today", {
    uri: "notes://today",
    title: "Today",
    description: "What is to be done.",
    mimeType: "text/plain",
    read: () => "Nothing.",
  });
  resource("raw", { uri: "notes://raw", read: () => Uint8Array.of(0) });
  resource("several", {
    uri: "notes://several",
    read: () => [content.embedded("notes://several/1", "one"), content.embedded("notes://several/2", "two")],
  });
  const body = (val) => ({ tag: "text", val });
  assert.deepEqual(readResource("notes://today"), [
    { uri: "notes://today", mimeType: "text/plain", body: body("Nothing.") },
  ]);
  assert.deepEqual(readResource("notes://raw"), [
    { uri: "notes://raw", mimeType: null, body: { tag: "bytes", val: Uint8Array.of(0) } },
  ]);
  assert.deepEqual(
    readResource("notes://several").map((it) => [it.uri, it.body.val]),
    [
      ["notes://several/1", "one"],
      ["notes://several/2", "two"],
    ],
  );
  assert.throws(() => readResource("notes://other"), { kind: "not-found" });
  const said = { title: null, description: null, mimeType: null, annotations: null, extensions: [] };
  assert.deepEqual(providedResources().describe().entries.slice(0, 2), [
    {
      ...said,
      uri: "notes://today",
      name: "today",
      title: "Today",
      description: "What is to be done.",
      mimeType: "text/plain",
      size: null,
    },
    { ...said, uri: "notes://raw", name: "raw", size: null },
  ]);
});

test("a template gives the values that were put in", () => {
  resource("data", { uri: "a://{x}/data", read: ({ x }) => x });
  resource("two", { uri: "b://{x}/{y}.json", read: ({ x, y }) => `${x} ${y}` });
  const body = (uri) => readResource(uri)[0].body.val;
  // RFC 6570, 3.2.2, examples: {var}, {hello} and {half}.
  assert.equal(body("a://value/data"), "value");
  assert.equal(body("a://Hello%20World%21/data"), "Hello World!");
  assert.equal(body("a://50%25/data"), "50%");
  assert.equal(body("b://1/b.c.json"), "1 b.c");
  for (const uri of ["a:///data", "a://1/2/data", "a://1/data/", "a://%zz/data", "a://%ff/data"])
    assert.throws(() => readResource(uri), { kind: "not-found" }, uri);
});

test("a wrong declaration is told by what it declares", () => {
  const read = () => "";
  for (const [declaration, why] of [
    [{ uri: "a://{+id}", read }, "a variable of a `uri` is a plain name, such as `{id}`"],
    [{ uri: "a://{id", read }, "a variable of a `uri` is a plain name, such as `{id}`"],
    [{ uri: "a://{id}/{id}", read }, "each variable of a `uri` has a name of its own"],
    [{ uri: "notes://today", read }, "`notes://today` is there already"],
    [{ read }, "write a `uri`"],
    [{ uri: "a://b", read: async () => "" }, "`read` is async, but there is no event loop to wait in"],
    [
      { uri: "a://b", run: read },
      "`run` says nothing about a resource; what does is uri, title, description, mimeType, read",
    ],
  ])
    assert.throws(() => resource("x", declaration), { message: `resource \`x\`: ${why}` });
  const get = () => "";
  prompt("taken", { get });
  assert.throws(() => prompt("Taken", { get }), {
    message: "prompt `Taken`: the name is taken by another prompt",
  });
  assert.throws(() => prompt("x", { get, arguments: { a: { required: true } } }), {
    message:
      "prompt `x`: `required` says nothing about a prompt's argument; what does is title, description, optional",
  });
});

test("a prompt is filled in", () => {
  prompt("greet", {
    title: "Greeting",
    description: "Greets.",
    arguments: { name: { description: "Whom." }, greeting: { optional: true } },
    get: ({ name, greeting = "Hello" }) => `${greeting}, ${name}!`,
  });
  const image = content.image(Uint8Array.of(1), "image/png");
  prompt("all", { get: () => ["one", image, message("assistant", "two"), message("user", image)] });
  prompt("number", { get: () => 1 });
  assert.deepEqual(getPrompt("greet", { name: "Ann" }), [user("Hello, Ann!")]);
  assert.deepEqual(getPrompt("all"), [
    user("one"),
    { role: "user", content: image.content },
    { role: "assistant", content: text("two") },
    { role: "user", content: image.content },
  ]);
  assert.throws(() => getPrompt("number"), { message: /^no message was given: / });
  assert.throws(() => getPrompt("greet"), {
    kind: "invalid-arguments",
    message: "the argument `name` is missing",
  });
  assert.throws(() => getPrompt("nope"), { kind: "not-found" });
  assert.deepEqual(
    providedPrompts()
      .describe()
      .find((it) => it.name === "greet"),
    {
      name: "greet",
      title: "Greeting",
      description: "Greets.",
      parameters: [
        { name: "name", title: null, description: "Whom.", required: true },
        { name: "greeting", title: null, description: null, required: false },
      ],
      extensions: [],
    },
  );
});

test("resources and prompts ask as tools do", () => {
  resource("mine", { uri: "notes://mine", read: () => ask("who", who).name });
  prompt("asks", { get: () => ask("who", who).name });
  const ann = { who: accepted({ name: "Ann" }) };
  for (const run of [() => readResource("notes://mine"), () => getPrompt("asks")])
    assert.throws(run, { kind: "missing-client-ability" });
  for (const asked of [readResource("notes://mine", {}), getPrompt("asks", {}, {})])
    assert.deepEqual(Object.keys(asked.asks), ["who"]);
  assert.equal(readResource("notes://mine", ann)[0].body.val, "Ann");
  assert.deepEqual(getPrompt("asks", {}, ann), [user("Ann")]);
});

test("values are suggested", () => {
  const names = ["de", "en", "es"];
  complete({ prompt: "greet", argument: "greeting" }, (typed) => names.filter((it) => it.startsWith(typed)));
  complete({ prompt: "greet", argument: "name" }, (typed, { greeting }) => [`${greeting}-${typed}`]);
  complete({ template: "a://{x}/data", argument: "x" }, () =>
    Array.from({ length: 150 }, (_, at) => `${at}`),
  );
  providedCompletion();
  assert.deepEqual(completeArgument({ prompt: "greet", argument: "greeting" }, "e").values, ["en", "es"]);
  const named = completeArgument({ prompt: "greet", argument: "name" }, "x", { greeting: "de" });
  assert.deepEqual(named.values, ["de-x"]);
  // MCP, completion: at most 100 values.
  const many = completeArgument({ template: "a://{x}/data", argument: "x" }, "");
  assert.deepEqual([many.values.length, many.total, many.more], [100, 150, true]);
  assert.deepEqual(completeArgument({ prompt: "greet", argument: "other" }, "").values, []);
  assert.throws(() => complete({ prompt: "greet", argument: "name" }, () => []), {
    message: "suggestions of `name`: they are there already",
  });
  complete({ prompt: "nope", argument: "x" }, () => []);
  assert.throws(providedCompletion, {
    message: "suggestions of `x`: there is no prompt `nope` with such an argument",
  });
});
