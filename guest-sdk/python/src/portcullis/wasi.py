"""HTTP by way of wasi:http. Its bindings exist only in a component that imports `portcullis.http`."""

from __future__ import annotations

import re
from typing import Any

from componentize_py_types import Err, Ok
from wit_world.imports import http_types as wit
from wit_world.imports import outgoing_handler
from wit_world.imports.streams import StreamError_Closed

from .http import Headers, HttpError, Request, Response

CHUNK_BYTES = 64 * 1024
# One write takes no more.
WRITE_BYTES_MAX = 4096


def exchange(request: Request) -> Response:
    """Sends a request and reads the answer, or says why there is none."""
    try:
        return _answered(request)
    except Err as error:
        raise HttpError(f"{request.authority} gave no answer: {_reason(error.value)}") from None


def _answered(request: Request) -> Response:
    made = wit.OutgoingRequest(wit.Fields.from_list(list(request.headers)))
    made.set_method(_method(request.method))
    made.set_scheme(wit.Scheme_Https() if request.scheme == "https" else wit.Scheme_Http())
    made.set_authority(request.authority)
    made.set_path_with_query(request.path_with_query)
    body = made.body()
    future = outgoing_handler.handle(made, None)
    if request.body is not None:
        with body.write() as stream:
            for at in range(0, len(request.body), WRITE_BYTES_MAX):
                stream.blocking_write_and_flush(request.body[at : at + WRITE_BYTES_MAX])
    wit.OutgoingBody.finish(body, None)
    with future, future.subscribe() as ready:
        ready.block()
        given = future.get()
    if not isinstance(given, Ok):
        raise Err("the answer was taken before")
    if isinstance(given.value, Err):
        raise given.value
    response = given.value.value
    with response, response.headers() as headers:
        entries = headers.entries()
        return Response(response.status(), Headers(entries), _whole(response, request))


def _whole(response: Any, request: Request) -> bytes:
    chunks: list[bytes] = []
    length = 0
    with response.consume() as body, body.stream() as stream:
        while True:
            try:
                chunk = stream.blocking_read(CHUNK_BYTES)
            except Err as error:
                if isinstance(error.value, StreamError_Closed):
                    return b"".join(chunks)
                raise
            chunks.append(chunk)
            length += len(chunk)
            if length > request.body_bytes_max:
                raise Err(f"the body has more than {request.body_bytes_max} bytes")


def _method(name: str) -> Any:
    known = getattr(wit, f"Method_{name.title()}", None)
    return wit.Method_Other(name) if known is None or name == "OTHER" else known()


def _reason(error: Any) -> str:
    """The case of an error, in words, and what it holds."""
    if isinstance(error, str) or error is None:
        return error or "the request is no good"
    case = type(error).__name__.partition("_")[2]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", case).lower()
    held = getattr(error, "value", None)
    return f"{words}: {held}" if isinstance(held, str) else words
