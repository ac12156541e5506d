"""HTTP requests, to the hosts that the component is granted.

    from portcullis import http, requires

    requires(http=["api.example.com:443"])

    http.get("https://api.example.com/cities?name=London").json()

A request waits for its whole answer. Redirects are not followed by themselves: the next host may be
one that is not granted. A component that imports this module has wasi:http among its imports, and
others have not. Outside of a component, as in a test, `answer_with` says what comes back.
"""

from __future__ import annotations

import json as _json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from .dynamic import parse_json
from .errors import InvalidArguments, ToolError

BODY_BYTES_MAX = 4 * 1024 * 1024
"""How many bytes of an answer's body are read, unless a request says otherwise."""


class HttpError(ToolError):
    """There was no answer. The model reads why, unless the tool catches it."""


class Headers(Mapping[str, str]):
    """Headers by their names, in any case; several of one name are joined by commas."""

    def __init__(self, entries: Iterable[tuple[str, bytes]] = ()) -> None:
        self._values: dict[str, str] = {}
        for name, value in entries:
            key, text = name.lower(), value.decode("utf-8", "replace")
            self._values[key] = f"{self._values[key]}, {text}" if key in self._values else text

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True)
class Response:
    """An answer, whatever its status."""

    status: int
    headers: Headers
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status < 300

    def text(self) -> str:
        """The body as text, by the charset of its content type, or UTF-8."""
        named = re.search(r"charset=\"?([\w.-]+)", self.headers.get("content-type", ""))
        try:
            return self.body.decode(named[1] if named else "utf-8", "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON; a body that is none is a `ToolError`."""
        return parse_json(self.body)


@dataclass(frozen=True)
class Request:
    """A request as it goes to the host."""

    method: str
    scheme: str
    authority: str
    path_with_query: str
    headers: tuple[tuple[str, bytes], ...]
    body: bytes | None
    body_bytes_max: int


Exchange = Callable[[Request], Response]


def _nowhere(request: Request) -> Response:
    raise HttpError(
        "there is no HTTP outside of a component: `http.answer_with` says what it gives"
    )


_exchange: Exchange = _nowhere


def answer_with(exchange: Exchange) -> None:
    """Makes `exchange` the one that answers requests, as a test needs it."""
    global _exchange
    _exchange = exchange


def request(
    method: str,
    url: str,
    *,
    params: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    body: str | bytes | None = None,
    json: Any = None,
    body_bytes_max: int = BODY_BYTES_MAX,
) -> Response:
    """Sends a request and waits for all of the answer.

    - `params`: what is added to the URL's query.
    - `body`, or `json`: what is sent; a value for `json` is written as such.
    - `body_bytes_max`: how many bytes of an answer are read before the request fails.
    """
    scheme, authority, path = _parsed(url)
    if params:
        path += ("&" if "?" in path else "?") + urlencode(params, doseq=True)
    entries = {name.lower(): value for name, value in (headers or {}).items()}
    if json is not None:
        body = _json.dumps(json, ensure_ascii=False, allow_nan=False)
        entries.setdefault("content-type", "application/json")
    return _exchange(
        Request(
            method=method.upper(),
            scheme=scheme,
            authority=authority,
            path_with_query=path,
            headers=tuple((name, value.encode()) for name, value in entries.items()),
            body=body.encode() if isinstance(body, str) else body,
            body_bytes_max=body_bytes_max,
        )
    )


def get(url: str, **options: Any) -> Response:
    """Sends a GET; the options are those of `request`."""
    return request("GET", url, **options)


def post(url: str, **options: Any) -> Response:
    """Sends a POST; the options are those of `request`."""
    return request("POST", url, **options)


def _parsed(url: str) -> tuple[str, str, str]:
    """The parts of an absolute http or https URL; what a URL cannot hold is escaped."""
    parts = re.fullmatch(r"(https?)://([^/?#@\s\\]+)((?:[/?][^#]*)?)(?:#.*)?", url, re.IGNORECASE)
    if parts is None:
        raise InvalidArguments(f"`{url}` is not an absolute http or https URL")
    scheme, authority, rest = parts.groups()
    path = rest if rest.startswith("/") else f"/{rest}"
    return scheme.lower(), authority.lower(), quote(path, safe="%/?:@!$&'()*+,;=~-._[]")
