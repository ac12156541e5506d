"""Write a sandboxed MCP tool as a plain Python function.

    from portcullis import tool

    @tool
    def get_forecast(city: str, days: int = 3) -> list[Weather]:
        "Daily forecast for a city."

The signature is the contract: parameters are the input schema, the return type is the output
schema, and the docstring is the description. A type that has no schema is an error when the
component is built. README.md has the rest.
"""

from . import log, progress
from .content import Audio, Content, Embedded, Image, Link, Notes, Text
from .dynamic import parse_json
from .errors import InvalidArguments, MissingAbility, NotFound, SchemaError, ToolError
from .facts import Ability, Call, Level, call
from .field import Field
from .full import Full
from .model import Model
from .naming import about
from .needs import requires
from .server import MCPServer
from .tools import tool

__all__ = [
    "Ability",
    "Audio",
    "Call",
    "Content",
    "Embedded",
    "Field",
    "Full",
    "Image",
    "InvalidArguments",
    "Level",
    "Link",
    "MCPServer",
    "MissingAbility",
    "Model",
    "NotFound",
    "Notes",
    "SchemaError",
    "Text",
    "ToolError",
    "about",
    "call",
    "log",
    "parse_json",
    "progress",
    "requires",
    "tool",
]
