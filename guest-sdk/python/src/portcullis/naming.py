"""What the component is called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class About:
    """A name for people, and a semantic version."""

    name: str = ""
    version: str = ""


ABOUT = About()
"""What the component says it is."""


def about(*, name: str | None = None, version: str | None = None) -> None:
    """Names the component. What nobody says here comes from the project that it is built from."""
    ABOUT.name = name or ABOUT.name
    ABOUT.version = version or ABOUT.version
