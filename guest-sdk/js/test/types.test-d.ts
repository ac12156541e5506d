/** What tsc must infer, and what it must refuse. Nothing here runs. */
import { z } from "zod";

import {
  ask,
  askAll,
  content,
  dynamic,
  form,
  type FromSchema,
  full,
  prompt,
  resource,
  type Root,
  roots,
  type Sampled,
  sampling,
  tool,
  url,
} from "../src/index.js";
import type { Arguments } from "../src/schema.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(..._: Same<A, B> extends true ? [] : ["the types differ"]): void;
declare function schema<const S>(schema: S): S;

const scalars = schema({
  type: "object",
  properties: {
    s: { type: "string" },
    n: { type: "number" },
    i: { type: "integer" },
    b: { type: "boolean" },
    z: { type: "null" },
    any: {},
    optional: { type: "string" },
    nullable: { type: ["string", "null"] },
  },
  required: ["s", "n", "i", "b", "z", "any", "nullable"],
});
same<
  FromSchema<typeof scalars>,
  {
    s: string;
    n: number;
    i: number;
    b: boolean;
    z: null;
    any: unknown;
    nullable: string | null;
    optional?: string | undefined;
  }
>();

const choices = schema({
  type: "object",
  properties: {
    unit: { enum: ["celsius", "kelvin", 7, null] },
    one: { const: "one" },
    either: { anyOf: [{ type: "string" }, { type: "array", items: { type: "number" } }] },
    other: { oneOf: [{ const: true }, { type: "integer" }] },
    both: {
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "number" } } },
      ],
    },
  },
  required: ["unit", "one", "either", "other", "both"],
});
same<FromSchema<typeof choices>["unit"], "celsius" | "kelvin" | 7 | null>();
same<FromSchema<typeof choices>["one"], "one">();
same<FromSchema<typeof choices>["either"], string | number[]>();
same<FromSchema<typeof choices>["other"], number | true>();
same<FromSchema<typeof choices>["both"], { a: string } & { b?: number | undefined }>();

const collections = schema({
  $defs: {
    point: {
      type: "object",
      properties: { x: { type: "number" }, next: { $ref: "#/$defs/point" } },
      required: ["x"],
    },
  },
  type: "object",
  properties: {
    list: { type: "array", items: { $ref: "#/$defs/point" } },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    loose: { type: "array" },
    map: { type: "object", additionalProperties: { type: "boolean" } },
    record: { type: "object" },
  },
  required: ["list", "pair", "loose", "map", "record"],
});
type Collections = FromSchema<typeof collections>;
same<Collections["list"][number]["x"], number>();
same<NonNullable<NonNullable<Collections["list"][number]["next"]>["next"]>["x"], number>();
same<Collections["pair"], [string, number]>();
same<Collections["loose"], unknown[]>();
same<Collections["map"], { [name: string]: boolean }>();
same<Collections["record"], { [name: string]: unknown }>();
same<FromSchema<true>, unknown>();
same<FromSchema<false>, never>();

const defaults = schema({
  type: "object",
  properties: { days: { type: "integer", default: 3 }, city: { type: "string" } },
});
same<Arguments<typeof defaults>, { days: number; city?: string | undefined }>();

const weather = {
  type: "object",
  properties: { celsius: { type: "number" } },
  required: ["celsius"],
} as const;
const input = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const description = "…";

tool("right", {
  description,
  input,
  output: weather,
  run({ city }, call) {
    same<typeof city, string>();
    same<typeof call.id, string>();
    return { celsius: city.length };
  },
});
tool("no_input", { description, output: { type: "null" }, run: () => null });
tool("certain", { description, output: weather, run: () => full({ celsius: 1 }, { meta: { a: 1 } }) });
tool("uncertain", { description, output: weather, run: () => dynamic({ kelvin: 1 }) });
tool("both", { description, output: weather, run: () => full(dynamic({}), { isError: true }) });
tool("read", { description, output: "content", run: () => ["text", content.text("block")] });
tool("either", { description, output: { enum: ["a", "b"] }, run: () => (Math.random() < 0.5 ? "a" : "b") });

// @ts-expect-error a field of another type
tool("wrong", { description, output: weather, run: () => ({ celsius: "warm" }) });
// @ts-expect-error a field is missing
tool("wrong", { description, output: weather, run: () => ({}) });
// @ts-expect-error not one of the enum
tool("wrong", { description, output: { enum: ["a", "b"] }, run: () => "c" });
// @ts-expect-error async
tool("wrong", { description, output: weather, run: async () => ({ celsius: 1 }) });
// @ts-expect-error a value where there is only content
tool("wrong", { description, output: "content", run: () => 17 });
// @ts-expect-error a full result of another type
tool("wrong", { description, output: weather, run: () => full({ celsius: "warm" }, {}) });
// @ts-expect-error no description
tool("wrong", { output: weather, run: () => ({ celsius: 1 }) });
// @ts-expect-error no output
tool("wrong", { description, run: () => ({ celsius: 1 }) });
// @ts-expect-error arguments that are no object
tool("wrong", { description, input: { type: "string" }, output: weather, run: () => ({ celsius: 1 }) });
// @ts-expect-error no such argument
tool("wrong", { description, input, output: weather, run: ({ town }) => ({ celsius: town }) });
// @ts-expect-error no JSON Schema type
tool("wrong", { description, output: { type: "float" }, run: () => 1 });

tool("library", {
  description,
  input: z.object({
    city: z.string(),
    days: z.number().default(3),
    at: z.string().transform((it) => new Date(it)),
  }),
  output: z.object({ celsius: z.number(), note: z.string().optional() }),
  run(args) {
    same<typeof args, { city: string; days: number; at: Date }>();
    return { celsius: args.days };
  },
});
tool("library", {
  description,
  output: z.object({ celsius: z.number() }),
  // @ts-expect-error a field of another type
  run: () => ({ celsius: "warm" }),
});

const order = form("How many?", {
  type: "object",
  properties: { count: { type: "integer" }, size: { enum: ["small", "large"] } },
  required: ["count"],
});
const ordered = ask("order", order);
same<typeof ordered, { count: number; size?: "small" | "large" | undefined }>();
const visited = ask("visit", url("Sure?", "https://a.example/"));
same<typeof visited, void>();
const dated = ask("when", form("When?", z.object({ date: z.string().transform((it) => new Date(it)) })));
same<typeof dated, { date: Date }>();
const several = askAll({ order, said: sampling("Hi", { maxTokens: 10 }), where: roots() });
same<(typeof several)["order"]["count"], number>();
same<(typeof several)["said"], Sampled>();
same<(typeof several)["where"], Root[]>();
// @ts-expect-error no question
ask("order", "How many?");
// @ts-expect-error a form that is no object
form("How many?", { type: "integer" });
// @ts-expect-error the most tokens are not optional
sampling("Hi", {});

resource("right", {
  uri: "a://{x}/{y}",
  read({ x, y }, call) {
    same<typeof x, string>();
    same<typeof call.id, string>();
    return x + y;
  },
});
// @ts-expect-error no such variable
resource("wrong", { uri: "a://{x}", read: ({ y }) => y });
// @ts-expect-error no contents
resource("wrong", { uri: "a://x", read: () => 1 });

prompt("right", {
  arguments: { language: {}, tone: { optional: true } },
  get({ language, tone }) {
    same<typeof language, string>();
    same<typeof tone, string | undefined>();
    return language;
  },
});
// @ts-expect-error no such argument
prompt("wrong", { arguments: { language: {} }, get: ({ tone }) => tone });
// @ts-expect-error no messages
prompt("wrong", { get: () => 1 });
