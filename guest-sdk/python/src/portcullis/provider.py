"""The component around the tools: what it exports and imports.

Only this module, `words`, `exported` and `wasi` (for HTTP) know bindings of WIT packages, which
exist only where a component is built. The module that is built imports all of this one, then the author's
modules, and calls `ready`.
"""

from __future__ import annotations

import gc
import logging
import random
import sys
from dataclasses import dataclass
from types import ModuleType

from wit_world import exports
from wit_world.exports import tools as wit
from wit_world.imports import log as host_log
from wit_world.imports import progress as host_progress
from wit_world.imports import types

from . import completion, log, progress, words
from .completion import COMPLETIONS
from .errors import NotFound, SchemaError
from .facts import Call, Level
from .failure import remember_source
from .naming import ABOUT
from .needs import ALL
from .outcome import Outcome, Returns
from .prompts import PROMPTS
from .reading import read
from .resources import RESOURCES
from .signature import Parameter
from .tools import TOOLS, Tool

__all__ = ["Tools", "ready"]
# The world has what the project uses.
if hasattr(exports, "Resources"):
    from .exported.resources import Resources  # noqa: F401

    __all__ += ["Resources"]
if hasattr(exports, "Prompts"):
    from .exported.prompts import Prompts  # noqa: F401

    __all__ += ["Prompts"]
if hasattr(exports, "Completion"):
    from .exported.completion import Completion  # noqa: F401

    __all__ += ["Completion"]

# What the standard library imports when it is first used: nothing can be imported during a call.
for _late in (
    "_strptime",
    "encodings.ascii",
    "encodings.cp1252",
    "encodings.idna",
    "encodings.iso8859_15",
    "encodings.latin_1",
    "encodings.punycode",
    "encodings.utf_16",
    "encodings.utf_16_be",
    "encodings.utf_16_le",
    "encodings.utf_32",
    "encodings.utf_8_sig",
):
    __import__(_late)

# The runtime seeds `random` at the first call. Without a grant for random numbers that would end
# the call, so the seed is a fixed one: who needs chance takes `secrets`, and the grant.
random.Random.seed.__defaults__ = (0x706F7274, 2)


WARM_UP_CALLS = 64
GARBAGE_OBJECTS_MAX = 50_000


def ready(name: str, version: str, *modules: ModuleType) -> None:
    """Ends the build: all is declared. The name and the version are the project's."""
    ABOUT.name = ABOUT.name or name
    ABOUT.version = ABOUT.version or version
    if not (TOOLS or RESOURCES or PROMPTS):
        raise SchemaError("there is no tool: write `@tool` on a function")
    for declared, export, name in (
        (RESOURCES, "Resources", "resource"),
        (PROMPTS, "Prompts", "prompt"),
        (COMPLETIONS, "Completion", "complete"),
    ):
        if declared and not hasattr(exports, export):
            raise _built_without(f"@{name}", name)
    completion.settled()
    functions = [
        *(it.function for it in TOOLS.values()),
        *(it.function for it in RESOURCES.values()),
        *(it.function for it in PROMPTS.values()),
        *(it.function for it in COMPLETIONS.values()),
    ]
    for module in {it.__module__ for it in functions} | {it.__name__ for it in modules}:
        remember_source(module)
    log.send_to(_write_log)
    progress.send_to(host_progress.report)
    if "portcullis.http" in sys.modules:
        _speak_http()
    if "portcullis.changed" in sys.modules:
        _announce()
    logging.getLogger().addHandler(log.Handler())
    _warm_up()
    # What is there now outlives every call, so no call need look through it for garbage. A call
    # makes some of its own, and seldom enough to look for.
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_OBJECTS_MAX)


def _built_without(used: str, name: str) -> SchemaError:
    return SchemaError(
        f"`{used}` is used, and the component is built without it: "
        f"write `from portcullis import {name}` in a module of the project"
    )


def _speak_http() -> None:
    from . import http

    try:
        from . import wasi
    except ImportError:
        raise _built_without("portcullis.http", "http") from None
    http.answer_with(wasi.exchange)


def _announce() -> None:
    from . import changed

    try:
        from wit_world.imports import changed as host_changed
    except ImportError:
        raise _built_without("portcullis.changed", "changed") from None

    def send(what: changed.What, uri: str) -> None:
        match what:
            case "tools":
                host_changed.tool_list()
            case "resources":
                host_changed.resource_list()
            case "prompts":
                host_changed.prompt_list()
            case "contents":
                host_changed.resource_contents(uri)

    changed.send_to(send)


def _warm_up() -> None:
    """Runs the way of a call until the interpreter has settled on how to run it.

    It writes that into the code, and every page that a call writes to costs it a copy.
    """
    returns = Returns.of(list[_Warm], "warm", is_typed=True, own_content=False)
    shape = read(_Warm)
    parameters = (Parameter("of", "of", shape), Parameter("days", "days", read(int)))
    tool = Tool("warm", lambda of, days: [of] * days, parameters, returns, {})
    request = types.Request("", 0, types.ClientAbilities(0), [], None, False, None, None, None, [])
    arguments = '{"of": {"text": "a", "number": 1, "tags": {"a": 1.5}}, "days": 2}'
    for _ in range(WARM_UP_CALLS):
        words.settled(lambda running: _outcome(tool.run(arguments, running)), request)


@dataclass
class _Warm:
    text: str
    number: float
    tags: dict[str, float]


class Tools(exports.Tools):
    """What the host calls."""

    def describe(self) -> wit.Component:
        """Says what the component is."""
        return wit.Component(
            name=ABOUT.name,
            version=ABOUT.version,
            requires=_requirements(),
            tools=[_descriptor(tool) for tool in TOOLS.values()],
            extensions=[],
        )

    def call(self, name: str, arguments: str, request: types.Request) -> wit.Outcome:
        """Runs a tool."""
        given = words.settled(lambda running: _run(name, arguments, running), request)
        if isinstance(given, types.InputRequired):
            return wit.Outcome_InputRequired(given)
        return given


def _run(name: str, arguments: str, running: Call) -> wit.Outcome:
    if name not in TOOLS:
        raise NotFound(f"there is no tool `{name}`")
    return _outcome(TOOLS[name].run(arguments, running))


def _write_log(level: Level, logger: str | None, message: str) -> None:
    host_log.write(types.LogLevel(level.value), logger, message)


def _requirements() -> wit.Requirements:
    # What is written is read as well.
    read_only = [
        wit.DirectoryNeed(it, wit.Access.READ_ONLY) for it in ALL.read_only - ALL.read_write
    ]
    read_write = [wit.DirectoryNeed(it, wit.Access.READ_WRITE) for it in ALL.read_write]
    return wit.Requirements(
        http=sorted(ALL.http),
        directories=sorted([*read_only, *read_write], key=lambda it: it.guest_path),
        environment=sorted(ALL.environment),
        secrets=sorted(ALL.secrets),
        client=types.ClientAbilities(ALL.client.value),
    )


def _descriptor(tool: Tool) -> wit.Descriptor:
    schema = tool.returns.schema
    typed = (
        wit.OutputContract_ContentOnly()
        if schema is None
        else wit.OutputContract_Typed(words.as_json(schema))
    )
    return wit.Descriptor(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=words.as_json(tool.input_schema),
        output=typed,
        hints=wit.Hints(**vars(tool.hints)),
        own_content=tool.returns.own_content,
        extensions=[],
    )


def _outcome(outcome: Outcome) -> wit.Outcome:
    blocks = [words.block_of(block) for block in outcome.content]
    exact = outcome.exact_schema
    schema = wit.ValueSchema_Declared() if exact is None else wit.ValueSchema_Exact(exact)
    value = None if outcome.json is None else wit.TypedValue(outcome.json, schema)
    if outcome.is_full:
        meta = [wit.MetaEntry(key, text) for key, text in outcome.meta]
        return wit.Outcome_Full(wit.FullResult(blocks, value, meta, outcome.is_error))
    return wit.Outcome_Content(blocks) if value is None else wit.Outcome_Value(value)
