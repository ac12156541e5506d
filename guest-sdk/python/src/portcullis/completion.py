"""`@complete`: suggestions while a user types an argument of a prompt or a variable of a template.

A component has suggestions only where a module of it names `complete`; see README.md.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_type_hints

from .errors import SchemaError
from .facts import Call, during
from .prompts import PROMPTS
from .resources import RESOURCES
from .run import finished, prepare

F = TypeVar("F", bound=Callable[..., Any])

VALUES_MAX = 100
"""As many as a client may get at a time (MCP, completion)."""


@dataclass(frozen=True)
class Typed:
    """What the user has typed so far, and the arguments that have their values."""

    text: str = ""
    settled: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Suggestions:
    """Values that may be meant, the best first; at most 100 of `total`."""

    values: tuple[str, ...] = ()
    total: int | None = None
    more: bool = False

    @classmethod
    def of(cls, values: Iterable[str]) -> Suggestions:
        """These values; of more than 100, the first 100, and that there are more."""
        found = tuple(values)
        return cls(found[:VALUES_MAX], len(found), len(found) > VALUES_MAX)


Key = tuple[str, str, str]


@dataclass(frozen=True)
class Completion:
    """What suggests values of one argument, and what each of its parameters takes."""

    function: Callable[..., Any]
    takes: Mapping[str, Any]

    def run(self, typed: Typed, running: Call) -> Suggestions:
        """Suggests."""
        by_type = {Typed: typed, Call: running}
        values = {name: by_type.get(of, typed.text) for name, of in self.takes.items()}
        with during(running):
            return Suggestions.of(finished(self.function(**values)))


COMPLETIONS: dict[Key, Completion] = {}
"""What suggests, by `prompt` or `template`, which one, and the argument."""


def suggest(kind: str, of: str, argument: str, typed: Typed, running: Call) -> Suggestions:
    """Suggestions for an argument; none where nobody makes any."""
    found = COMPLETIONS.get((kind, of, argument))
    return Suggestions() if found is None else found.run(typed, running)


def complete(
    *, argument: str, prompt: str | None = None, template: str | None = None
) -> Callable[[F], F]:
    """Makes a function suggest values of one argument: of `prompt`, a prompt's name, or of
    `template`, the URI of a family of resources.

    The function takes what was typed, as a text or as `Typed`, and gives texts, the best first.
    """
    if (prompt is None) == (template is None):
        raise SchemaError(
            "`@complete` names either a prompt or a template: "
            'write `@complete(prompt="greet", argument="language")`'
        )
    kind, of = ("prompt", prompt) if prompt is not None else ("template", str(template))

    def register(function: F) -> F:
        key = (kind, str(of), argument)
        if key in COMPLETIONS:
            other = COMPLETIONS[key].function.__name__
            raise SchemaError(
                f"Function {function.__name__}: `{other}` suggests values of `{argument}` already"
            )
        hints = get_type_hints(function)
        takes = {name: hints.get(name) for name in inspect.signature(function).parameters}
        COMPLETIONS[key] = Completion(function, takes)
        prepare(function)
        return function

    return register


def settled() -> None:
    """Sees to it that whatever is completed is there; once all is declared."""
    for (kind, of, argument), completion in COMPLETIONS.items():
        if kind == "prompt":
            names = [it.name for it in PROMPTS[of].parameters] if of in PROMPTS else None
        else:
            names = list(RESOURCES[of].variables) if of in RESOURCES else None
        if names is None or argument not in names:
            raise SchemaError(
                f"Function {completion.function.__name__}: "
                f"there is no {kind} `{of}` with an argument `{argument}`"
            )
