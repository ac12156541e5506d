"""The event loop of async tools.

A call has one thread and no sockets, so a loop waits for clocks, and for what `wait_for` was told
of. It is imported where a tool is async: `asyncio` makes a component larger.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Any


def run(awaitable: Awaitable[Any]) -> Any:
    """Runs what can be awaited to its end, and the tasks that it left behind to theirs."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(_awaited(awaitable))


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


class _Clock:
    """Stands where a selector of sockets would."""

    def select(self, timeout: float | None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("the tool awaits what nothing in the component will bring about")
        if timeout > 0:
            time.sleep(timeout)
        return []


class _Loop(asyncio.BaseEventLoop):
    def __init__(self) -> None:
        super().__init__()
        self._selector = _Clock()

    def _process_events(self, events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        """Nobody is asleep: there is one thread."""
