"""The export of prompts."""

from __future__ import annotations

from wit_world import exports
from wit_world.exports import prompts as wit
from wit_world.imports import types

from .. import words
from ..prompts import PROMPTS, Prompt, get


class Prompts(exports.Prompts):
    """What the host calls."""

    def describe(self) -> list[wit.Prompt]:
        """Names the prompts."""
        return [_prompt(it) for it in PROMPTS.values()]

    def get(
        self, name: str, arguments: list[wit.PromptArgument], request: types.Request
    ) -> wit.PromptOutcome:
        """Fills in a prompt."""
        values = {it.name: it.value for it in arguments}
        given = words.settled(
            lambda running: [words.message(it) for it in get(name, values, running)], request
        )
        if isinstance(given, types.InputRequired):
            return wit.PromptOutcome_InputRequired(given)
        return wit.PromptOutcome_Messages(wit.PromptMessages(None, given))


def _prompt(it: Prompt) -> wit.Prompt:
    parameters = [
        wit.PromptParameter(one.name, one.title, one.description, one.required)
        for one in it.parameters
    ]
    return wit.Prompt(it.name, it.title, it.description, parameters, [])
