import { tool } from "../../src/index.js";

tool("other", { description: "…", output: { type: "null" }, run: () => null });
