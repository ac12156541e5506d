/** Prompts. */
import { ask, complete, content, form, message, prompt } from "@portcullis/guest";

import { PNG } from "./media.js";

prompt("test_simple_prompt", {
  title: "Simple",
  description: "A prompt without arguments.",
  get: () => "This is a simple prompt for testing.",
});

prompt("test_prompt_with_arguments", {
  description: "A prompt with two arguments.",
  arguments: {
    arg1: { description: "First test argument" },
    arg2: { description: "Second test argument" },
  },
  get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
});

prompt("test_prompt_with_embedded_resource", {
  description: "A prompt that holds a resource.",
  arguments: { resourceUri: { description: "URI of the resource to embed" } },
  get({ resourceUri }) {
    const text = "Embedded resource content for testing.";
    const resource = content.embedded(resourceUri, text, { mimeType: "text/plain" });
    return [message("user", resource), message("user", "Please process the embedded resource above.")];
  },
});

prompt("test_prompt_with_image", {
  description: "A prompt that holds an image.",
  get: () => [content.image(PNG, "image/png"), "Please analyze the image above."],
});

prompt("test_input_required_result_prompt", {
  description: "A prompt that asks first.",
  get() {
    const schema = {
      type: "object",
      properties: { context: { type: "string" } },
      required: ["context"],
    } as const;
    const { context } = ask("user_context", form("What context should the prompt use?", schema));
    return `Use this context: ${context}`;
  },
});

complete({ prompt: "test_prompt_with_arguments", argument: "arg1" }, (typed) =>
  ["paris", "park", "party"].filter((it) => it.startsWith(typed)),
);

complete({ prompt: "test_prompt_with_arguments", argument: "arg2" }, (typed, { arg1 = "" }) => [
  typed + arg1,
]);
