// Lists the tools of a server and calls them, with a client of the TypeScript SDK: that of the
// package which is named.
//
// Reads one JSON object from stdin: the server's URL, or its command, arguments and environment,
// the era of the protocol, and the calls. Prints one: what was listed and what each call gave, or
// what the client threw over it. Clients throw when structured content breaks the published schema.

import { text } from 'node:stream/consumers';

const HANG_MS = 120_000;

// Where each package has what it is made of.
const MODULES = {
  '@modelcontextprotocol/client': ['', '', '/stdio'],
  '@modelcontextprotocol/sdk': [
    '/client/index.js',
    '/client/streamableHttp.js',
    '/client/stdio.js',
  ],
};

setTimeout(() => {
  console.error('waited too long');
  process.exit(1);
}, HANG_MS).unref();

const name = process.argv[2];
const modules = await Promise.all(MODULES[name].map((path) => import(name + path)));
const [{ Client }, { StreamableHTTPClientTransport }, stdio] = modules;

const job = JSON.parse(await text(process.stdin));
const client = new Client(
  { name: 'portcullis-tests', version: '0' },
  // The older package knows one era, and not this option.
  { versionNegotiation: { mode: job.mode } },
);
const env = { ...stdio.getDefaultEnvironment(), ...job.program.env };
const transport = job.url
  ? new StreamableHTTPClientTransport(new URL(job.url))
  : new stdio.StdioClientTransport({ ...job.program, env });
// The older package tells its transport alone what was agreed on.
let told;
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => {
  told = version;
  tell?.(version);
};
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const { tool, arguments: values } of job.calls) {
  const called = client.callTool({ name: tool, arguments: values });
  results.push(await called.catch((error) => ({ raised: String(error) })));
}
const protocol = client.getNegotiatedProtocolVersion?.() ?? told;
console.log(JSON.stringify({ protocol, tools, results }));
await client.close();
