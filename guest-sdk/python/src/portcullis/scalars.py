"""Types whose values have no parts."""

from __future__ import annotations

import base64
import binascii
import datetime
import decimal
import enum
import math
import pathlib
import re
import uuid
from collections.abc import Callable
from typing import Any

from .errors import Misfit, SchemaError
from .field import Schema
from .shape import Definitions, Json, Shape, integer, native, number, text


class Anything(Shape):
    """Any value."""

    name = "Any"

    def schema(self, definitions: Definitions) -> Schema:
        return {}

    def accepts(self, value: Any) -> bool:
        return True

    def encode(self, value: Any) -> Json:
        return native(value)

    def decode(self, value: Json) -> Any:
        return value


class Plain(Shape):
    """A type that JSON has, too."""

    def __init__(
        self, of_type: type, json_type: str, check: Callable[[Any], Json] = lambda it: it
    ) -> None:
        self.name = "None" if of_type is type(None) else of_type.__name__
        self.natives = (of_type,)
        self._type = of_type
        self._json_type = json_type
        self._check = check

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": self._json_type}

    def accepts(self, value: Any) -> bool:
        # A bool is an int to Python, and to nobody else.
        return isinstance(value, self._type) and isinstance(value, bool) <= (self._type is bool)

    def encode(self, value: Any) -> Json:
        return self._check(value) if self.accepts(value) else self.foreign(value)

    def decode(self, value: Json) -> Any:
        if self.accepts(value):
            return value
        raise self.misfit(value)


class Integer(Plain):
    """int. An integral number of JSON is one, however it is spelled."""

    def __init__(self) -> None:
        super().__init__(int, "integer", integer)

    def decode(self, value: Json) -> Any:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return super().decode(value)


class Number(Plain):
    """float. An int is one, too."""

    def __init__(self) -> None:
        super().__init__(float, "number", number)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    def encode(self, value: Any) -> Json:
        if isinstance(value, int) and self.accepts(value):
            exact = abs(value) <= 2**53
            return float(value) if exact else integer(value)
        return super().encode(value)

    def decode(self, value: Json) -> Any:
        return float(super().decode(value))


class Textual(Shape):
    """A type whose values are written as text."""

    natives: tuple[type, ...] = (str,)

    def __init__(
        self,
        of_type: type,
        schema: Schema,
        write: Callable[[Any], str] = str,
        read: Callable[[str], Any] | None = None,
    ) -> None:
        self.name = of_type.__name__
        self._type = of_type
        self._schema = schema
        self._write = write
        self._read = read or of_type

    def schema(self, definitions: Definitions) -> Schema:
        return dict(self._schema)

    def accepts(self, value: Any) -> bool:
        # A datetime is a date to Python, and would lose its time.
        has_time = self._type is datetime.date and isinstance(value, datetime.datetime)
        return isinstance(value, self._type) and not has_time

    def encode(self, value: Any) -> Json:
        if self.accepts(value):
            return text(self._write(value))
        return self.foreign(value)

    def decode(self, value: Json) -> Any:
        if isinstance(value, str):
            try:
                return self._read(value)
            except (ValueError, ArithmeticError):
                pass
        raise Misfit(f"is no {self.name}")


class Money(Textual):
    """Decimal: written as text, which keeps all digits, and read from numbers as well."""

    natives = (str, int, float)

    def __init__(self) -> None:
        super().__init__(
            decimal.Decimal, {"anyOf": [{"type": "number"}, {"type": "string"}]}, write=_finite
        )

    def decode(self, value: Json) -> Any:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return super().decode(repr(value) if is_number else value)


class Choice(Shape):
    """Some values and no others: a Literal."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values
        self.name = f"Literal[{', '.join(map(repr, values))}]"
        self.natives = tuple({type(value) for value in self._written()})

    def schema(self, definitions: Definitions) -> Schema:
        return choice(self._written())

    def accepts(self, value: Any) -> bool:
        return any(value == it and type(value) is type(it) for it in self.values)

    def encode(self, value: Any) -> Json:
        if isinstance(value, enum.Enum) and self.accepts(value):
            return value.value
        return self.foreign(value)

    def decode(self, value: Json) -> Any:
        for meant, written in zip(self.values, self._written(), strict=True):
            if value == written and type(value) is type(written):
                return meant
        raise self.misfit(value)

    def _written(self) -> list[Json]:
        return [it.value if isinstance(it, enum.Enum) else it for it in self.values]


class Enumeration(Shape):
    """A class of named values."""

    def __init__(self, of_type: type[enum.Enum]) -> None:
        self.name = of_type.__name__
        self.type = of_type
        self.natives = tuple({type(member.value) for member in of_type})

    def schema(self, definitions: Definitions) -> Schema:
        return definitions.refer(self.type, self.name, self._definition)

    def _definition(self) -> Schema:
        values = [member.value for member in self.type]
        if not all(value is None or isinstance(value, (str, int, float)) for value in values):
            raise SchemaError(f"{self.type!r}: a member's value is neither text nor a number")
        if issubclass(self.type, enum.Flag):
            return {"type": "integer", "minimum": 0, "maximum": self._all()}
        docs = self.type.__dict__.get("__doc__")
        described = {"description": docs.strip()} if docs and docs != "An enumeration." else {}
        return {**choice(values), **described}

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self.type)

    def encode(self, value: Any) -> Json:
        return value.value if self.accepts(value) else self.foreign(value)

    def decode(self, value: Json) -> Any:
        try:
            return self.type(value)
        except ValueError:
            raise self.misfit(value) from None

    def _all(self) -> int:
        combined = 0
        for member in self.type:
            combined |= member.value
        return combined


def choice(values: list[Json]) -> Schema:
    """The schema of some values and no others."""
    types = {_TYPES.get(type(value)) for value in values}
    one_type = {"type": types.pop()} if len(types) == 1 else {}
    return {**one_type, **({"const": values[0]} if len(values) == 1 else {"enum": values})}


_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def _moment(value: datetime.datetime | datetime.time) -> str:
    return value.isoformat().replace("+00:00", "Z")


def _finite(value: decimal.Decimal) -> str:
    if value.is_finite():
        return str(value)
    raise Misfit("is not finite, which JSON has no number for")


def _duration(value: datetime.timedelta) -> str:
    sign, value = ("-", -value) if value < datetime.timedelta(0) else ("", value)
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{value.microseconds:06}".rstrip("0") if value.microseconds else ""
    times = [
        (hours, "H"),
        (minutes, "M"),
        (f"{seconds}{fraction}" if seconds or fraction else 0, "S"),
    ]
    days = f"{value.days}D" if value.days else ""
    time = "".join(f"{count}{unit}" for count, unit in times if count)
    return f"{sign}P{days}{'T' if time else ''}{time}" if days or time else "PT0S"


_DURATION = re.compile(
    r"([-+]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?"
)


def _timedelta(value: str) -> datetime.timedelta:
    found = _DURATION.fullmatch(value)
    if found is None:
        raise ValueError(value)
    sign, *parts = found.groups()
    weeks, days, hours, minutes, seconds = (float(part or 0) for part in parts)
    length = datetime.timedelta(
        weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds
    )
    return -length if sign == "-" else length


def _from_base64(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError(value) from error


def _string(format: str) -> Schema:  # noqa: A002
    return {"type": "string", "format": format}


_BASE64 = {"type": "string", "contentEncoding": "base64"}

SCALARS: dict[Any, Shape] = {
    Any: Anything(),
    object: Anything(),
    type(None): Plain(type(None), "null"),
    bool: Plain(bool, "boolean"),
    int: Integer(),
    float: Number(),
    str: Plain(str, "string", text),
    bytes: Textual(bytes, _BASE64, lambda it: base64.b64encode(it).decode(), _from_base64),
    complex: Textual(complex, {"type": "string"}, lambda it: str(it).strip("()")),
    decimal.Decimal: Money(),
    datetime.datetime: Textual(
        datetime.datetime, _string("date-time"), _moment, datetime.datetime.fromisoformat
    ),
    datetime.date: Textual(
        datetime.date, _string("date"), datetime.date.isoformat, datetime.date.fromisoformat
    ),
    datetime.time: Textual(datetime.time, _string("time"), _moment, datetime.time.fromisoformat),
    datetime.timedelta: Textual(datetime.timedelta, _string("duration"), _duration, _timedelta),
    uuid.UUID: Textual(uuid.UUID, _string("uuid")),
    pathlib.Path: Textual(pathlib.Path, _string("path")),
    pathlib.PurePath: Textual(pathlib.PurePath, _string("path")),
}
"""The shapes of the types of Python."""


def float_key(value: float) -> str:
    """A number as a key of an object, without an exponent."""
    if not math.isfinite(value):
        raise Misfit("has a key that is not finite")
    digits = format(decimal.Decimal(repr(value)), "f")
    return digits if "." in digits else f"{digits}.0"
