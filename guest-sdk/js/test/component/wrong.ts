import { tool } from "../../src/index.js";

tool("same", { description: "…", output: { type: "null" }, run: () => null });
tool("same", { description: "…", output: { type: "null" }, run: () => null });
