/** Bundles each test, as Node reads no TypeScript, and runs them. */
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = `${here}../node_modules/.tests`;
rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: readdirSync(here)
    .filter((it) => it.endsWith(".test.mjs"))
    .map((it) => here + it),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["esbuild", "componentize-qjs"],
});
const files = readdirSync(out)
  .filter((it) => it.endsWith(".mjs"))
  .map((it) => `${out}/${it}`);
process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status;
