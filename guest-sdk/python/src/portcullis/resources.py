"""`@resource`: data that clients read by URI.

A component has resources only where a module of it names `resource`; see README.md.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from .content import Embedded
from .errors import NotFound, SchemaError, listed
from .facts import Call, during
from .run import finished, prepare
from .shape import native
from .signature import Parameter, from_text, signature, taken

F = TypeVar("F", bound=Callable[..., Any])

# RFC 6570, level 1: a value holds what is unreserved or percent-encoded, and nothing else.
_VALUE = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_ENCODED = re.compile(rb"%(..)")


@dataclass(frozen=True)
class Resource:
    """One resource, or, with variables in its URI, a family of them."""

    uri: str
    variables: tuple[str, ...]
    pattern: re.Pattern[str]
    function: Callable[..., Any]
    takes: tuple[Parameter, ...]
    name: str
    title: str | None
    description: str | None
    mime_type: str | None

    def values(self, uri: str) -> dict[str, str] | None:
        """The values of the variables with which the template is this URI."""
        found = self.pattern.fullmatch(uri)
        if found is None:
            return None
        try:
            values = [_decoded(it) for it in found.groups()]
        except UnicodeDecodeError:
            return None
        return dict(zip(self.variables, values, strict=True))

    def read(self, uri: str, values: dict[str, str], running: Call) -> list[Embedded]:
        """The contents at a URI that it has."""
        with during(running):
            given = finished(self.function(**taken(self.takes, values, from_text)))
            return _contents(given, uri, self.mime_type)


RESOURCES: dict[str, Resource] = {}
"""The resources of the component, by URI or template, in source order."""


def read(uri: str, running: Call) -> list[Embedded]:
    """Reads the resource at a URI."""
    exact = RESOURCES.get(uri)
    if exact is not None and not exact.variables:
        return exact.read(uri, {}, running)
    for resource in RESOURCES.values():
        values = resource.values(uri) if resource.variables else None
        if values is not None:
            return resource.read(uri, values, running)
    raise NotFound(f"there is no resource `{uri}`")


def resource(
    uri: str,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    mime_type: str | None = None,
) -> Callable[[F], F]:
    """Makes a resource of a function: `@resource("notes://today")`, or a family of them, whose
    variables are the function's parameters: `@resource("city://{name}")` (RFC 6570, level 1).

    The function gives text, bytes, an `Embedded` or a list of those, which may be of URIs below it;
    anything else is written as JSON. Its docstring is the description.
    """
    if not isinstance(uri, str):
        raise SchemaError('`@resource` takes the URI: write `@resource("notes://today")`')

    def register(function: F) -> F:
        variables = tuple(_VARIABLE.findall(uri))
        takes, _ = signature(function)
        _agree(function, uri, variables, takes)
        RESOURCES[uri] = Resource(
            uri=uri,
            variables=variables,
            pattern=re.compile(
                "".join(
                    _VALUE if index % 2 else re.escape(part)
                    for index, part in enumerate(_VARIABLE.split(uri))
                )
            ),
            function=function,
            takes=takes,
            name=name or function.__name__,
            title=title,
            description=description or inspect.getdoc(function) or None,
            mime_type=mime_type,
        )
        prepare(function)
        return function

    return register


def _agree(
    function: Callable[..., Any],
    uri: str,
    variables: tuple[str, ...],
    takes: tuple[Parameter, ...],
) -> None:
    """Sees to it that a function takes what the URI has, and that no other has this URI."""
    of = f"Function {function.__name__}"
    if uri in RESOURCES:
        other = RESOURCES[uri].function.__name__
        raise SchemaError(f"{of}: `{other}` has the URI `{uri}` already")
    if not all(_NAME.fullmatch(it) for it in variables) or "{" in _VARIABLE.sub("", uri):
        raise SchemaError(f"{of}: a variable of a URI is a plain name, such as `{{id}}`")
    if len(set(variables)) < len(variables):
        raise SchemaError(f"{of}: each variable of a URI has a name of its own")
    names = [it.key for it in takes if it.shape is not None]
    if missing := [it for it in variables if it not in names]:
        raise SchemaError(
            f"{of}: the URI has {listed(missing)}, and the function no such parameter"
        )
    if beyond := [it for it in names if it not in variables]:
        raise SchemaError(f"{of}: {listed(beyond)} is no variable of the URI: write it in braces")


def _decoded(value: str) -> str:
    """Without percent-encoding (RFC 3986, 2.1)."""
    return _ENCODED.sub(lambda it: bytes.fromhex(it[1].decode()), value.encode()).decode()


def _contents(value: Any, uri: str, mime_type: str | None) -> list[Embedded]:
    if isinstance(value, Embedded):
        return [value]
    if isinstance(value, list) and value and all(isinstance(it, Embedded) for it in value):
        return value
    if isinstance(value, (str, bytes)):
        return [Embedded(uri, value, mime_type)]
    written = json.dumps(native(value), ensure_ascii=False, indent=2)
    return [Embedded(uri, written, mime_type or "application/json")]
