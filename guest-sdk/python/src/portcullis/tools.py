"""`@tool`: a function becomes a tool, and stays the function that it was.

Everything that can be wrong with a tool is told when its function is decorated, which is when the
component is built.
"""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

from .annotated import metadata
from .errors import InvalidArguments, Misfit, SchemaError, ToolError
from .facts import Call, call, during
from .field import MISSING, FieldInfo, Schema, said
from .outcome import Outcome, Returns
from .reading import read
from .records import published_default
from .run import finished, prepare
from .shape import Definitions, Shape

F = TypeVar("F", bound=Callable[..., Any])

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Hints:
    """What an author says about a tool's behaviour; none: no statement."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True)
class Parameter:
    """One parameter of a tool; its shape is none where it takes the facts of the call."""

    name: str
    key: str
    shape: Shape | None
    info: FieldInfo = FieldInfo()


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
            values = self._take(json.loads(arguments))
            result = finished(self.function(**values))
            try:
                return self.returns.outcome(result)
            except Misfit as misfit:
                text = self.returns.placed(misfit).text("the result")
                if misfit.no_json:
                    raise TypeError(text) from None
                raise ToolError(text) from None

    def _take(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        values = {}
        for parameter in self.parameters:
            if parameter.shape is None:
                values[parameter.name] = call()
            elif parameter.key in arguments:
                try:
                    values[parameter.name] = parameter.shape.decode(arguments[parameter.key])
                except Misfit as misfit:
                    text = misfit.within(parameter.key).text("the arguments")
                    raise InvalidArguments(text) from None
            elif parameter.info.has_default:
                values[parameter.name] = parameter.info.make_default()
        return values


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
        _distinct(made)
        prepare(function)
        TOOLS[made.name] = made
        return function

    return register if function is None else register(function)


def _distinct(made: Tool) -> None:
    of = f"Function {made.function.__name__}"
    if not _NAME.fullmatch(made.name):
        raise SchemaError(f"{of}: the name `{made.name}` is not 1 to 64 of A-Z a-z 0-9 _ -")
    for other in TOOLS.values():
        if other.name.lower() == made.name.lower():
            raise SchemaError(
                f"{of}: a tool is named `{other.name}` already: "
                'write `@tool(name="…")` on one of them'
            )


def _signature(function: Callable[..., Any], is_typed: bool, own_content: bool) -> dict[str, Any]:
    of = f"Function {function.__name__}"
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise SchemaError(f"{of}: an annotation names `{error.name}`, which is not there") from None
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        try:
            parameters.append(_parameter(parameter, hints.get(parameter.name, parameter.empty)))
        except SchemaError as error:
            raise SchemaError(f"{of}: parameter `{parameter.name}`: {error}") from None
    try:
        input_schema = _input_schema(parameters)
    except SchemaError as error:
        raise SchemaError(f"{of}: {error}") from None
    annotation = hints.get("return", inspect.Signature.empty)
    returns = Returns.of(annotation, function.__name__, is_typed=is_typed, own_content=own_content)
    return {"parameters": tuple(parameters), "returns": returns, "input_schema": input_schema}


def _parameter(parameter: inspect.Parameter, annotation: Any) -> Parameter:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise SchemaError("arguments have names: write them one by one")
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise SchemaError("arguments are given by name: it cannot be positional only")
    if annotation is Call:
        return Parameter(parameter.name, parameter.name, None)
    default = parameter.default if parameter.default is not parameter.empty else MISSING
    outer = default if isinstance(default, FieldInfo) else FieldInfo(default=default)
    infos = [*said(metadata(annotation)), outer]
    if outer != FieldInfo(default=outer.default):
        annotation = typing.Annotated[annotation, outer]
    alias = next((info.alias for info in reversed(infos) if info.alias), None)
    info = next((info for info in reversed(infos) if info.has_default), FieldInfo())
    return Parameter(parameter.name, alias or parameter.name, read(annotation), info)


def _input_schema(parameters: list[Parameter]) -> Schema:
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
