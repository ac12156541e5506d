// Lists the tools of a server and calls them, with the client of the TypeScript SDK.
//
// Reads one JSON object from stdin: the server's URL, or its command, arguments and environment, the era of
// the protocol, and the calls. Prints one: what was listed and what each call gave. The client
// throws when structured content breaks the published schema; then nothing is printed, and the
// status is 1.

import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

const HANG_MS = 120_000;

setTimeout(() => {
  console.error('waited too long');
  process.exit(1);
}, HANG_MS).unref();

const job = JSON.parse(await text(process.stdin));
const client = new Client(
  { name: 'portcullis-tests', version: '0' },
  { versionNegotiation: { mode: job.mode } },
);
const env = { ...getDefaultEnvironment(), ...job.env };
const transport = job.url
  ? new StreamableHTTPClientTransport(new URL(job.url))
  : new StdioClientTransport({ command: job.command, args: job.args, env });
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const { tool, arguments: values } of job.calls) {
  results.push(await client.callTool({ name: tool, arguments: values }));
}
console.log(JSON.stringify({ protocol: client.getNegotiatedProtocolVersion(), tools, results }));
await client.close();
