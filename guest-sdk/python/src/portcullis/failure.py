"""From an exception to the failure that the host is told.

What an author raised on purpose is for the model. Anything else is for the author alone: the
exception and the end of its traceback, bounded.
"""

from __future__ import annotations

import linecache
import sys
import traceback
from dataclasses import dataclass
from types import TracebackType

from .errors import InvalidArguments, MissingAbility, NotFound, ToolError
from .facts import Ability

FRAMES_MAX = 8
MESSAGE_CHARS_MAX = 2000


@dataclass(frozen=True)
class Failure:
    """Why there is no outcome, and who can act on it."""

    kind: str
    message: str
    needed: Ability = Ability(0)


def failure(error: BaseException) -> Failure:
    """What the host is told of an exception."""
    message = str(error)
    match error:
        case MissingAbility():
            return Failure("missing-client-ability", message, error.needed)
        case InvalidArguments():
            return Failure("invalid-arguments", message)
        case NotFound():
            return Failure("not-found", message)
        case ToolError():
            return Failure("tool-error", message)
        case _:
            return Failure("internal", tail(error))


def tail(error: BaseException) -> str:
    """The exception, and where it comes from, the innermost frame last."""
    lines = [_bounded("".join(traceback.format_exception_only(error)).strip(), MESSAGE_CHARS_MAX)]
    frames = _frames(error.__traceback__)
    if len(frames) > FRAMES_MAX:
        lines.append("  …")
    for file, line, function in frames[-FRAMES_MAX:]:
        # No file is read: there are none when a call runs. What was read at the build is kept.
        source = linecache.cache.get(file)
        code = (
            source[2][line - 1].strip()
            if source and len(source) == 4 and line <= len(source[2])
            else ""
        )
        lines.append(f"  {file}:{line} in {function}{f': {_bounded(code, 120)}' if code else ''}")
    return "\n".join(lines)


def remember_source(module: str) -> None:
    """Reads a module's lines, so that a traceback can show them when there are no files."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file:
        linecache.getlines(file)


# What runs an async tool; where it stopped is further in.
_LOOP = ("asyncio.runners", "asyncio.base_events")


def _frames(trace: TracebackType | None) -> list[tuple[str, int, str]]:
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        module = trace.tb_frame.f_globals.get("__name__", "")
        is_ours = module.startswith("portcullis.") or module in _LOOP
        if not is_ours:
            frames.append((code.co_filename, trace.tb_lineno or 0, code.co_qualname))
        trace = trace.tb_next
    return frames


def _bounded(text: str, chars_max: int) -> str:
    return text if len(text) <= chars_max else f"{text[:chars_max]}…"
