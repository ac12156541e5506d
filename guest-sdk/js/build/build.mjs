/** From an author's project to a component. */
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { finished, late } from "./finish.mjs";

const SDK = fileURLToPath(new URL("..", import.meta.url));
const ENTRIES = ["src/index.ts", "src/index.js", "index.ts", "index.js"];

/** Builds the project in a directory; gives the component's bytes, and what it imports of the SDK's. */
export async function build(directory, entry) {
  const project = resolve(directory);
  const { name, version } = await described(project);
  const start = entry ?? (await firstOf(project, ENTRIES));
  const tools = toolchain(project);
  const { code, imports } = await bundled(await tools.import("esbuild"), project, start, { name, version });
  const { componentize } = await tools.import("componentize-qjs");
  const wit = await mkdtemp(join(tmpdir(), "portcullis-wit-"));
  try {
    await writeWorld(wit, imports);
    const { component } = await componentize({
      witPath: wit,
      jsSource: late(code),
      world: "component",
      sync: true,
    });
    return { name, version, imports, component: finished(component) };
  } catch (error) {
    throw new Error(readable(error), { cause: error });
  } finally {
    await rm(wit, { recursive: true });
  }
}

/** One ES module with all of the project's code, and the interfaces that it still imports. */
async function bundled(esbuild, project, entry, component) {
  const globals = (file) => join(SDK, "src/globals", file);
  const result = await esbuild
    .build({
      stdin: {
        contents: `
        import ${JSON.stringify(resolve(project, entry))};
        import { provider } from ${JSON.stringify(join(SDK, "src/provider.ts"))};
        export const tools = provider(${JSON.stringify(component)});`,
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
  return { code: result.outputFiles[0].text, imports: [...new Set(imports)].sort() };
}

/** A world with the imports that the code has, and no more. */
async function writeWorld(directory, imports) {
  const packages = join(directory, "deps", "guest");
  await cp(await guestPackage(), packages, { recursive: true });
  for (const file of (await readdir(join(SDK, "wit"))).filter((it) => it.endsWith(".wit"))) {
    await writeFile(join(directory, "deps", file), late(await readFile(join(SDK, "wit", file), "utf8")));
  }
  const lines = imports.map((it) => `  import ${late(it)};\n`).join("");
  await writeFile(
    join(directory, "world.wit"),
    `package portcullis:javascript;\n\nworld component {\n  include portcullis:guest/tool-provider@0.1.0;\n${lines}}\n`,
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
