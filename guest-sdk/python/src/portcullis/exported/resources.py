"""The export of resources."""

from __future__ import annotations

from wit_world import exports
from wit_world.exports import resources as wit
from wit_world.imports import types

from .. import words
from ..resources import RESOURCES, Resource, read


class Resources(exports.Resources):
    """What the host calls."""

    def describe(self) -> wit.ResourceCatalog:
        """Names the resources."""
        all_of_it = RESOURCES.values()
        return wit.ResourceCatalog(
            entries=[_entry(it) for it in all_of_it if not it.variables],
            templates=[_template(it) for it in all_of_it if it.variables],
        )

    def read(self, uri: str, request: types.Request) -> wit.ReadOutcome:
        """Reads a resource."""
        given = words.settled(
            lambda running: [words.contents(it) for it in read(uri, running)], request
        )
        if isinstance(given, types.InputRequired):
            return wit.ReadOutcome_InputRequired(given)
        return wit.ReadOutcome_Contents(given)


def _entry(it: Resource) -> wit.ResourceEntry:
    return wit.ResourceEntry(
        uri=it.uri,
        name=it.name,
        title=it.title,
        description=it.description,
        mime_type=it.mime_type,
        size=None,
        annotations=None,
        extensions=[],
    )


def _template(it: Resource) -> wit.ResourceTemplate:
    return wit.ResourceTemplate(
        uri_template=it.uri,
        name=it.name,
        title=it.title,
        description=it.description,
        mime_type=it.mime_type,
        annotations=None,
        extensions=[],
    )
