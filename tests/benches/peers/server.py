"""The same tools on the Python SDK's server, as its documentation shows one."""

import base64

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel


class Reading(BaseModel):
    station: str
    celsius: float
    humidity: int
    is_fresh: bool


server = MCPServer("native", log_level="ERROR")


@server.tool()
def add(a: int, b: int) -> int:
    return a + b


@server.tool()
def record(number: int) -> Reading:
    return Reading(
        station=f"station-{number}",
        celsius=number % 40 + 0.5,
        humidity=number % 100,
        is_fresh=number % 2 == 0,
    )


@server.tool()
def records(count: int) -> list[Reading]:
    return [record(number) for number in range(count)]


@server.tool()
def text(count: int) -> str:
    return "x" * count


@server.tool(name="bytes")
def encoded(count: int) -> str:
    return base64.b64encode(b"\7" * count).decode()


server.run()
