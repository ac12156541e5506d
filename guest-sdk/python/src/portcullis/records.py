"""Types whose values have named fields: dataclasses, TypedDicts, NamedTuples, models, and ordinary
classes with annotations.

A record knows its fields when it is first asked for them, so that it may hold itself.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .annotated import annotated_names, metadata
from .errors import Misfit, SchemaError
from .field import MISSING, FieldInfo, Schema, said
from .model import Model
from .scalars import Choice
from .shape import Definitions, Json, Noted, Shape


@dataclass(frozen=True)
class Part:
    """One field of a record."""

    attribute: str
    key: str
    shape: Shape
    required: bool
    default: Any = MISSING


class Record(Shape):
    """A class with annotated fields."""

    natives = (dict,)

    def __init__(self, of_type: Any, read: Callable[[Any], Shape]) -> None:
        self.name = of_type.__name__
        self.type = of_type
        self._read = read
        self._is_dict = typing.is_typeddict(of_type)
        self._extra = of_type.model_config.get("extra") if is_model(of_type) else None

    @functools.cached_property
    def parts(self) -> dict[str, Part]:
        """The fields, by their keys in JSON."""
        try:
            parts = list(_parts(self.type, self._read))
        except SchemaError as error:
            raise SchemaError(f"`{self.name}`: {error}") from None
        keys = [part.key for part in parts]
        if doubled := {key for key in keys if keys.count(key) > 1}:
            raise SchemaError(f"`{self.name}` has two fields with the name {doubled.pop()!r}")
        return {part.key: part for part in parts}

    def tags(self, key: str) -> tuple[Any, ...]:
        """The values of the field that tells this record from others."""
        shape = self.parts[key].shape if key in self.parts else None
        shape = shape.inner if isinstance(shape, Noted) else shape
        return shape.values if isinstance(shape, Choice) else ()

    def schema(self, definitions: Definitions) -> Schema:
        return definitions.refer(self.type, self.name, lambda: self._definition(definitions))

    def _definition(self, definitions: Definitions) -> Schema:
        properties = {}
        for part in self.parts.values():
            properties[part.key] = schema = part.shape.schema(definitions)
            if part.default is not MISSING:
                schema["default"] = published_default(part.shape, part.default, part.attribute)
        schema = {"type": "object", "properties": properties}
        if required := [part.key for part in self.parts.values() if part.required]:
            schema["required"] = required
        if self._extra in ("allow", "forbid"):
            schema["additionalProperties"] = self._extra == "allow"
        if docs := _docs(self.type):
            schema["description"] = docs
        return schema

    def accepts(self, value: Any) -> bool:
        if not self._is_dict and isinstance(value, self.type):
            return True
        if not isinstance(value, Mapping):
            return False
        required = (part.key for part in self.parts.values() if part.required)
        return all(key in value for key in required) and all(
            self.parts[key].shape.accepts(item) for key, item in value.items() if key in self.parts
        )

    def known(self, value: Any) -> int:
        return sum(key in self.parts for key in value) if isinstance(value, Mapping) else 0

    def encode(self, value: Any) -> Json:
        if self._is_dict or not isinstance(value, self.type):
            return self._encode_dict(value)
        written = {}
        for part in self.parts.values():
            item = getattr(value, part.attribute, MISSING)
            # Of what was never set, the host says that it is missing.
            if item is not MISSING:
                try:
                    written[part.key] = part.shape.encode(item)
                except Misfit as misfit:
                    raise misfit.within(part.key) from None
        extra = getattr(value, "extra_fields", None)
        return {**written, **self._encode_dict(extra)} if extra else written

    def _encode_dict(self, value: Any) -> Json:
        if not isinstance(value, Mapping):
            return self.foreign(value)
        written = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise Misfit(
                    f"has a key that is {type(key).__name__}, and `{self.name}` is declared"
                )
            try:
                shape = self.parts[key].shape if key in self.parts else self._read(Any)
                written[key] = shape.encode(item)
            except Misfit as misfit:
                raise misfit.within(key) from None
        return written

    def decode(self, value: Json) -> Any:
        if not isinstance(value, dict):
            raise self.misfit(value)
        fields = {}
        for part in self.parts.values():
            if part.key in value:
                try:
                    fields[part.attribute] = part.shape.decode(value[part.key])
                except Misfit as misfit:
                    raise misfit.within(part.key) from None
            elif part.required:
                raise Misfit("is missing").within(part.key)
        others = {key: item for key, item in value.items() if key not in self.parts}
        if others and self._extra == "forbid":
            raise Misfit("is not known").within(next(iter(others)))
        if others and (self._is_dict or self._extra == "allow"):
            fields.update(others)
        return _make(self.type, fields)


def published_default(shape: Shape, default: Any, of: str) -> Json:
    """A default as the schema shows it."""
    try:
        return shape.encode(default)
    except Misfit as misfit:
        raise SchemaError(misfit.text(f"the default of `{of}`")) from None


def is_model(of_type: Any) -> bool:
    """Whether it is a class of fields that `Field` describes."""
    return isinstance(of_type, type) and issubclass(of_type, Model)


def is_named_tuple(of_type: Any) -> bool:
    """Whether it is a NamedTuple."""
    return isinstance(of_type, type) and issubclass(of_type, tuple) and hasattr(of_type, "_fields")


def _parts(of_type: Any, read: Callable[[Any], Shape]) -> Iterator[Part]:
    defaults = _defaults(of_type)
    for name, hint in annotated_names(of_type).items():
        hint, required = _unqualified(hint)
        info = defaults.get(name, FieldInfo())
        inside = said(metadata(hint))
        try:
            shape = read(hint)
            shape = read(typing.Annotated[hint, info]) if info != FieldInfo() else shape
            infos = [*inside, info]
            default = next((it for it in infos if it.has_default), FieldInfo())
            alias = next((it.alias for it in reversed(infos) if it.alias), None)
        except SchemaError as error:
            raise SchemaError(f"field `{name}`: {error}") from None
        if required is None:
            keys = getattr(of_type, "__required_keys__", None)
            required = name in keys if keys is not None else not default.has_default
        key = alias or (of_type.key(name) if is_model(of_type) else name)
        yield Part(name, key, shape, required, default.default)


def _defaults(of_type: Any) -> dict[str, FieldInfo]:
    if is_model(of_type):
        return dict(of_type.fields())
    if dataclasses.is_dataclass(of_type):
        return {field.name: _dataclass_default(field) for field in dataclasses.fields(of_type)}
    if is_named_tuple(of_type):
        return {name: FieldInfo(default=it) for name, it in of_type._field_defaults.items()}
    if typing.is_typeddict(of_type):
        return {}
    names = annotated_names(of_type)
    found = {name: getattr(of_type, name, MISSING) for name in names}
    return {
        name: it if isinstance(it, FieldInfo) else FieldInfo(default=it)
        for name, it in found.items()
        if it is not MISSING
    }


def _dataclass_default(field: dataclasses.Field[Any]) -> FieldInfo:
    if isinstance(field.default, FieldInfo):
        raise SchemaError(
            "`Field(…)` of a dataclass stands in the annotation: Annotated[…, Field(…)]"
        )
    if field.default_factory is not dataclasses.MISSING:
        return FieldInfo(default_factory=field.default_factory)
    is_there = field.default is not dataclasses.MISSING
    return FieldInfo(default=field.default) if is_there else FieldInfo()


_QUALIFIERS = {typing.Required: True, typing.NotRequired: False, typing.Final: None}


def _unqualified(hint: Any) -> tuple[Any, bool | None]:
    """The annotation itself, and what stands around it says of being required."""
    required = None
    while (origin := typing.get_origin(hint)) in _QUALIFIERS or _is_read_only(origin):
        required = _QUALIFIERS.get(origin) if required is None else required
        (hint,) = typing.get_args(hint)
    return hint, required


def _is_read_only(origin: Any) -> bool:
    return origin is not None and origin is getattr(typing, "ReadOnly", None)


def _docs(of_type: Any) -> str | None:
    """What an author wrote below the class's name, and not what Python wrote itself."""
    docs = of_type.__dict__.get("__doc__")
    if not docs or docs.startswith(f"{of_type.__name__}("):
        return None
    import inspect

    return inspect.cleandoc(docs)


def _make(of_type: Any, fields: dict[str, Any]) -> Any:
    """A value of these fields. An ordinary class is not asked what its `__init__` takes."""
    is_known = dataclasses.is_dataclass(of_type) or typing.is_typeddict(of_type)
    if is_known or is_model(of_type) or is_named_tuple(of_type):
        return of_type(**fields)
    value = of_type.__new__(of_type)
    for name, item in fields.items():
        setattr(value, name, item)
    return value
