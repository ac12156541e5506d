#!/usr/bin/env node
/** `portcullis-guest [ENTRY] [-o FILE]`: builds the project in the current directory. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { build } from "./build.mjs";

try {
  const { values, positionals } = parseArgs({
    options: {
      output: { type: "string", short: "o" },
      directory: { type: "string", short: "C", default: "." },
    },
    allowPositionals: true,
  });
  const { name, imports, exports, component } = await build(values.directory, positionals[0]);
  const output = values.output ?? `${name.replace(/^@.*\//, "")}.wasm`;
  await writeFile(output, component);
  console.error(
    `${output}: ${component.length} bytes, exports ${exports.join(", ")}, ` +
      `imports ${imports.join(", ") || "nothing of the host"}`,
  );
} catch (error) {
  console.error(`portcullis-guest: ${error.message}`);
  process.exitCode = 1;
}
