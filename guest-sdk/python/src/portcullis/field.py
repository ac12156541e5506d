"""What an author says of a field or a parameter beyond its type.

Each constraint has one keyword of JSON Schema for each kind of type, and a constraint that does
not fit a type is an error, not ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import SchemaError

Schema = dict[str, Any]


class _Missing:
    """No value, where None is one."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Any = _Missing()

# By constraint and JSON type.
_KEYWORDS = {
    "ge": {"integer": "minimum", "number": "minimum"},
    "gt": {"integer": "exclusiveMinimum", "number": "exclusiveMinimum"},
    "le": {"integer": "maximum", "number": "maximum"},
    "lt": {"integer": "exclusiveMaximum", "number": "exclusiveMaximum"},
    "multiple_of": {"integer": "multipleOf", "number": "multipleOf"},
    "min_length": {"string": "minLength", "array": "minItems", "object": "minProperties"},
    "max_length": {"string": "maxLength", "array": "maxItems", "object": "maxProperties"},
    "pattern": {"string": "pattern"},
}


@dataclass(frozen=True)
class FieldInfo:
    """What `Field(…)` says."""

    default: Any = MISSING
    default_factory: Callable[[], Any] | None = None
    alias: str | None = None
    title: str | None = None
    description: str | None = None
    examples: list[Any] | None = None
    discriminator: str | None = None
    constraints: tuple[tuple[str, Any], ...] = ()

    @property
    def has_default(self) -> bool:
        """Whether a value may be left out."""
        return self.default is not MISSING or self.default_factory is not None

    def make_default(self) -> Any:
        """The value of what was left out."""
        return self.default if self.default_factory is None else self.default_factory()

    def write(self, schema: Schema) -> Schema:
        """The schema with all that is said here but the default."""
        schema = dict(schema)
        arms = schema.get("anyOf")
        if self.constraints and arms and len(arms) == 2 and arms[1] == {"type": "null"}:
            # What is asked of an option is asked of what is there.
            schema["anyOf"] = [self._constrain(dict(arms[0])), arms[1]]
        else:
            self._constrain(schema)
        for keyword in ("title", "description", "examples"):
            said = getattr(self, keyword)
            if said is not None:
                schema[keyword] = said
        return schema

    def _constrain(self, schema: Schema) -> Schema:
        for constraint, bound in self.constraints:
            keyword = _KEYWORDS[constraint].get(schema.get("type", ""))
            if keyword is None:
                raise SchemaError(f"`{constraint}` is not for this type")
            schema[keyword] = bound
        return schema


def Field(  # noqa: N802
    default: Any = MISSING,
    *,
    default_factory: Callable[[], Any] | None = None,
    alias: str | None = None,
    title: str | None = None,
    description: str | None = None,
    examples: list[Any] | None = None,
    discriminator: str | None = None,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    lt: float | None = None,
    multiple_of: float | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
) -> Any:
    """Says more of a field of a `Model`, or, within `Annotated`, of any type.

    `...` as the default means that there is none.
    """
    bounds = {
        "ge": ge,
        "gt": gt,
        "le": le,
        "lt": lt,
        "multiple_of": multiple_of,
        "min_length": min_length,
        "max_length": max_length,
        "pattern": pattern,
    }
    return FieldInfo(
        default=MISSING if default is ... else default,
        default_factory=default_factory,
        alias=alias,
        title=title,
        description=description,
        examples=examples,
        discriminator=discriminator,
        constraints=tuple((name, bound) for name, bound in bounds.items() if bound is not None),
    )


def said(metadata: tuple[Any, ...]) -> list[FieldInfo]:
    """What stands within `Annotated`: fields, and texts, which are descriptions."""
    infos = (FieldInfo(description=it) if isinstance(it, str) else it for it in metadata)
    return [info for info in infos if isinstance(info, FieldInfo)]
