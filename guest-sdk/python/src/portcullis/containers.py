"""Types whose values hold others: lists, tuples, sets, and maps."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import Misfit, SchemaError
from .field import Schema
from .scalars import Anything, Enumeration, Integer, Number, Plain, float_key
from .shape import Definitions, Json, Noted, Shape, native

_SINGLE = (str, bytes, bytearray, Mapping)


def _encode_each(items: Iterable[Any], shape: Shape) -> list[Json]:
    written = []
    for index, item in enumerate(items):
        try:
            written.append(shape.encode(item))
        except Misfit as misfit:
            raise misfit.within(index) from None
    return written


def _decode_each(items: Iterable[Json], shape: Shape) -> list[Any]:
    read = []
    for index, item in enumerate(items):
        try:
            read.append(shape.decode(item))
        except Misfit as misfit:
            raise misfit.within(index) from None
    return read


class Sequence(Shape):
    """A list, or a set: items of one type."""

    natives = (list,)

    def __init__(self, item: Shape, make: type = list, *, is_set: bool = False) -> None:
        self.item = item
        self.name = f"{make.__name__}[{item.name}]"
        self._make = make
        self._is_set = is_set

    def schema(self, definitions: Definitions) -> Schema:
        unique = {"uniqueItems": True} if self._is_set else {}
        return {"type": "array", "items": self.item.schema(definitions), **unique}

    def accepts(self, value: Any) -> bool:
        # A generator could not be looked through twice.
        is_sized = isinstance(value, Iterable) and hasattr(value, "__len__")
        if not is_sized or isinstance(value, _SINGLE):
            return False
        return all(self.item.accepts(item) for item in value)

    def encode(self, value: Any) -> Json:
        if not isinstance(value, Iterable) or isinstance(value, _SINGLE):
            return self.foreign(value)
        return _encode_each(value, self.item)

    def decode(self, value: Json) -> Any:
        if not isinstance(value, list):
            raise self.misfit(value)
        items = _decode_each(value, self.item)
        return items if self._make is list else self._make(items)


class Tuple(Shape):
    """A tuple of a known length."""

    natives = (list,)

    def __init__(self, items: tuple[Shape, ...]) -> None:
        self.items = items
        self.name = f"tuple[{', '.join(item.name for item in items)}]"

    def schema(self, definitions: Definitions) -> Schema:
        count = len(self.items)
        schema: Schema = {"type": "array", "minItems": count, "maxItems": count}
        if self.items:
            schema["prefixItems"] = [item.schema(definitions) for item in self.items]
        return schema

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, (list, tuple)) or len(value) != len(self.items):
            return False
        return all(shape.accepts(item) for shape, item in zip(self.items, value, strict=True))

    def encode(self, value: Any) -> Json:
        if not isinstance(value, (list, tuple)):
            return self.foreign(value)
        if len(value) != len(self.items):
            return [native(item) for item in value]
        return [
            _encode_each([item], shape)[0] for shape, item in zip(self.items, value, strict=True)
        ]

    def decode(self, value: Json) -> Any:
        if not isinstance(value, list) or len(value) != len(self.items):
            raise self.misfit(value)
        return tuple(shape.decode(item) for shape, item in zip(self.items, value, strict=True))


class Map(Shape):
    """A dict: an object, or, where a key is no text, a list of pairs."""

    def __init__(self, key: Shape, value: Shape, make: Any = dict) -> None:
        self.name = f"dict[{key.name}, {value.name}]"
        self._key = key
        self._value = value
        self._make = make
        self._names = _key_names(key)
        self._pairs = None if self._names is not None else Sequence(Tuple((key, value)))
        self.natives = (dict,) if self._pairs is None else (list,)

    def schema(self, definitions: Definitions) -> Schema:
        if self._pairs is not None:
            return self._pairs.schema(definitions)
        value = self._value.schema(definitions)
        names = self._names(definitions) if self._names else {}
        schema: Schema = {"type": "object", "additionalProperties": value or True}
        return {**schema, "propertyNames": names} if names else schema

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Mapping) and all(
            self._key.accepts(key) and self._value.accepts(item) for key, item in value.items()
        )

    def encode(self, value: Any) -> Json:
        if not isinstance(value, Mapping):
            return self.foreign(value)
        if self._pairs is not None:
            return self._pairs.encode(list(value.items()))
        written: dict[str, Json] = {}
        for key, item in value.items():
            name = self._name(key)
            if name in written:
                raise Misfit(f"has two keys that are written `{name}`")
            try:
                written[name] = self._value.encode(item)
            except Misfit as misfit:
                raise misfit.within(name) from None
        return written

    def decode(self, value: Json) -> Any:
        if self._pairs is not None:
            return self._make(self._pairs.decode(value))
        if not isinstance(value, dict):
            raise self.misfit(value)
        read = {}
        for name, item in value.items():
            try:
                read[self._read_name(name)] = self._value.decode(item)
            except Misfit as misfit:
                raise misfit.within(name) from None
        return self._make(read)

    def _name(self, key: Any) -> str:
        written = self._key.encode(key)
        if isinstance(written, str):
            return str(written)
        if written is None or isinstance(written, bool):
            return {None: "null", True: "true", False: "false"}[written]
        if isinstance(written, int):
            return str(int(written))
        if isinstance(written, float):
            return float_key(written)
        raise Misfit(f"has a key that is {type(key).__name__}, which is no text")

    def _read_name(self, name: str) -> Any:
        for meant in (name, {"true": True, "false": False}.get(name), _number(name)):
            if meant is not None:
                try:
                    return self._key.decode(meant)
                except Misfit:
                    continue
        raise Misfit(f"is no key of `{self.name}`")


def _number(name: str) -> float | None:
    for read in (int, float):
        try:
            return read(name)
        except ValueError:
            continue
    return None


_NAMES: dict[type, Schema] = {
    int: {"pattern": "^-?[0-9]+$"},
    float: {"pattern": "^-?[0-9]+\\.[0-9]+$"},
    bool: {"enum": ["true", "false"]},
}


def _key_names(key: Shape) -> Any:
    """What writes the schema of the keys of an object; none: a key of this type is no text."""
    inner = key.inner if isinstance(key, Noted) else key
    if isinstance(inner, (Integer, Number)) or isinstance(inner, Plain) and bool in inner.natives:
        names = _NAMES[inner.natives[0]]
        return lambda _: dict(names)
    if isinstance(inner, Enumeration):
        if issubclass(inner.type, enum.Flag) or set(inner.natives) != {str}:
            raise SchemaError(f"`{key.name}` is no key of an object: its values are no text")
        return key.schema
    if isinstance(inner, Anything) or set(key.natives) == {str}:
        # That a key is text goes without saying.
        return lambda definitions: _without_type(key.schema(definitions))
    return None


def _without_type(schema: Schema) -> Schema:
    schema.pop("type", None)
    return schema
