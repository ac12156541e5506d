"""What a host would see of the tools, for tests:

    from portcullis import testing

    def test_forecast():
        assert testing.call("get_forecast", city="London")["value"] == [...]

    def test_order():
        assert testing.call("order", what="tea")["asks"]["order"] == Form("How many?", Order)
        answered = testing.answered({"order": {"count": 2}})
        assert testing.call("order", answered, what="tea")["value"] == "2 tea ordered"

The functions themselves stay functions, and can be called as such.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from . import prompts, resources
from .completion import Suggestions, Typed, suggest
from .facts import Ability, Call
from .failure import failure
from .questions import Reply, Root, Sampled
from .shape import native
from .tools import TOOLS

DECLINED = Reply("declined")
"""The user says no."""
CANCELLED = Reply("cancelled")
"""The user says nothing."""


def answered(replies: Mapping[str, Any]) -> Call:
    """A call by a client that can be asked anything, and that has answered this much, by the keys
    of the questions: what was filled in, None for a URL that was opened, `Sampled`, a list of `Root`,
    `DECLINED` or `CANCELLED`."""
    able = Ability.ELICIT_FORM | Ability.ELICIT_URL | Ability.SAMPLING | Ability.ROOTS
    return Call(client=able, replies={key: _reply(it) for key, it in replies.items()})


def _reply(value: Any) -> Reply:
    match value:
        case Reply():
            return value
        case Sampled():
            return Reply("sampled", vars(value))
        case [*roots] if all(isinstance(it, Root) for it in roots):
            return Reply("roots", [vars(it) for it in roots])
        case _:
            return Reply("accepted", native(value))


def describe() -> dict[str, dict[str, Any]]:
    """What the host is told of each tool, by name."""
    return {
        tool.name: {
            "title": tool.title,
            "description": tool.description,
            "input_schema": tool.input_schema,
            "output_schema": tool.returns.schema,
            "hints": vars(tool.hints),
            "own_content": tool.returns.own_content,
        }
        for tool in TOOLS.values()
    }


def call(name: str, running: Call | None = None, /, **arguments: Any) -> dict[str, Any]:
    """What the host is told of a call: a `value`, `content` and what goes beside them, or what it
    `asks` first, or a `failure` and its `message`. Arguments are JSON."""
    running = running or Call()
    told = _told(lambda: TOOLS[name].run(json.dumps(arguments), running), running)
    if "given" not in told:
        return told
    outcome = told["given"]
    parts = {
        "content": list(outcome.content),
        "meta": {key: json.loads(value) for key, value in outcome.meta},
        "exact_schema": None if outcome.exact_schema is None else json.loads(outcome.exact_schema),
        "is_error": outcome.is_error,
    }
    value = {} if outcome.json is None else {"value": json.loads(outcome.json)}
    return {**value, **{key: part for key, part in parts.items() if part}}


def read(uri: str, running: Call | None = None, /) -> dict[str, Any]:
    """What the host is told when the resource at a URI is read: what is `given`, a list of
    `Embedded`, or what it `asks` first, or a `failure` and its `message`."""
    running = running or Call()
    return _told(lambda: resources.read(uri, running), running)


def get(name: str, running: Call | None = None, /, **arguments: str) -> dict[str, Any]:
    """What the host is told of a prompt: what is `given`, a list of `Message`, or what it `asks`
    first, or a `failure` and its `message`."""
    running = running or Call()
    return _told(lambda: prompts.get(name, arguments, running), running)


def complete(
    argument: str,
    text: str = "",
    /,
    *,
    prompt: str | None = None,
    template: str | None = None,
    **settled: str,
) -> Suggestions:
    """What is suggested for an argument of a prompt, or of a template, of which `text` is typed."""
    kind, of = ("prompt", prompt) if prompt is not None else ("template", template)
    return suggest(kind, str(of), argument, Typed(text, settled), Call())


def _told(run: Callable[[], Any], running: Call) -> dict[str, Any]:
    try:
        given = run()
    except BaseException as error:  # noqa: BLE001
        if isinstance(error, KeyboardInterrupt):
            raise
        failed = failure(error)
        told = {"failure": failed.kind, "message": failed.message}
    else:
        told = {"given": given}
    return {"asks": dict(running.questions)} if running.questions else told
