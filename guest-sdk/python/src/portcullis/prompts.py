"""`@prompt`: messages that a user picks to start from.

A component has prompts only where a module of it names `prompt`; see README.md.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from .errors import InvalidArguments, NotFound
from .facts import Call, during
from .messages import Message, messages
from .naming import distinct
from .run import finished, prepare
from .shape import Definitions
from .signature import Parameter, from_text, signature, taken

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class PromptParameter:
    """What a client is told of a parameter; its values are texts."""

    name: str
    title: str | None
    description: str | None
    required: bool


@dataclass(frozen=True)
class Prompt:
    """One prompt."""

    name: str
    function: Callable[..., Any]
    takes: tuple[Parameter, ...]
    parameters: tuple[PromptParameter, ...]
    title: str | None
    description: str | None

    def get(self, arguments: Mapping[str, str], running: Call) -> list[Message]:
        """Fills it in."""
        for parameter in self.parameters:
            if parameter.required and parameter.name not in arguments:
                raise InvalidArguments(f"the argument `{parameter.name}` is missing")
        with during(running):
            values = taken(self.takes, arguments, from_text)
            return messages(finished(self.function(**values)), f"the prompt `{self.name}`")


PROMPTS: dict[str, Prompt] = {}
"""The prompts of the component, by name, in source order."""


def get(name: str, arguments: Mapping[str, str], running: Call) -> list[Message]:
    """Fills in the prompt of this name."""
    if name not in PROMPTS:
        raise NotFound(f"there is no prompt `{name}`")
    return PROMPTS[name].get(arguments, running)


@overload
def prompt(function: F, /) -> F: ...


@overload
def prompt(
    *, name: str | None = None, title: str | None = None, description: str | None = None
) -> Callable[[F], F]: ...


def prompt(
    function: Any = None,
    /,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
) -> Any:
    """Makes a prompt of a function: its parameters are the arguments, and its docstring the
    description. Arguments are texts; a parameter of another type is read from the text.

    The function gives text (of the user), a `Message`, content, or a list of them.
    """

    def register(function: F) -> F:
        takes, _ = signature(function)
        made = Prompt(
            name=name or function.__name__,
            function=function,
            takes=takes,
            parameters=tuple(_told(it) for it in takes if it.shape is not None),
            title=title,
            description=description or inspect.getdoc(function) or None,
        )
        distinct(function, made.name, PROMPTS, "prompt")
        prepare(function)
        PROMPTS[made.name] = made
        return function

    return register if function is None else register(function)


def _told(parameter: Parameter) -> PromptParameter:
    schema = parameter.shape.schema(Definitions()) if parameter.shape else {}
    return PromptParameter(
        name=parameter.key,
        title=schema.get("title"),
        description=schema.get("description"),
        required=not parameter.info.has_default,
    )
