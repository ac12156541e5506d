"""The component around the tools: what it exports and imports.

Only this module, and `wasi` for HTTP, know bindings of WIT packages, which exist only where a
component is built. The module that is built imports `Tools` from here, then the author's modules, and calls
`ready`.
"""

from __future__ import annotations

import gc
import json
import logging
import random
import sys
from dataclasses import dataclass
from types import ModuleType

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports import tools as wit
from wit_world.imports import log as host_log
from wit_world.imports import progress as host_progress
from wit_world.imports import types

from . import log, progress
from .content import Audio, Content, Embedded, Image, Link, Notes, Text
from .errors import NotFound, SchemaError
from .facts import Ability, Call, Level
from .failure import Failure, failure, remember_source
from .naming import ABOUT
from .needs import ALL
from .outcome import Outcome, Returns
from .reading import read
from .tools import TOOLS, Parameter, Tool

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
    """Ends the build: the tools are all there. The name and the version are the project's."""
    ABOUT.name = ABOUT.name or name
    ABOUT.version = ABOUT.version or version
    if not TOOLS:
        raise SchemaError("there is no tool: write `@tool` on a function")
    for module in {tool.function.__module__ for tool in TOOLS.values()} | {
        it.__name__ for it in modules
    }:
        remember_source(module)
    log.send_to(_write_log)
    progress.send_to(host_progress.report)
    if "portcullis.http" in sys.modules:
        _speak_http()
    logging.getLogger().addHandler(log.Handler())
    _warm_up()
    # What is there now outlives every call, so no call need look through it for garbage. A call
    # makes some of its own, and seldom enough to look for.
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_OBJECTS_MAX)


def _speak_http() -> None:
    from . import http

    try:
        from . import wasi
    except ImportError:
        raise SchemaError(
            "`portcullis.http` is used, and the component is built without it: "
            "write `from portcullis import http` in a module of the project"
        ) from None
    http.answer_with(wasi.exchange)


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
        _outcome(tool.run(arguments, _call(request)))


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
        try:
            if name not in TOOLS:
                raise NotFound(f"there is no tool `{name}`")
            return _outcome(TOOLS[name].run(arguments, _call(request)))
        except BaseException as error:  # noqa: BLE001
            # An exit and a cancellation end the call, and nothing else.
            told = _failure(failure(error))
        sys.stdout.flush()
        raise Err(told)


def _write_log(level: Level, logger: str | None, message: str) -> None:
    host_log.write(types.LogLevel(level.value), logger, message)


def _call(request: types.Request) -> Call:
    least, trace = request.wants_log, request.trace
    return Call(
        id=request.call_id,
        time_limit_ms=request.time_left_ms,
        client=Ability(request.client.value),
        wants_progress=request.wants_progress,
        least_log_level=None if least is None else Level(least.value),
        principal=request.principal,
        trace_parent=trace.parent if trace else None,
        trace_state=trace.state if trace else None,
    )


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
        else wit.OutputContract_Typed(_json(schema))
    )
    return wit.Descriptor(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=_json(tool.input_schema),
        output=typed,
        hints=wit.Hints(**vars(tool.hints)),
        own_content=tool.returns.own_content,
        extensions=[],
    )


def _outcome(outcome: Outcome) -> wit.Outcome:
    blocks = [_block(block) for block in outcome.content]
    exact = outcome.exact_schema
    schema = wit.ValueSchema_Declared() if exact is None else wit.ValueSchema_Exact(exact)
    value = None if outcome.json is None else wit.TypedValue(outcome.json, schema)
    if outcome.is_full:
        meta = [wit.MetaEntry(key, text) for key, text in outcome.meta]
        return wit.Outcome_Full(wit.FullResult(blocks, value, meta, outcome.is_error))
    return wit.Outcome_Content(blocks) if value is None else wit.Outcome_Value(value)


def _failure(told: Failure) -> types.Failure:
    match told.kind:
        case "tool-error":
            kind: types.FailureKind = types.FailureKind_ToolError()
        case "invalid-arguments":
            kind = types.FailureKind_InvalidArguments()
        case "not-found":
            kind = types.FailureKind_NotFound()
        case "missing-client-ability":
            kind = types.FailureKind_MissingClientAbility(types.ClientAbilities(told.needed.value))
        case _:
            kind = types.FailureKind_Internal()
    return types.Failure(kind, _sendable(told.message))


def _block(block: Content) -> types.Content:
    notes = _notes(block.notes)
    match block:
        case Text():
            return types.Content_Text(types.TextBlock(_sendable(block.text), notes))
        case Image():
            return types.Content_Image(types.Media(block.data, block.mime_type, notes))
        case Audio():
            return types.Content_Audio(types.Media(block.data, block.mime_type, notes))
        case Link():
            return types.Content_Link(
                types.ResourceLink(
                    uri=block.uri,
                    name=block.name,
                    title=block.title,
                    description=block.description,
                    mime_type=block.mime_type,
                    size=block.size,
                    annotations=notes,
                )
            )
        case Embedded(uri=uri, body=body, mime_type=mime_type):
            written: types.ResourceBody
            if isinstance(body, str):
                written = types.ResourceBody_Text(_sendable(body))
            else:
                written = types.ResourceBody_Bytes(body)
            contents = types.ResourceContents(uri, mime_type, written)
            return types.Content_Embedded(types.EmbeddedResource(contents, notes))
        case _:
            raise TypeError(f"{block!r} is no block of content")


def _notes(notes: Notes | None) -> types.Annotations | None:
    if notes is None:
        return None
    audience = types.Audience(0)
    if notes.for_user:
        audience |= types.Audience.USER
    if notes.for_assistant:
        audience |= types.Audience.ASSISTANT
    return types.Annotations(audience, notes.priority, notes.last_modified)


def _sendable(text: str) -> str:
    """Text that is Unicode, whatever an exception said."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
