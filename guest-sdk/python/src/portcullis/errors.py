"""What an author says when a call fails, and what is said to an author.

A message of a `ToolError` is read by the model; that of any other exception never is.
"""

from __future__ import annotations

from collections.abc import Iterable

from .facts import Ability


class ToolError(Exception):
    """The tool did not manage. The model reads the message and may try something else."""


class InvalidArguments(ToolError):
    """The arguments fit the schema but make no sense. The model can correct them."""


class NotFound(ToolError):
    """What the call names does not exist."""


class MissingAbility(ToolError):
    """The call needs something that this client cannot do."""

    def __init__(self, needed: Ability, message: str) -> None:
        super().__init__(message)
        self.needed = needed


class Declined(ToolError):
    """The user was asked, and said no."""


class Cancelled(ToolError):
    """The user was asked, and said nothing."""


class SchemaError(TypeError):
    """A function or a type is not what is declared, or has no schema; told at the build."""


class Misfit(Exception):
    """A value has no place in its type. The steps to it are added on the way up."""

    def __init__(self, what: str, *, no_json: bool = False) -> None:
        super().__init__(what)
        self.what = what
        # No other argument would change it, so the model need not know.
        self.no_json = no_json
        self.steps: list[str] = []

    def within(self, step: object) -> Misfit:
        """The same, one step further out."""
        self.steps.insert(0, str(step))
        return self

    def text(self, whole: str) -> str:
        """A sentence about it; `whole` is what the value itself is called."""
        place = f"`{'.'.join(self.steps)}`" if self.steps else whole
        return f"{place} {self.what}"


def listed(words: Iterable[object]) -> str:
    """Names in backquotes, for a sentence."""
    return ", ".join(f"`{word}`" for word in words)
