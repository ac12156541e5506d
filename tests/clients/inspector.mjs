// Lists the tools of a server and calls them with `inspector --cli`, which is started for each.
//
// Reads and prints what client.mjs does; what it says in words of its own is what was raised. It
// does not say which protocol was agreed on.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

const HANG_MS = 60_000;
const OUTPUT_BYTES_MAX = 64 << 20;
// Calls at a time.
const LANES = 4;

const PROGRAM = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/cli/build/cli.js', import.meta.url),
);

const job = JSON.parse(await text(process.stdin));
// It takes options of the server for its own, but not after its `--`.
const server = job.url ? [job.url] : [job.program.command, ...job.program.args];

function inspect(...options) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [PROGRAM, '--cli', ...options, '--', ...server],
      { env: { ...process.env, ...job.program.env }, timeout: HANG_MS, maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout, stderr) => {
        resolve(error ? { raised: stderr || String(error) } : JSON.parse(stdout));
      },
    );
  });
}

function call({ tool, arguments: values }) {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const given = pairs.length ? ['--tool-arg', ...pairs] : [];
  return inspect(...given, '--method', 'tools/call', '--tool-name', tool);
}

const { tools } = await inspect('--method', 'tools/list');
const results = new Array(job.calls.length);
let next = 0;
async function lane() {
  while (next < job.calls.length) {
    const index = next++;
    results[index] = await call(job.calls[index]);
  }
}
await Promise.all(Array.from({ length: LANES }, lane));
console.log(JSON.stringify({ tools, results }));
