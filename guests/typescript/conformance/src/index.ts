/**
 * What the official conformance suite of MCP expects of a server beside plain tools: questions and
 * announcements, as guests/rust/conformance has them.
 */
import { ask, askAll, call, changed, form, roots, sampling, tool } from "@portcullis/guest";

import "./prompts.js";
import "./resources.js";

const who = form("What is your name?", {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
});

tool("test_sampling", {
  description: "Asks the model.",
  input: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
  output: "content",
  run: ({ prompt }) => `LLM response: ${ask("prompt", sampling(prompt, { maxTokens: 100 })).text}`,
});

tool("test_input_required_result_elicitation", {
  description: "Asks for a name.",
  output: "content",
  run: () => `Hello, ${ask("user_name", who).name}!`,
});

tool("test_input_required_result_tampered_state", {
  description: "Asks; a state that is not the host's is refused.",
  output: "content",
  run() {
    const confirmation = form("Please confirm", {
      type: "object",
      properties: { ok: { type: "boolean" } },
      required: ["ok"],
    });
    return `Confirmed: ${ask("confirm", confirmation).ok}`;
  },
});

tool("test_input_required_result_multiple_inputs", {
  description: "Asks three things at once.",
  output: "content",
  run() {
    const { user_name, greeting, client_roots } = askAll({
      user_name: who,
      greeting: sampling("Generate a greeting", { maxTokens: 50 }),
      client_roots: roots(),
    });
    return `${greeting.text} ${user_name.name} (${client_roots.length} roots)`;
  },
});

tool("test_input_required_result_multi_round", {
  description: "Asks one thing after the other.",
  output: "content",
  run() {
    const colors = form("Step 2: What is your favorite color?", {
      type: "object",
      properties: { color: { type: "string" } },
      required: ["color"],
    });
    try {
      const { name } = ask(
        "step1",
        form("Step 1: What is your name?", {
          type: "object",
          properties: { name: { type: "string" } },
          required: ["name"],
        }),
      );
      const { color } = ask("step2", colors);
      return `${name} likes ${color}`;
    } catch {
      return "a question was swallowed";
    }
  },
});

tool("test_input_required_result_capabilities", {
  description: "Asks only what the client can do.",
  output: "content",
  run() {
    const can = call().client;
    const answers = askAll({
      ...(can.elicitForm ? { user_name: who } : {}),
      ...(can.sampling
        ? { capital_question: sampling("What is the capital of France?", { maxTokens: 100 }) }
        : {}),
    });
    return `${Object.keys(answers).length} answers`;
  },
});

tool("test_missing_capability", {
  description: "Needs a model.",
  output: "content",
  run: () => ask("model", sampling("Say anything", { maxTokens: 10 })).text,
});

tool("test_trigger_tool_change", {
  description: "Says that the tools are others now.",
  output: "content",
  run() {
    changed.tools();
    return "Announced";
  },
});

tool("test_trigger_prompt_change", {
  description: "Says that the prompts are others now.",
  output: "content",
  run() {
    changed.prompts();
    return "Announced";
  },
});

tool("test_trigger_resource_change", {
  description: "Says that the resources, and the contents of the one that is watched, are others now.",
  output: "content",
  run() {
    changed.resources();
    changed.resource("test://watched-resource");
    return "Announced";
  },
});
