"""Messages of prompts, and of conversations with a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from .content import BLOCKS, Content, Text

Role = Literal["user", "assistant"]


@dataclass(frozen=True, eq=False)
class Message:
    """One message: who speaks, and one block of content. A text stands for a block of it."""

    content: Content | str
    role: Role = "user"

    @property
    def block(self) -> Content:
        """The content as a block."""
        return Text(self.content) if isinstance(self.content, str) else self.content

    def __eq__(self, other: object) -> bool:
        said = (self.role, self.block)
        return isinstance(other, Message) and said == (other.role, other.block)

    def __hash__(self) -> int:
        return hash((self.role, self.block))


class UserMessage(Message):
    """The user speaks."""

    def __init__(self, content: Content | str) -> None:
        super().__init__(content, "user")


class AssistantMessage(Message):
    """The model speaks."""

    def __init__(self, content: Content | str) -> None:
        super().__init__(content, "assistant")


def messages(value: Any, of: str) -> list[Message]:
    """The messages that a value stands for; `of` is what gave it, for an error."""
    if isinstance(value, Message):
        return [value]
    if isinstance(value, (str, *BLOCKS)):
        return [UserMessage(value)]
    if isinstance(value, Iterable) and not isinstance(value, (bytes, dict)):
        return [message for part in value for message in messages(part, of)]
    raise TypeError(
        f"{of} gives a `{type(value).__name__}`, which is no message: "
        "give text, a `Message`, content, or a list of them"
    )
