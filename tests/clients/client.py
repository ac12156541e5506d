"""Lists the tools of a server and calls them, with the client of the Python SDK.

Reads one JSON object from stdin: the server's URL, or its command, arguments and environment, the era of the
protocol, and the calls. Prints one: what was listed and what each call gave. The client raises
when structured content breaks the published schema; then nothing is printed, and the status is 1.
"""

import json
import sys

import anyio
from mcp import Client, StdioServerParameters

HANG_SECONDS = 120


async def main(job):
    server = job.get("url") or StdioServerParameters(
        command=job["command"], args=job["args"], env=job["env"]
    )
    with anyio.fail_after(HANG_SECONDS):
        async with Client(server, mode=job["mode"]) as client:
            listed = await client.list_tools()
            results = [await client.call_tool(c["tool"], c["arguments"]) for c in job["calls"]]
            return {
                "protocol": client.protocol_version,
                "tools": [as_sent(tool) for tool in listed.tools],
                "results": [as_sent(result) for result in results],
            }


def as_sent(model):
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


print(json.dumps(anyio.run(main, json.load(sys.stdin))))
