"""Running what a function gave to its end.

There is no event loop in a component: an async tool may await what is ready, such as other
coroutines, and nothing that waits.
"""

from __future__ import annotations

import inspect
from typing import Any


def finished(result: Any) -> Any:
    """The result itself, or what the coroutine that it is comes to."""
    if not inspect.iscoroutine(result):
        return result
    try:
        while True:
            waits_for = result.send(None)
            # `asyncio.sleep(0)` gives way to nobody and goes on.
            if waits_for is not None:
                raise RuntimeError(
                    f"the tool awaits {waits_for!r}, and a component has no event loop"
                )
    except StopIteration as end:
        return end.value
    finally:
        result.close()
