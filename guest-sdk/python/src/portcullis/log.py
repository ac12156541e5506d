"""Lines for the host's log and for a client that asked for them.

What goes beyond the host's limit is dropped. Outside of a component, as in a test, lines go to
standard error. What is logged with the standard library's `logging` arrives here as well.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from .facts import Level

Write = Callable[[Level, "str | None", str], None]


def _to_stderr(level: Level, logger: str | None, message: str) -> None:
    print(f"{level.name}: {f'{logger}: ' if logger else ''}{message}", file=sys.stderr)


_write: Write = _to_stderr


def send_to(write: Write) -> None:
    """Makes `write` the one that takes lines."""
    global _write
    _write = write


def write(level: Level, message: str, logger: str | None = None) -> None:
    """Writes one line; `logger` names the part of the component that speaks."""
    _write(level, logger, message)


def debug(message: str) -> None:
    """Writes a line of level `DEBUG`."""
    write(Level.DEBUG, message)


def info(message: str) -> None:
    """Writes a line of level `INFO`."""
    write(Level.INFO, message)


def notice(message: str) -> None:
    """Writes a line of level `NOTICE`."""
    write(Level.NOTICE, message)


def warning(message: str) -> None:
    """Writes a line of level `WARNING`."""
    write(Level.WARNING, message)


def error(message: str) -> None:
    """Writes a line of level `ERROR`."""
    write(Level.ERROR, message)


class Handler(logging.Handler):
    """Takes the records of the standard library's `logging`."""

    _LEVELS = (
        (logging.CRITICAL, Level.CRITICAL),
        (logging.ERROR, Level.ERROR),
        (logging.WARNING, Level.WARNING),
        (logging.INFO, Level.INFO),
    )

    def emit(self, record: logging.LogRecord) -> None:
        least = (level for number, level in self._LEVELS if record.levelno >= number)
        write(next(least, Level.DEBUG), record.getMessage(), record.name)
