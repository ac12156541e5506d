"""Content blocks: what people and models read.

A tool that returns them is content-only: it publishes no output schema, and the blocks reach the
client as they are.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from .shape import native


@dataclass(frozen=True)
class Notes:
    """Hints about a block."""

    for_user: bool = False
    """Meant for the user."""
    for_assistant: bool = False
    """Meant for the model."""
    priority: float | None = None
    """How much the block matters, from 0 (not at all) to 1 (required)."""
    last_modified: str | None = None
    """When the block's matter last changed, as an RFC 3339 date and time."""


@dataclass(frozen=True)
class Content:
    """One block of content."""

    notes: Notes | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Text(Content):
    """Text."""

    text: str


@dataclass(frozen=True)
class Media(Content):
    """Raw bytes, and a MIME type that agrees with them; by default what they look like."""

    data: bytes
    mime_type: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mime_type", self.mime_type or _looks_like(self.data))


class Image(Media):
    """An image."""


class Audio(Media):
    """A sound."""


@dataclass(frozen=True)
class Link(Content):
    """A link to a resource that the client may read: an absolute URI, and a name for people."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None


@dataclass(frozen=True)
class Embedded(Content):
    """A resource with its body: text or raw bytes."""

    uri: str
    body: str | bytes
    mime_type: str | None = None


BLOCKS = (Content, Text, Media, Image, Audio, Link, Embedded)
"""The types of blocks."""

_MAGIC = [
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF8", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"WAVE", 8, "audio/wav"),
    (b"OggS", 0, "audio/ogg"),
    (b"fLaC", 0, "audio/flac"),
    (b"ID3", 0, "audio/mpeg"),
]


def _looks_like(data: bytes) -> str:
    for magic, start, mime_type in _MAGIC:
        if data[start:].startswith(magic):
            return mime_type
    raise ValueError("the bytes are of no kind that is known here: say their `mime_type`")


def blocks(value: Any) -> list[Content]:
    """The blocks that stand for a value, as a host renders one: text is its own text, a list is
    one block for each element, and anything else is indented JSON."""
    if isinstance(value, (list, tuple, Generator)) and not hasattr(value, "_fields"):
        return [_block(item) for item in value]
    return [_block(value)]


def _block(value: Any) -> Content:
    if isinstance(value, Content):
        return value
    written = native(value)
    if isinstance(written, str):
        return Text(written)
    return Text(json.dumps(written, indent=2, ensure_ascii=False))
