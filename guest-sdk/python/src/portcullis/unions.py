"""Types whose values are of one of several types."""

from __future__ import annotations

from typing import Any

from .errors import Misfit, SchemaError
from .field import Schema
from .shape import Definitions, Json, Shape


class Union(Shape):
    """One of several types; of those that fit, the one that knows most of the value's keys."""

    def __init__(self, arms: tuple[Shape, ...]) -> None:
        self.arms = arms
        self.name = " | ".join(arm.name for arm in arms)
        self.natives = tuple({it for arm in arms for it in arm.natives})

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [arm.schema(definitions) for arm in self.arms]}

    def accepts(self, value: Any) -> bool:
        return any(arm.accepts(value) for arm in self.arms)

    def known(self, value: Any) -> int:
        return max(arm.known(value) for arm in self.arms)

    def encode(self, value: Any) -> Json:
        fitting = [arm for arm in self.arms if arm.accepts(value)]
        if not fitting:
            return self.foreign(value)
        return self._best(fitting, value).encode(value)

    def decode(self, value: Json) -> Any:
        exact = [arm for arm in self.arms if type(value) in arm.natives]
        best: tuple[int, Any] | None = None
        for arm in [*exact, *(arm for arm in self.arms if arm not in exact)]:
            try:
                read = arm.decode(value)
            except Misfit:
                continue
            known = arm.known(value)
            if best is None or known > best[0]:
                best = (known, read)
        if best is None:
            raise self.misfit(value)
        return best[1]

    def _best(self, arms: list[Shape], value: Any) -> Shape:
        exact = [arm for arm in arms if type(value) in arm.natives]
        return max(exact or arms, key=lambda arm: arm.known(value))


class Tagged(Union):
    """Records that a field tells apart."""

    def __init__(self, arms: tuple[Shape, ...], tag: str) -> None:
        super().__init__(arms)
        self._tag = tag

    def schema(self, definitions: Definitions) -> Schema:
        mapping = {}
        for arm in self.arms:
            tags = getattr(arm, "tags", lambda _: ())(self._tag)
            if not tags:
                raise SchemaError(f"`{arm.name}` has no field `{self._tag}` that is a Literal")
            mapping.update(dict.fromkeys(tags, arm.schema(definitions)["$ref"]))
        return {
            "discriminator": {"mapping": mapping, "propertyName": self._tag},
            "oneOf": [arm.schema(definitions) for arm in self.arms],
        }
