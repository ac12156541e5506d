"""What a component needs from its host beyond running.

What an operator has not granted stays out of reach, whatever is written here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .facts import Ability


@dataclass
class Requirements:
    """All that a component asks for, each once and in order."""

    http: set[str] = field(default_factory=set)
    read_only: set[str] = field(default_factory=set)
    read_write: set[str] = field(default_factory=set)
    environment: set[str] = field(default_factory=set)
    secrets: set[str] = field(default_factory=set)
    client: Ability = Ability(0)


ALL = Requirements()
"""What the component needs."""


def requires(
    *,
    http: Iterable[str] = (),
    read_only: Iterable[str] = (),
    read_write: Iterable[str] = (),
    environment: Iterable[str] = (),
    secrets: Iterable[str] = (),
    client: Ability = Ability(0),
) -> None:
    """Says what the component needs; said in several places, it needs all of it.

    - `http`: hosts that are spoken to over HTTP, as `host:port`.
    - `read_only`, `read_write`: directories, as the component opens them, such as `/data`.
    - `environment`, `secrets`: names.
    - `client`: what no call can do without.
    """
    for known, more in (
        (ALL.http, http),
        (ALL.read_only, read_only),
        (ALL.read_write, read_write),
        (ALL.environment, environment),
        (ALL.secrets, secrets),
    ):
        if isinstance(more, str):
            raise TypeError(f"requires: a list of names is meant, not the text {more!r}")
        known.update(more)
    ALL.client |= client
