"""What the SDK's own tests cannot see: tools that wait, ask the host for something, or fail, in a
component."""

import asyncio
import logging
import os
import pathlib
import time
from typing import Annotated, Any

from port import PORT
from portcullis import (
    Audio,
    Content,
    Field,
    Full,
    Image,
    InvalidArguments,
    Model,
    ToolError,
    call,
    http,
    log,
    parse_json,
    progress,
    requires,
    tool,
)

requires(http=[f"127.0.0.1:{PORT}"], read_only=["/data"], environment=["CITY"])


class Node(Model):
    name: str = Field(min_length=1)
    inner: "list[Node]" = Field(default_factory=list)


@tool
async def in_turn(waits_ms: list[int]) -> list[int]:
    """Waits for all at once; gives them in the order in which they ended."""
    ended: list[int] = []

    async def wait(milliseconds: int) -> None:
        await asyncio.sleep(milliseconds / 1000)
        ended.append(milliseconds)

    async with asyncio.TaskGroup() as group:
        for milliseconds in waits_ms:
            group.create_task(wait(milliseconds))
    return ended


@tool
async def given_up() -> str:
    """Waits for an hour, but not so long."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(3600)
    except TimeoutError:
        raise ToolError(f"gave up: {time.monotonic() - began < 60}") from None
    return "never"


@tool
async def stuck() -> str:
    """Waits for what nobody brings about."""
    await asyncio.Event().wait()
    return "never"


@tool
def fetch(
    url: str, method: str = "GET", body: str | None = None
) -> tuple[int, str | None, str]:
    """Sends a request."""
    answer = http.request(method, url, body=body, headers={"X-City": "Zürich"})
    return answer.status, answer.headers.get("Content-Type"), answer.text()


@tool
def reads(path: str, variable: str) -> tuple[str | None, str | None]:
    """A file and a variable, as far as they are there."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except OSError:
        text = None
    return text, os.environ.get(variable)


@tool
def depth(tree: Node) -> Annotated[int, Field(ge=1)]:
    """How deep a tree is."""
    return 1 + max((depth(node) for node in tree.inner), default=0)


@tool
def says(steps: int) -> int:
    """Tells of each step, in each way."""
    for step in range(steps):
        progress.report(step + 1, steps, f"step {step + 1}")
    log.notice("all steps are done")
    logging.getLogger("steps").warning("done %d", steps)
    return steps


@tool
def shown() -> list[Content | str]:
    """A picture, a sound and a caption."""
    return [Image(b"\x89PNG\r\n\x1a\n"), Audio(b"RIFF\0\0\0\0WAVE"), "a caption"]


@tool
def anything(text: str) -> Any:
    """Whatever the text is."""
    return parse_json(text)


@tool(own_content=True)
def full() -> Full[dict[str, int]]:
    """A value, and what goes beside it."""
    return Full({"a": 1}, content=["one"], meta={"source": "here"})


@tool
def fails(how: str) -> str:
    """Fails."""
    match how:
        case "told":
            raise ToolError("no such shelf")
        case "arguments":
            raise InvalidArguments("a shelf has a number")
        case _:
            raise ValueError(f"secret-{call().id}")
