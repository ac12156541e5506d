"""Running what a function gave to its end."""

from __future__ import annotations

import inspect
from typing import Any


def prepare(function: Any) -> None:
    """Imports what an async function needs: during a call there is no import any more."""
    if inspect.iscoroutinefunction(inspect.unwrap(function)):
        from . import loop  # noqa: F401


def finished(result: Any) -> Any:
    """The result itself, or what it comes to when it is awaited."""
    if not inspect.isawaitable(result):
        return result
    from . import loop

    return loop.run(result)
