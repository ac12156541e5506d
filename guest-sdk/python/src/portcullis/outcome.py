"""What a tool's return type promises, and how its value becomes an outcome."""

from __future__ import annotations

import inspect
import json
import typing
from dataclasses import dataclass
from types import UnionType
from typing import Any

from .content import BLOCKS, Content, Text, blocks
from .errors import Misfit, SchemaError
from .field import MISSING, Schema
from .full import Full
from .reading import read
from .shape import Json, Shape, native, root


@dataclass(frozen=True)
class Outcome:
    """What a call gives: a value as JSON text, blocks, or both, and what goes beside them."""

    json: str | None = None
    content: tuple[Content, ...] = ()
    exact_schema: str | None = None
    meta: tuple[tuple[str, str], ...] = ()
    is_error: bool = False
    is_full: bool = False


@dataclass(frozen=True)
class Returns:
    """What a tool promises: values of a shape, or content alone."""

    shape: Shape | None
    schema: Schema | None
    own_content: bool = False

    @classmethod
    def of(cls, annotation: Any, function: str, *, is_typed: bool, own_content: bool) -> Returns:
        """What a return type promises."""
        of = f"Function {function}"
        inner, is_full = _inside(annotation)
        if own_content and not is_full:
            raise SchemaError(f"{of}: `own_content` is for a tool that returns `Full[…]`")
        if not is_typed or inner is MISSING or _is_content(inner):
            return cls(None, None)
        if annotation is _EMPTY:
            raise SchemaError(f"{of}: return annotation required for structured output")
        try:
            shape = read(inner)
            return cls(shape, root(shape), own_content)
        except SchemaError as error:
            why = f"is not serializable for structured output: {error}"
            raise SchemaError(f"{of}: return type {annotation!r} {why}") from None

    def outcome(self, value: Any) -> Outcome:
        """The value as an outcome."""
        if isinstance(value, Full):
            return self._full(value)
        if self.shape is None:
            return Outcome(content=tuple(_written(value)))
        return Outcome(json=_text(self.shape.encode(value)))

    def placed(self, misfit: Misfit) -> Misfit:
        """The same, with the step that the host adds where it wraps a value."""
        schema = self.schema
        wraps = schema is not None and (schema.get("type") != "object" or "propertyNames" in schema)
        return misfit.within("result") if wraps else misfit

    def _full(self, full: Full[Any]) -> Outcome:
        own = tuple(Text(block) if isinstance(block, str) else block for block in full.content)
        parts: dict[str, Any] = {
            "meta": tuple((key, _text(_beside(key, value))) for key, value in full.meta.items()),
            "is_error": full.is_error,
            "is_full": True,
        }
        if self.shape is None:
            written = () if full.value is MISSING else tuple(_written(full.value))
            return Outcome(content=(*written, *own), **parts)
        if own and not self.own_content:
            raise TypeError(
                "the tool gives content of its own, which its description does not announce: "
                "write `@tool(own_content=True)`"
            )
        return Outcome(
            json=None if full.value is MISSING else _text(self.shape.encode(full.value)),
            content=own,
            exact_schema=None if full.exact_schema is None else json.dumps(full.exact_schema),
            **parts,
        )


_EMPTY = inspect.Signature.empty


def _inside(annotation: Any) -> tuple[Any, bool]:
    """What is within `Full[…]`, and whether it is one; nothing is within `Full` alone."""
    if annotation is Full:
        return MISSING, True
    if typing.get_origin(annotation) is Full:
        return typing.get_args(annotation)[0], True
    if any(arm is Full or typing.get_origin(arm) is Full for arm in _arms(annotation)):
        raise SchemaError(f"the return type {annotation!r} has no contract: `Full[…]` stands alone")
    return annotation, False


def _is_content(annotation: Any) -> bool:
    if typing.get_origin(annotation) in (list, tuple):
        return any(_is_content(it) for it in typing.get_args(annotation) if it is not ...)
    return annotation in BLOCKS or any(_is_content(arm) for arm in _arms(annotation))


def _arms(annotation: Any) -> tuple[Any, ...]:
    is_union = typing.get_origin(annotation) in (typing.Union, UnionType)
    return typing.get_args(annotation) if is_union else ()


def _written(value: Any) -> list[Content]:
    try:
        return blocks(value)
    except Misfit as misfit:
        # There is no contract that the model could have read.
        raise Misfit(misfit.what, no_json=True) from None


def _beside(key: str, value: Any) -> Json:
    try:
        return native(value)
    except Misfit as misfit:
        raise misfit.within(f"meta {key}") from None


# One encoder: `json.dumps` would make one for every call.
_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
