"""What the host says, and what is said to it, in its words: what all exports share.

It exists only where a component is built, as the bindings do.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from componentize_py_types import Err
from wit_world.imports import types

from .content import Audio, Content, Embedded, Image, Link, Notes, Text
from .facts import Ability, Call, Level
from .failure import Failure, failure
from .messages import Message
from .questions import Form, Question, Reply, Sampling, Url

T = TypeVar("T")


def settled(run: Callable[[Call], T], request: types.Request) -> T | types.InputRequired:
    """What a function gives; or what it asks first, whatever came of it then. A failure is an
    `Err`."""
    running = call(request)
    try:
        given = run(running)
    except BaseException as error:  # noqa: BLE001
        # An exit and a cancellation end the call, and nothing else.
        told = None if running.questions else _failure(failure(error))
    else:
        if not running.questions:
            return given
        told = None
    sys.stdout.flush()
    if told is None:
        return _asked(running)
    raise Err(told)


def call(request: types.Request) -> Call:
    """The facts of a call."""
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
        replies=_replies(request),
    )


def _replies(request: types.Request) -> dict[str, Reply]:
    """Those of the last round, and those before it, which `_asked` put into the state."""
    earlier = json.loads(request.state) if request.state else {}
    replies = {key: Reply(kind, value) for key, (kind, value) in earlier.items()}
    for answer in request.answers:
        replies[answer.key] = _reply(answer.reply)
    return replies


def _reply(reply: types.Reply) -> Reply:
    match reply:
        case types.Reply_Form(value) | types.Reply_Url(value):
            match value:
                case types.UserReply_Accepted(content):
                    return Reply("accepted", None if content is None else json.loads(content))
                case types.UserReply_Declined():
                    return Reply("declined")
            return Reply("cancelled")
        case types.Reply_Sampling(said):
            texts = [it.value.text for it in said.content if isinstance(it, types.Content_Text)]
            text = "\n".join(texts)
            model, reason = said.model, said.stop_reason
            return Reply("sampled", {"text": text, "model": model, "stop_reason": reason})
        case types.Reply_Roots(roots):
            return Reply("roots", [{"uri": it.uri, "name": it.name} for it in roots])


def _asked(running: Call) -> types.InputRequired:
    """Questions, and all answers so far as their state."""
    earlier = {key: [it.kind, it.value] for key, it in running.replies.items()}
    keyed = [types.KeyedQuestion(key, _question(it)) for key, it in running.questions.items()]
    return types.InputRequired(keyed, as_json(earlier).encode())


def _question(question: Question[Any]) -> types.Question:
    match question:
        case Form():
            return types.Question_Form(types.Form(question.message, as_json(question.schema)))
        case Url():
            return types.Question_Url(types.UrlVisit(question.message, question.url))
        case Sampling():
            return types.Question_Sampling(
                types.Sampling(
                    messages=[message(it) for it in question.all_messages],
                    system_prompt=question.system_prompt,
                    tokens_max=question.max_tokens,
                    temperature=question.temperature,
                    stop_sequences=list(question.stop_sequences),
                    model_hints=list(question.models),
                )
            )
        case _:
            return types.Question_Roots()


def message(message: Message) -> types.Message:
    """One message."""
    role = types.Role.USER if message.role == "user" else types.Role.ASSISTANT
    return types.Message(role, block_of(message.block))


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


def block_of(block: Content) -> types.Content:
    """A block of content."""
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
        case Embedded():
            return types.Content_Embedded(types.EmbeddedResource(contents(block), notes))
        case _:
            raise TypeError(f"{block!r} is no block of content")


def contents(resource: Embedded) -> types.ResourceContents:
    """A resource's contents."""
    body: types.ResourceBody
    if isinstance(resource.body, str):
        body = types.ResourceBody_Text(_sendable(resource.body))
    else:
        body = types.ResourceBody_Bytes(resource.body)
    return types.ResourceContents(resource.uri, resource.mime_type, body)


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


def as_json(value: object) -> str:
    """JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
