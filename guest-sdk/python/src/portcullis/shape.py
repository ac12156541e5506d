"""A type as JSON: its schema, and the way of its values there and back.

All three come from one object, so what is published and what is written agree.
"""

from __future__ import annotations

import math
from typing import Any

from .errors import Misfit
from .field import FieldInfo, Schema

Json = Any


class Shape:
    """A type as JSON."""

    name = "?"
    """What the type is called in errors."""
    natives: tuple[type, ...] = ()
    """The types of JSON values that this type is written as."""

    def schema(self, definitions: Definitions) -> Schema:
        """The type's schema; named types are put into `definitions`."""
        raise NotImplementedError

    def accepts(self, value: Any) -> bool:
        """Whether this is a value of the type."""
        raise NotImplementedError

    def encode(self, value: Any) -> Json:
        """The value as JSON.

        What is JSON already goes as it is, even if it does not fit: the host checks every result,
        and tells all that is wrong with it. Anything else of another type is a `Misfit`.
        """
        raise NotImplementedError

    def decode(self, value: Json) -> Any:
        """The value that JSON stands for, or a `Misfit`."""
        raise NotImplementedError

    def known(self, value: Any) -> int:
        """How many of the value's keys are known here: the more, the better it fits."""
        return 0

    def misfit(self, value: Any) -> Misfit:
        """Says that this is no value of the type."""
        return Misfit(f"is {kind(value)}, and `{self.name}` is declared")

    def foreign(self, value: Any) -> Json:
        """JSON that is no value of the type, as it is."""
        if is_native(value):
            return native(value)
        raise self.misfit(value)


class Definitions:
    """The named types of one schema."""

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}
        self._names: dict[Any, str] = {}

    def refer(self, of_type: Any, name: str, write: Any) -> Schema:
        """A reference to a type's definition, which `write` makes when it is first needed."""
        if of_type not in self._names:
            taken = set(self._names.values())
            numbered = (f"{name}{number}" for number in range(2, len(taken) + 3))
            self._names[of_type] = name = next(it for it in (name, *numbered) if it not in taken)
            self.schemas[name] = {}
            self.schemas[name] = write()
        return {"$ref": f"#/$defs/{self._names[of_type]}"}


def root(shape: Shape) -> Schema:
    """The whole schema of a type: a named type stands at the root itself, under its name, and is a
    definition only where something refers to it."""
    definitions = Definitions()
    schema = shape.schema(definitions)
    named = definitions.schemas
    if "$ref" in schema:
        name = schema.pop("$ref").removeprefix("#/$defs/")
        schema = {"title": name, **named[name], **schema}
        others = [definition for key, definition in named.items() if key != name]
        if not any(_refers(f"#/$defs/{name}", part) for part in [schema, *others]):
            del named[name]
    return {**schema, "$defs": named} if named else schema


def _refers(reference: str, part: Any) -> bool:
    if isinstance(part, dict):
        return part.get("$ref") == reference or any(_refers(reference, it) for it in part.values())
    return isinstance(part, list) and any(_refers(reference, it) for it in part)


class Noted(Shape):
    """A type of which more is said."""

    def __init__(self, inner: Shape, info: FieldInfo) -> None:
        self.inner = inner
        self.info = info
        self.name = inner.name
        self.natives = inner.natives
        self.accepts = inner.accepts  # type: ignore[method-assign]
        self.encode = inner.encode  # type: ignore[method-assign]
        self.decode = inner.decode  # type: ignore[method-assign]
        self.known = inner.known  # type: ignore[method-assign]

    def schema(self, definitions: Definitions) -> Schema:
        return self.info.write(self.inner.schema(definitions))


def kind(value: Any) -> str:
    """What a value is, in a word or two."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"an `{name}`" if name[0] in "aeiouAEIOU" else f"a `{name}`"


def is_native(value: Any) -> bool:
    """Whether the value is JSON by itself, its parts aside."""
    return value is None or isinstance(value, (bool, int, float, str, list, tuple, dict))


def native(value: Any) -> Json:
    """The value as JSON by what it is, where nothing is declared."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, float):
        return number(value)
    from .reading import of_value

    return of_value(value).encode(value)


def text(value: str) -> Json:
    """Text that is Unicode."""
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Misfit("holds a lone surrogate, which is no Unicode text") from None
    return value


def integer(value: int) -> Json:
    """An integer that every reader of JSON can hold."""
    if -(2**63) <= value < 2**64:
        return value
    raise Misfit("is an integer beyond 64 bits: it takes a string")


def number(value: float) -> Json:
    """A number that JSON has a word for."""
    if math.isfinite(value):
        return value
    found = "NaN" if math.isnan(value) else "infinite"
    raise Misfit(f"is {found}, which JSON has no number for")
