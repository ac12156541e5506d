/**
 * Compares the weather tools in TypeScript with those in Rust, as a host shows them:
 * `node test/compare.mjs PORTCULLIS RUST_WASM [TYPESCRIPT_WASM]`. Without the last, it builds it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "../build/build.mjs";

const WEATHER = fileURLToPath(new URL("../../../guests/typescript/weather", import.meta.url));
const CALLS = [
  ["get_temperature", { city: "London" }],
  ["get_temperature", { city: 5 }],
  ["get_temperature", {}],
  ["get_temperature", { city: "Atlantis" }],
  ["get_weather", { city: "London" }],
  ["get_weather", { city: "London", town: "x" }],
  ["get_weather_td", { city: "London" }],
  ["get_weather_dc", { city: "London" }],
  ["get_forecast", { city: "London", days: 3 }],
  ["get_forecast", { city: "London", days: "2" }],
  ["get_forecast", { city: "London", days: 0 }],
  ["get_forecast", { city: "London", days: 1.5 }],
  ["get_temperatures", { cities: ["Reykjavik", "London"] }],
  ["get_temperatures", { cities: [] }],
  ["get_weather_bad", { city: "London" }],
  ["weather_report", { city: "London" }],
  ["get_weather_with_meta", { city: "London" }],
];

const [portcullis, rust, typescript] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "portcullis-weather-"));
try {
  // Of one name, as a component's id is part of what it says.
  const ours = place("typescript", (path) =>
    typescript === undefined
      ? build(WEATHER).then(({ component }) => writeFileSync(path, component))
      : copyFileSync(typescript, path),
  );
  const theirs = place("rust", (path) => copyFileSync(rust, path));
  const files = { ours: await ours, theirs: await theirs };

  const definitions = (file) => JSON.parse(run("list", file, "--json").stdout);
  assert.deepEqual(definitions(files.ours), without64Bits(definitions(files.theirs)));
  for (const [name, args] of CALLS) {
    const call = (file) => run("call", file, name, JSON.stringify(args), "--json");
    assert.deepEqual(call(files.ours), inTheirWords(call(files.theirs)), `${name} ${JSON.stringify(args)}`);
  }
  console.log(`${definitions(files.ours).length} tools and ${CALLS.length} calls are the same`);
} finally {
  rmSync(directory, { recursive: true });
}

async function place(language, write) {
  const home = mkdtempSync(join(directory, `${language}-`));
  const path = join(home, "weather.wasm");
  await write(path);
  return path;
}

function run(...args) {
  const { status, stdout, error } = spawnSync(portcullis, [...args, "--log", "off"], { encoding: "utf8" });
  if (error) throw error;
  return { status, stdout };
}

/** An `integer` in TypeScript is no i64. JSON.parse has rounded the bounds already. */
function without64Bits(definitions) {
  return JSON.parse(JSON.stringify(definitions), (_, value) => {
    if (value?.minimum === -(2 ** 63) && value?.maximum === 2 ** 63) {
      const { minimum: _minimum, maximum: _maximum, ...rest } = value;
      return rest;
    }
    return value;
  });
}

/** A panic stops a component in Rust; an exception leaves one in JavaScript running. */
function inTheirWords({ status, stdout }) {
  return {
    status,
    stdout: stdout.replace(
      "the tool stopped unexpectedly and gave no result",
      "the tool has an internal fault",
    ),
  };
}
