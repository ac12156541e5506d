"""Announcements: something that clients can see is no longer what it was.

    from portcullis import changed

    changed.resource("notes://today")

The host announces it when the call has ended. Before it announces a list, it lets the component
describe itself again, which must give what it gave before. A component that imports this module
has the announcements among its imports, and others have not. Outside of a component, as in a test,
nothing is announced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

What = Literal["tools", "resources", "prompts", "contents"]
Send = Callable[[What, str], None]


def _nowhere(what: What, uri: str) -> None:
    pass


_send: Send = _nowhere


def send_to(send: Send) -> None:
    """Makes `send` the one that announces; `uri` is of contents, and else empty."""
    global _send
    _send = send


def tools() -> None:
    """The tools are others now."""
    _send("tools", "")


def resources() -> None:
    """The resources, or templates of them, are others now."""
    _send("resources", "")


def prompts() -> None:
    """The prompts are others now."""
    _send("prompts", "")


def resource(uri: str) -> None:
    """The contents of the resource at `uri`, which must be of this component, are others now."""
    _send("contents", uri)
