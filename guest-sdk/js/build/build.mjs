/** From an author's project to a component. */
import { realpathSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { finished, late } from "./finish.mjs";

const SDK = realpathSync(fileURLToPath(new URL("..", import.meta.url)));
const ENTRIES = ["src/index.ts", "src/index.js", "index.ts", "index.js"];

/** What a component exports beside its tools, if the source that declares it is in the bundle. */
const BESIDE = [
  { name: "resources", source: "src/resource.ts", world: "resource-provider" },
  { name: "prompts", source: "src/prompt.ts", world: "prompt-provider" },
  { name: "completion", source: "src/complete.ts", world: "completion-provider" },
];

/** Builds the project in a directory; gives the component's bytes, and what it imports and exports. */
export async function build(directory, entry) {
  const project = resolve(directory);
  const { name, version } = await described(project);
  const start = entry ?? (await firstOf(project, ENTRIES));
  const tools = toolchain(project);
  const esbuild = await tools.import("esbuild");
  const bundle = (beside) => bundled(esbuild, project, start, { name, version }, beside);
  const first = await bundle([]);
  const beside = BESIDE.filter((it) => first.sources.has(join(SDK, it.source)));
  const { code, imports } = beside.length === 0 ? first : await bundle(beside);
  const { componentize } = await tools.import("componentize-qjs");
  const wit = await mkdtemp(join(tmpdir(), "portcullis-wit-"));
  try {
    await writeWorld(wit, imports, beside);
    const { component } = await componentize({
      witPath: wit,
      jsSource: late(code),
      world: "component",
      sync: true,
    });
    const exports = ["tools", ...beside.map((it) => it.name)];
    return { name, version, imports, exports, component: finished(component) };
  } catch (error) {
    throw new Error(readable(error), { cause: error });
  } finally {
    await rm(wit, { recursive: true });
  }
}

/**
 * One ES module with all of the project's code, the interfaces that it still imports, and the files that
 * something is left of.
 */
async function bundled(esbuild, project, entry, component, beside) {
  const sdk = (file) => JSON.stringify(join(SDK, "src", file));
  const imported = ({ name }) => `import { provided as ${name}_ } from ${sdk(`provide/${name}.ts`)};`;
  const exported = ({ name }) => `export const ${name} = ${name}_();`;
  const globals = (file) => join(SDK, "src/globals", file);
  const result = await esbuild
    .build({
      stdin: {
        contents: `
        import ${JSON.stringify(resolve(project, entry))};
        import { provider } from ${sdk("provider.ts")};
        ${beside.map(imported).join("\n")}
        export const tools = provider(${JSON.stringify(component)});
        ${beside.map(exported).join("\n")}`,
        resolveDir: project,
        sourcefile: "component.js",
      },
      absWorkingDir: project,
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["portcullis", "module"],
      target: "es2023",
      legalComments: "none",
      external: ["portcullis:*", "wasi:*"],
      // What the engine lacks is there for those who name it.
      inject: [globals("console.ts"), globals("text.ts"), globals("random.ts")],
      define: {
        "Math.random": "__portcullis_random",
        "process.env": "{}",
        "process.env.NODE_ENV": '"production"',
      },
      logLevel: "silent",
    })
    .catch((error) => {
      throw new Error(
        error.errors
          .map(({ text, location: at }) => (at ? `${at.file}:${at.line}: ${text}` : text))
          .join("\n"),
      );
    });
  const [output] = Object.values(result.metafile.outputs);
  const imports = output.imports.filter((it) => it.external).map((it) => it.path);
  const left = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const sources = new Set(await Promise.all(left.map(([path]) => real(resolve(project, path)))));
  return { code: result.outputFiles[0].text, imports: [...new Set(imports)].sort(), sources };
}

/** A path without links; that of what is no file, such as the entry, as it is. */
async function real(path) {
  return realpath(path).catch(() => path);
}

/** A world with the imports and exports that the code has, and no more. */
async function writeWorld(directory, imports, beside) {
  const packages = join(directory, "deps", "guest");
  await cp(await guestPackage(), packages, { recursive: true });
  for (const file of (await readdir(join(SDK, "wit"))).filter((it) => it.endsWith(".wit"))) {
    await writeFile(join(directory, "deps", file), late(await readFile(join(SDK, "wit", file), "utf8")));
  }
  const exported = ["tool-provider", ...beside.map((it) => it.world)];
  const lines = [
    ...exported.map((it) => `  include portcullis:guest/${it}@0.1.0;\n`),
    ...imports.map((it) => `  import ${late(it)};\n`),
  ].join("");
  await writeFile(
    join(directory, "world.wit"),
    `package portcullis:javascript;\n\nworld component {\n${lines}}\n`,
  );
}

/** The WIT package: beside the SDK in a checkout, within it where it is installed. */
async function guestPackage() {
  const places = [join(SDK, "wit/guest"), join(SDK, "../../wit")];
  for (const place of places) if (await exists(join(place, "tools.wit"))) return place;
  throw new Error(`the package portcullis:guest is in none of ${places.join(", ")}`);
}

/** The project's own esbuild and componentize-qjs, or those of the SDK's checkout. */
function toolchain(project) {
  const places = [project, SDK].map((it) => createRequire(join(it, "package.json")));
  return {
    async import(name) {
      for (const place of places) {
        try {
          return await import(pathToFileURL(place.resolve(name)));
        } catch (error) {
          if (error.code !== "MODULE_NOT_FOUND") throw error;
        }
      }
      throw new Error(`${name} is not installed: npm install --save-dev ${name}`);
    },
  };
}

async function described(project) {
  const { name, version } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  if (!name || !version) throw new Error("package.json: the component needs a `name` and a `version`");
  return { name, version };
}

async function firstOf(project, files) {
  for (const file of files) if (await exists(join(project, file))) return file;
  throw new Error(`there is none of ${files.join(", ")}: name the file that declares the tools`);
}

async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** What the author's code threw when it was run for the snapshot, without what led there. */
function readable(error) {
  return error.message
    .replace(/^.*?Failed to (?:finish|evaluate) .*module evaluation: (?:Error: )?/s, "")
    .trim();
}
