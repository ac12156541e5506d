"""From an annotation to the shape of its values."""

from __future__ import annotations

import collections
import collections.abc as abc
import dataclasses
import enum
import inspect
import types
import typing
from typing import Any

from .annotated import ANNOTATED, annotated_names
from .containers import Map, Sequence, Tuple
from .content import BLOCKS
from .errors import Misfit, SchemaError
from .field import FieldInfo, said
from .records import Record, is_model, is_named_tuple
from .scalars import SCALARS, Choice, Enumeration
from .shape import Noted, Shape
from .unions import Tagged, Union

_LISTS: dict[Any, type] = {
    list: list,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Collection: list,
    abc.Iterable: list,
    collections.deque: collections.deque,
}
_SETS: dict[Any, type] = {set: set, abc.Set: set, abc.MutableSet: set, frozenset: frozenset}
_MAPS: dict[Any, Any] = {
    dict: dict,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
    collections.OrderedDict: collections.OrderedDict,
    collections.defaultdict: dict,
}

_classes: dict[Any, Shape] = {}
_reading: list[Any] = []


def read(annotation: Any) -> Shape:
    """The shape of an annotation's values, or a `SchemaError` that names the type."""
    if annotation is inspect.Parameter.empty:
        return SCALARS[Any]
    if annotation is None:
        return SCALARS[type(None)]
    if isinstance(annotation, typing.TypeVar):
        return read(annotation.__bound__ or Any)
    if isinstance(annotation, typing.NewType):
        return read(annotation.__supertype__)
    if isinstance(annotation, getattr(typing, "TypeAliasType", ())):
        return _alias(annotation)
    origin = typing.get_origin(annotation)
    if origin is ANNOTATED:
        return _annotated(annotation)
    if origin is typing.Literal:
        return Choice(typing.get_args(annotation))
    if origin is typing.Union or origin is types.UnionType:
        return Union(tuple(read(arm) for arm in typing.get_args(annotation)))
    try:
        return _class(annotation, origin or annotation, typing.get_args(annotation))
    except TypeError as error:
        if isinstance(error, SchemaError):
            raise
        raise _no_schema(annotation, "is no type") from error


def of_value(value: Any) -> Shape:
    """The shape of a value of which nothing is declared."""
    of_type = type(value)
    for known in (of_type, *of_type.__mro__):
        if known is not object and (known in SCALARS or known in (*_LISTS, *_SETS, *_MAPS, tuple)):
            return read(known) if not is_named_tuple(of_type) else _record(of_type)
    if isinstance(value, abc.Mapping):
        return read(dict)
    if isinstance(value, (abc.Generator, abc.ValuesView, abc.KeysView, abc.ItemsView)):
        return read(list)
    try:
        # A mere object would be any value again.
        shape = read(of_type) if of_type is not object else None
    except SchemaError:
        shape = None
    if shape is None:
        raise Misfit(f"is a `{of_type.__name__}`, which has no form in JSON", no_json=True)
    return shape


def _class(annotation: Any, of_type: Any, args: tuple[Any, ...]) -> Shape:
    if of_type in _LISTS:
        return Sequence(read(args[0] if args else Any), _LISTS[of_type])
    if of_type in _SETS:
        return Sequence(read(args[0] if args else Any), _SETS[of_type], is_set=True)
    if of_type in _MAPS:
        key, value = args or (Any, Any)
        return Map(read(key), read(value), _MAPS[of_type])
    if of_type is tuple:
        if not args or args[-1] is ...:
            return Sequence(read(args[0] if args else Any), tuple)
        return Tuple(tuple(read(arg) for arg in args if arg != ()))
    if of_type in SCALARS:
        return SCALARS[of_type]
    if args:
        raise _no_schema(annotation, "is generic")
    if not isinstance(of_type, type):
        raise _no_schema(annotation, "is no type with values of its own")
    if of_type in BLOCKS:
        raise _no_schema(annotation, "is content, which stands alone or in a list, and is no data")
    if of_type not in _classes:
        is_enum = issubclass(of_type, enum.Enum)
        _classes[of_type] = Enumeration(of_type) if is_enum else _record(of_type)
    return _classes[of_type]


def _record(of_type: Any) -> Shape:
    if of_type not in _classes:
        is_record = is_model(of_type) or typing.is_typeddict(of_type) or is_named_tuple(of_type)
        if not is_record and not annotated_names(of_type):
            is_dataclass = dataclasses.is_dataclass(of_type)
            why = (
                "is a dataclass without fields"
                if is_dataclass
                else "has no annotations in its body"
            )
            raise _no_schema(of_type, why)
        _classes[of_type] = Record(of_type, read)
    return _classes[of_type]


def _alias(alias: Any) -> Shape:
    if alias in _reading:
        raise SchemaError(f"the type `{alias}` holds itself: use a class")
    _reading.append(alias)
    try:
        return read(alias.__value__)
    finally:
        _reading.pop()


def _annotated(annotation: Any) -> Shape:
    inner, *metadata = typing.get_args(annotation)
    shape = read(inner)
    for info in said(tuple(metadata)):
        if info.discriminator is not None:
            if not isinstance(shape, Union):
                raise SchemaError("`discriminator` is for unions of records")
            shape = Tagged(shape.arms, info.discriminator)
        if info != FieldInfo():
            shape = Noted(shape, info)
    return shape


def _no_schema(annotation: Any, why: str) -> SchemaError:
    return SchemaError(f"the type {annotation!r} has no schema: it {why}")
