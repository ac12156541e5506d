"""JSON text that every reader reads alike.

Once it is a value, a key that was given twice and the digits of a large integer are gone, and the
host could not tell any more.
"""

from __future__ import annotations

import json
from typing import Any

from .errors import Misfit, ToolError
from .shape import integer


def parse_json(text: str | bytes) -> Any:
    """Reads JSON text by the host's rules for results.

    It is the way for data that comes from somewhere else: return what it gives from a tool that is
    declared to return something, and the host checks it. Text that is no JSON, or none that every
    reader reads alike, is a `ToolError`.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_integer
        )
    except (ValueError, RecursionError) as error:
        raise ToolError(str(error)) from error


def _once(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(entries)
    if len(read) < len(entries):
        keys = [key for key, _ in entries]
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key `{doubled}` is given twice")
    return read


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _integer(digits: str) -> int:
    try:
        return integer(int(digits))  # type: ignore[no-any-return]
    except (Misfit, ValueError):
        raise ValueError(f"the integer {digits[:40]} is out of range: it takes a string") from None
