// Tools about words. Every call of `tool` is one: `input` is what it takes, `output` what it promises,
// and `run` is typed by both.

import { tool, ToolError } from "@portcullis/guest";

tool("count", {
  description: "Counts the words and characters of a text.",
  hints: { readOnly: true },
  input: {
    type: "object",
    properties: { text: { type: "string", description: "The text." } },
    required: ["text"],
  },
  output: {
    type: "object",
    properties: {
      words: { type: "integer", description: "Words, as spaces part them." },
      characters: { type: "integer", description: "Letters, digits and signs, spaces aside." },
    },
    required: ["words", "characters"],
  },
  run: ({ text }) => ({
    words: text.split(/\s+/u).filter((word) => word !== "").length,
    characters: [...text.replace(/\s/gu, "")].length,
  }),
});

tool("repeat", {
  description: "Repeats a text.",
  hints: { readOnly: true },
  input: {
    type: "object",
    properties: {
      text: { type: "string", description: "The text." },
      times: { type: "integer", description: "How often.", minimum: 1, maximum: 100, default: 2 },
    },
    required: ["text"],
  },
  output: { type: "string" },
  run: ({ text, times }) => {
    if (text === "") throw new ToolError("there is nothing to repeat; give a text");
    return Array.from({ length: times }, () => text).join(" ");
  },
});
