"""What a function takes: its parameters, and the way of arguments to them."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .annotated import metadata
from .errors import InvalidArguments, Misfit, SchemaError
from .facts import Call, call
from .field import MISSING, FieldInfo, said
from .reading import read
from .scalars import SCALARS
from .shape import Json, Shape

Decode = Callable[[Shape, Any], Any]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function; its shape is none where it takes the facts of the call."""

    name: str
    key: str
    shape: Shape | None
    info: FieldInfo = FieldInfo()


def signature(function: Callable[..., Any]) -> tuple[tuple[Parameter, ...], Any]:
    """The parameters of a function, and the annotation of what it returns."""
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
    return tuple(parameters), hints.get("return", inspect.Signature.empty)


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


def taken(
    parameters: tuple[Parameter, ...],
    arguments: Mapping[str, Any],
    decode: Decode = lambda shape, value: shape.decode(value),
) -> dict[str, Any]:
    """The values that a function is called with, by its own names, or `InvalidArguments`."""
    values = {}
    for parameter in parameters:
        if parameter.shape is None:
            values[parameter.name] = call()
        elif parameter.key in arguments:
            try:
                values[parameter.name] = decode(parameter.shape, arguments[parameter.key])
            except Misfit as misfit:
                text = misfit.within(parameter.key).text("the arguments")
                raise InvalidArguments(text) from None
        elif parameter.info.has_default:
            values[parameter.name] = parameter.info.make_default()
    return values


def from_text(shape: Shape, text: str) -> Any:
    """The value that a text stands for, where all arguments are texts: the text itself where it is
    one of the type's values, and otherwise what it says as JSON (`3`, `true`)."""
    if shape is SCALARS[Any]:
        return text
    try:
        return shape.decode(text)
    except Misfit as misfit:
        try:
            value: Json = json.loads(text)
        except ValueError:
            raise misfit from None
        return shape.decode(value)
