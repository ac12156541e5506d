"""The export of completion."""

from __future__ import annotations

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports import completion as wit
from wit_world.imports import types

from .. import words
from ..completion import Typed, suggest


class Completion(exports.Completion):
    """What the host calls."""

    def complete(
        self,
        subject: wit.Subject,
        name: str,
        typed: str,
        settled: list[wit.SettledArgument],
        request: types.Request,
    ) -> wit.Suggestions:
        """Suggests values."""
        kind = "prompt" if isinstance(subject, wit.Subject_Prompt) else "template"
        so_far = Typed(typed, {it.name: it.value for it in settled})
        given = words.settled(
            lambda running: suggest(kind, subject.value, name, so_far, running), request
        )
        if isinstance(given, types.InputRequired):
            # There is nobody to ask while somebody types.
            raise Err(types.Failure(types.FailureKind_ToolError(), "a suggestion asks something"))
        return wit.Suggestions(list(given.values), given.total, given.more, [])
