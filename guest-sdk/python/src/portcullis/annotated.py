"""What annotations stand in a class, and in `Annotated`."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

from .errors import SchemaError

# To a type checker it is no value.
ANNOTATED: Any = typing.Annotated


def annotated_names(of_type: Any) -> dict[str, Any]:
    """The annotated names of a class that are fields, those of its bases first."""
    try:
        hints = typing.get_type_hints(of_type, include_extras=True)
    except NameError as error:
        raise SchemaError(f"an annotation names `{error.name}`, which is not there") from None
    except TypeError as error:
        raise SchemaError(f"an annotation is no type: {error}") from None
    is_plain = not dataclasses.is_dataclass(of_type) and not typing.is_typeddict(of_type)
    return {
        name: hint
        for name, hint in hints.items()
        if typing.get_origin(hint) is not typing.ClassVar
        and hint is not typing.ClassVar
        and not isinstance(hint, dataclasses.InitVar)
        and not (is_plain and name.startswith("_"))
    }


def metadata(hint: Any) -> tuple[Any, ...]:
    """What stands in `Annotated` beside the type."""
    return typing.get_args(hint)[1:] if typing.get_origin(hint) is ANNOTATED else ()
