"""The Python MCP SDK's way of writing: `mcp = MCPServer("Weather")`, then `@mcp.tool()`,
`@mcp.resource("city://{name}")` and `@mcp.prompt()`.

Only the import is another one. There is one component, so two servers in it are one.
"""

from __future__ import annotations

from typing import Any

from . import prompts, resources, tools
from .naming import about


class MCPServer:
    """The component that is being written."""

    def __init__(self, name: str, *, version: str | None = None) -> None:
        about(name=name, version=version)

    def tool(self, **options: Any) -> Any:
        """Makes a tool of a function; see `portcullis.tool`."""
        return tools.tool(**options)

    def resource(self, uri: str, **options: Any) -> Any:
        """Makes a resource of a function; see `portcullis.resource`."""
        return resources.resource(uri, **options)

    def prompt(self, **options: Any) -> Any:
        """Makes a prompt of a function; see `portcullis.prompt`."""
        return prompts.prompt(**options)
