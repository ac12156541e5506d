"""Lists the tools of a server and calls them, with a client in Python: the one that is named.

Reads one JSON object from stdin: the server's URL, or its command, arguments and environment, the
era of the protocol, and the calls. Prints one: what was listed and what each call gave, or what
the client raised over it. Clients raise when structured content breaks the published schema.
"""

import json
import sys
from contextlib import asynccontextmanager

import anyio

HANG_SECONDS = 120


@asynccontextmanager
async def mcp_2(job):
    """The client of the SDK, from 2.0."""
    from mcp import Client, StdioServerParameters

    server = job["url"] or StdioServerParameters(**job["program"])
    async with Client(server, mode=job["mode"]) as client:
        yield client.protocol_version, client.list_tools, client.call_tool


@asynccontextmanager
async def mcp_1(job):
    """The client of the SDK, before 2.0."""
    from mcp import ClientSession, StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client

    if job["url"]:
        transport = streamable_http_client(job["url"])
    else:
        transport = stdio_client(StdioServerParameters(**job["program"]))
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        greeting = await session.initialize()
        yield greeting.protocolVersion, session.list_tools, session.call_tool


@asynccontextmanager
async def fastmcp(job):
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
    from mcp_types import CallToolResult

    async def call(tool, arguments):
        result = await client.call_tool(tool, arguments, raise_on_error=False)
        has_value = result.structured_content is not None and not result.is_error
        if has_value and result.data is None:
            # It logs what it cannot read and gives no data.
            raise ValueError(f"cannot read {result.structured_content}")
        fields = {"content": result.content, "is_error": result.is_error}
        if result.structured_content is not None:
            fields["structured_content"] = result.structured_content
        return CallToolResult(**fields, **({"_meta": result.meta} if result.meta else {}))

    async def tools():
        return await client.list_tools_mcp()

    if job["url"]:
        transport = StreamableHttpTransport(job["url"])
    else:
        transport = StdioTransport(**job["program"], keep_alive=False)
    async with Client(transport, mode=job["mode"]) as client:
        yield client.protocol_version, tools, call


async def main(connect, job):
    with anyio.fail_after(HANG_SECONDS):
        async with connect(job) as (protocol, list_tools, call_tool):

            async def given(call):
                try:
                    return as_sent(await call_tool(call["tool"], call["arguments"]))
                except Exception as error:
                    return {"raised": f"{type(error).__name__}: {error}"}

            return {
                "protocol": protocol,
                "tools": [as_sent(tool) for tool in (await list_tools()).tools],
                "results": [await given(call) for call in job["calls"]],
            }


def as_sent(model):
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


connect = {"mcp_1": mcp_1, "mcp_2": mcp_2, "fastmcp": fastmcp}[sys.argv[1]]
print(json.dumps(anyio.run(main, connect, json.load(sys.stdin))))
