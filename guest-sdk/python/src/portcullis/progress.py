"""Notes on how far a call has come.

What nobody wants, and what goes beyond the host's rate, is dropped. Outside of a component, as in
a test, notes go nowhere.
"""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[float, "float | None", "str | None"], None]


def _nowhere(done: float, total: float | None, message: str | None) -> None:
    pass


_report: Report = _nowhere


def send_to(report: Report) -> None:
    """Makes `report` the one that takes notes."""
    global _report
    _report = report


def report(done: float, total: float | None = None, message: str | None = None) -> None:
    """Reports that `done` of `total` is done; `done` must grow from note to note."""
    _report(float(done), None if total is None else float(total), message)
