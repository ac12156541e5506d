"""What a host would see of the tools, for tests:

    from portcullis import testing

    def test_forecast():
        assert testing.call("get_forecast", city="London")["value"] == [...]

The functions themselves stay functions, and can be called as such.
"""

from __future__ import annotations

import json
from typing import Any

from .facts import Call
from .failure import failure
from .tools import TOOLS


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
    """What the host is told of a call: a `value`, `content` and what goes beside them, or a
    `failure` and its `message`. Arguments are JSON."""
    try:
        outcome = TOOLS[name].run(json.dumps(arguments), running or Call())
    except Exception as error:  # noqa: BLE001
        told = failure(error)
        return {"failure": told.kind, "message": told.message}
    parts = {
        "content": list(outcome.content),
        "meta": {key: json.loads(value) for key, value in outcome.meta},
        "exact_schema": None if outcome.exact_schema is None else json.loads(outcome.exact_schema),
        "is_error": outcome.is_error,
    }
    value = {} if outcome.json is None else {"value": json.loads(outcome.json)}
    return {**value, **{key: part for key, part in parts.items() if part}}
