"""Classes of fields that `Field` describes, in the manner of Pydantic, whose core is native code
and cannot run in a component.

A model takes its fields by name. It does not check their types: the host checks every argument
before a tool sees it, and every result before anyone else does.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, dataclass_transform

from .annotated import annotated_names, metadata
from .errors import SchemaError, listed
from .field import MISSING, Field, FieldInfo, said

_CONFIG = {"extra", "alias_generator"}
_EXTRA = {"allow", "ignore", "forbid"}


@dataclass_transform(kw_only_default=True, field_specifiers=(Field,))
class Model:
    """A class whose annotated attributes are fields.

    `model_config` may say what becomes of fields that are not known (`extra`: `ignore`, `allow`
    or `forbid`), and how a field is named in JSON (`alias_generator`: a function of its name); both
    may be arguments of the class instead.
    """

    model_config: ClassVar[Mapping[str, Any]] = {}
    extra_fields: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__()
        own = {**cls.model_config, **config}
        if unknown := sorted(own.keys() - _CONFIG):
            known = listed(sorted(_CONFIG))
            raise SchemaError(
                f"{cls!r}: {listed(unknown)} is no key of model_config; known: {known}"
            )
        if own.get("extra", "ignore") not in _EXTRA:
            raise SchemaError(f"{cls!r}: `extra` is one of {listed(sorted(_EXTRA))}")
        cls.model_config = own

    def __init__(self, /, **values: Any) -> None:
        cls = type(self)
        missing = []
        for name, info in cls.fields().items():
            key = next((it for it in (cls.key(name), name) if it in values), None)
            if key is not None:
                setattr(self, name, values.pop(key))
            elif info.has_default:
                setattr(self, name, copy.deepcopy(info.make_default()))
            else:
                missing.append(name)
        if missing:
            raise TypeError(f"{cls.__name__} lacks {listed(missing)}")
        if values and cls.model_config.get("extra") == "forbid":
            raise TypeError(f"{cls.__name__} has no field {listed(values)}")
        if values and cls.model_config.get("extra") == "allow":
            self.__dict__["extra_fields"] = values

    @classmethod
    def fields(cls) -> dict[str, FieldInfo]:
        """The fields, each with what is said of it."""
        if "_fields" not in cls.__dict__:
            cls._fields = _fields(cls)  # type: ignore[attr-defined]
        return cls._fields  # type: ignore[attr-defined, no-any-return]

    @classmethod
    def key(cls, name: str) -> str:
        """What a field is called in JSON."""
        generator = cls.model_config.get("alias_generator")
        return cls.fields()[name].alias or (generator(name) if generator else name)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __repr__(self) -> str:
        fields = ", ".join(
            f"{name}={getattr(self, name, MISSING)!r}" for name in type(self).fields()
        )
        return f"{type(self).__name__}({fields})"


def _fields(cls: type[Model]) -> dict[str, FieldInfo]:
    fields = {}
    for name, hint in annotated_names(cls).items():
        default = getattr(cls, name, MISSING)
        info = default if isinstance(default, FieldInfo) else FieldInfo(default=default)
        for inside in said(metadata(hint)) if info == FieldInfo() else ():
            info = inside if inside.has_default or inside.alias else info
        fields[name] = info
    return fields
