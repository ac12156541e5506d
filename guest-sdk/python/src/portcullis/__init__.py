"""Write a sandboxed MCP tool as a plain Python function.

    from portcullis import tool

    @tool
    def get_forecast(city: str, days: int = 3) -> list[Weather]:
        "Daily forecast for a city."

The signature is the contract: parameters are the input schema, the return type is the output
schema, and the docstring is the description. A type that has no schema is an error when the
component is built. `@resource`, `@prompt` and `@complete` make what a component has beside tools,
and `ask` asks the user in the middle of a call. README.md has the rest.
"""

from . import log, progress
from .asking import ask, ask_all
from .completion import Typed, complete
from .content import Audio, Content, Embedded, Image, Link, Notes, Text
from .dynamic import parse_json
from .errors import (
    Cancelled,
    Declined,
    InvalidArguments,
    MissingAbility,
    NotFound,
    SchemaError,
    ToolError,
)
from .facts import Ability, Call, Level, call
from .field import Field
from .full import Full
from .messages import AssistantMessage, Message, UserMessage
from .model import Model
from .naming import about
from .needs import requires
from .prompts import prompt
from .questions import Form, Question, Root, Roots, Sampled, Sampling, Url
from .resources import resource
from .server import MCPServer
from .tools import tool

__all__ = [
    "Ability",
    "AssistantMessage",
    "Audio",
    "Call",
    "Cancelled",
    "Content",
    "Declined",
    "Embedded",
    "Field",
    "Form",
    "Full",
    "Image",
    "InvalidArguments",
    "Level",
    "Link",
    "MCPServer",
    "Message",
    "MissingAbility",
    "Model",
    "NotFound",
    "Notes",
    "Question",
    "Root",
    "Roots",
    "Sampled",
    "Sampling",
    "SchemaError",
    "Text",
    "ToolError",
    "Typed",
    "Url",
    "UserMessage",
    "about",
    "ask",
    "ask_all",
    "call",
    "complete",
    "log",
    "parse_json",
    "progress",
    "prompt",
    "requires",
    "resource",
    "tool",
]
