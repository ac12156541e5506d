"""Tools about words. Every function with `@tool` is one: its parameters are its arguments, its result
is what it promises, and its docstring is what a model reads of it."""

from dataclasses import dataclass
from typing import Annotated

from portcullis import Field, ToolError, tool


@dataclass
class Counts:
    """What a text is made of."""

    words: Annotated[int, "Words, as spaces part them."]
    characters: Annotated[int, "Letters, digits and signs, spaces aside."]


@tool(read_only=True)
def count(text: Annotated[str, "The text."]) -> Counts:
    """Counts the words and characters of a text."""
    words = text.split()
    return Counts(words=len(words), characters=sum(map(len, words)))


@tool(read_only=True)
def repeat(
    text: Annotated[str, "The text."],
    times: Annotated[int, "How often.", Field(ge=1, le=100)] = 2,
) -> str:
    """Repeats a text."""
    if not text:
        raise ToolError("there is nothing to repeat; give a text")
    return " ".join([text] * times)
