"""The facts about the call that is running.

They do not change while it runs, but for what it asks, and no state outlives it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .questions import Question, Reply


class Ability(enum.Flag):
    """What the client that made a call can do for the tool."""

    ELICIT_FORM = 1
    ELICIT_URL = 2
    SAMPLING = 4
    ROOTS = 8


class Level(enum.IntEnum):
    """How urgent a log line is; the levels of RFC 5424, the least urgent first."""

    DEBUG = 0
    INFO = 1
    NOTICE = 2
    WARNING = 3
    ERROR = 4
    CRITICAL = 5
    ALERT = 6
    EMERGENCY = 7


@dataclass(frozen=True)
class Call:
    """The facts about one call.

    A tool asks for them with a parameter of this type, which is not part of the tool's schema, or
    anywhere with `call()`. The default is what a function sees outside of a host, as in a test.
    """

    id: str = ""
    """The name of this call in the host's log."""
    time_limit_ms: int | None = None
    """How long the call may take, counted from its start."""
    client: Ability = Ability(0)
    """What the client can do."""
    wants_progress: bool = False
    """Whether anyone receives notes of progress."""
    least_log_level: Level | None = None
    """The least urgent level of log lines that anyone receives."""
    principal: str | None = None
    """Who makes the call: opaque, equal for the same caller, of no other use."""
    trace_parent: str | None = None
    """The W3C `traceparent` to pass on."""
    trace_state: str | None = None
    """The W3C `tracestate` to pass on."""
    replies: Mapping[str, Reply] = field(default_factory=dict, repr=False, compare=False)
    """What the client answered so far, by the keys of the questions; `ask` reads it."""
    questions: dict[str, Question[Any]] = field(default_factory=dict, repr=False, compare=False)
    """What is asked and not answered yet; `ask` writes it, and then the call ends with it."""

    def wants_log(self, level: Level) -> bool:
        """Whether anyone receives log lines of this level."""
        return self.least_log_level is not None and level >= self.least_log_level


_current = Call()


def call() -> Call:
    """The call that is running."""
    return _current


@contextmanager
def during(running: Call) -> Iterator[None]:
    """Makes `running` the call that is running."""
    global _current
    before, _current = _current, running
    try:
        yield
    finally:
        _current = before
