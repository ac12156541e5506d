"""`@tool`: a function becomes a tool, and stays the function that it was.

Everything that can be wrong with a tool is told when its function is decorated, which is when the
component is built.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

from .errors import Misfit, SchemaError, ToolError
from .facts import Call, during
from .field import MISSING, Schema
from .naming import distinct
from .outcome import Outcome, Returns
from .records import published_default
from .run import finished, prepare
from .shape import Definitions
from .signature import Parameter, signature, taken

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Hints:
    """What an author says about a tool's behaviour; none: no statement."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True)
class Tool:
    """One tool."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    returns: Returns
    input_schema: Schema
    title: str | None = None
    description: str | None = None
    hints: Hints = field(default_factory=Hints)

    def run(self, arguments: str, running: Call) -> Outcome:
        """Calls the function with arguments that the host has checked."""
        with during(running):
            result = finished(self.function(**taken(self.parameters, json.loads(arguments))))
            try:
                return self.returns.outcome(result)
            except Misfit as misfit:
                text = self.returns.placed(misfit).text("the result")
                if misfit.no_json:
                    raise TypeError(text) from None
                raise ToolError(text) from None


TOOLS: dict[str, Tool] = {}
"""The tools of the component, by name, in source order."""


@overload
def tool(function: F, /) -> F: ...


@overload
def tool(
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    structured_output: bool | None = None,
    own_content: bool = False,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
    open_world: bool | None = None,
) -> Callable[[F], F]: ...


def tool(
    function: Any = None,
    /,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    structured_output: bool | None = None,
    own_content: bool = False,
    **hints: bool | None,
) -> Any:
    """Makes a tool of a function: its signature is the schema, and its docstring the description.

    - `name`: by default the function's.
    - `structured_output`: False makes the tool content-only, whatever it returns.
    - `own_content`: the tool writes content of its own beside a typed value.
    - `read_only`, `destructive`, `idempotent`, `open_world`: how it behaves.
    """

    def register(function: F) -> F:
        made = Tool(
            name=name or function.__name__,
            function=function,
            title=title,
            description=description or inspect.getdoc(function) or None,
            hints=Hints(**hints),
            **_signature(function, structured_output is not False, own_content),
        )
        distinct(function, made.name, TOOLS, "tool")
        prepare(function)
        TOOLS[made.name] = made
        return function

    return register if function is None else register(function)


def _signature(function: Callable[..., Any], is_typed: bool, own_content: bool) -> dict[str, Any]:
    of = f"Function {function.__name__}"
    parameters, annotation = signature(function)
    try:
        input_schema = _input_schema(parameters)
    except SchemaError as error:
        raise SchemaError(f"{of}: {error}") from None
    returns = Returns.of(annotation, function.__name__, is_typed=is_typed, own_content=own_content)
    return {"parameters": parameters, "returns": returns, "input_schema": input_schema}


def _input_schema(parameters: tuple[Parameter, ...]) -> Schema:
    definitions = Definitions()
    properties = {}
    required = []
    for parameter in parameters:
        if parameter.shape is None:
            continue
        try:
            schema = parameter.shape.schema(definitions)
            if parameter.info.default is not MISSING:
                default = published_default(parameter.shape, parameter.info.default, parameter.name)
                schema = {**schema, "default": default}
        except SchemaError as error:
            raise SchemaError(f"parameter `{parameter.name}`: {error}") from None
        properties[parameter.key] = schema
        if not parameter.info.has_default:
            required.append(parameter.key)
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return {**schema, "$defs": definitions.schemas} if definitions.schemas else schema
