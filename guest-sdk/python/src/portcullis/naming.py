"""What the component is called, and what is in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .errors import SchemaError

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass
class About:
    """A name for people, and a semantic version."""

    name: str = ""
    version: str = ""


ABOUT = About()
"""What the component says it is."""


def about(*, name: str | None = None, version: str | None = None) -> None:
    """Names the component. What nobody says here comes from the project that it is built from."""
    ABOUT.name = name or ABOUT.name
    ABOUT.version = version or ABOUT.version


def distinct(function: Callable[..., Any], name: str, others: Iterable[str], what: str) -> None:
    """Sees to it that a tool or a prompt has a name, and one of its own."""
    of = f"Function {function.__name__}"
    if not _NAME.fullmatch(name):
        raise SchemaError(f"{of}: the name `{name}` is not 1 to 64 of A-Z a-z 0-9 _ -")
    for other in others:
        if other.lower() == name.lower():
            raise SchemaError(
                f"{of}: a {what} is named `{other}` already: "
                f'write `@{what}(name="…")` on one of them'
            )
