"""What can be asked of a client in the middle of a call, and what comes back of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, overload

from .content import Content
from .errors import Cancelled, Declined, Misfit, ToolError
from .facts import Ability
from .field import Schema
from .forms import form_schema
from .messages import Message, UserMessage
from .reading import read
from .shape import Json

T = TypeVar("T")

Kind = Literal["accepted", "declined", "cancelled", "sampled", "roots"]


@dataclass(frozen=True)
class Reply:
    """What a client did with a question: in JSON, since it waits in a state for later rounds."""

    kind: Kind
    value: Json = None


class Question(Generic[T]):
    """A question whose answer is a `T`; see `ask`."""

    needs: Ability

    def answer(self, reply: Reply) -> T:
        """The answer that came back, or the error that says why there is none."""
        raise NotImplementedError

    def _given(self, reply: Reply, kind: Kind) -> Any:
        if reply.kind == "declined":
            raise Declined("the user declined")
        if reply.kind == "cancelled":
            raise Cancelled("the user did not answer")
        if reply.kind != kind:
            raise ToolError(f"what came back is no answer to a `{type(self).__name__}`")
        return reply.value


class Form(Question[T]):
    """A form that the user fills in.

    - `message`: what is asked, and why.
    - `of`: a class with plain fields (text, numbers, booleans, names of an enum, lists of those),
      of which the answer is one; or a JSON Schema of such an object, and the answer is a dict.

    A form must not ask for secrets; see `Url`.
    """

    needs = Ability.ELICIT_FORM

    @overload
    def __init__(self: Form[dict[str, Any]], message: str, of: Schema) -> None: ...

    @overload
    def __init__(self: Form[T], message: str, of: type[T]) -> None: ...

    def __init__(self, message: str, of: Any) -> None:
        self.message = message
        self._shape = None if isinstance(of, dict) else read(of)
        self.schema: Schema = of if self._shape is None else form_schema(self._shape)

    def __eq__(self, other: object) -> bool:
        asked = (self.message, self.schema)
        return isinstance(other, Form) and asked == (other.message, other.schema)

    def __repr__(self) -> str:
        return f"Form({self.message!r}, {self.schema!r})"

    def answer(self, reply: Reply) -> T:
        content: Any = self._given(reply, "accepted") or {}
        if self._shape is None:
            return content  # type: ignore[no-any-return]
        try:
            return self._shape.decode(content)  # type: ignore[no-any-return]
        except Misfit as misfit:
            text = misfit.text("what was filled in")
            raise ToolError(f"what was filled in is not what was asked: {text}") from None


@dataclass(frozen=True)
class Url(Question[None]):
    """A page that the user is asked to open, for what does not belong in a form. An https URL."""

    message: str
    url: str
    needs = Ability.ELICIT_URL

    def answer(self, reply: Reply) -> None:
        self._given(reply, "accepted")


@dataclass(frozen=True)
class Sampled:
    """What the client's model said."""

    text: str
    """Its words, those of all blocks of text."""
    model: str = ""
    """Which model it was."""
    stop_reason: str | None = None
    """Why it stopped."""


@dataclass(frozen=True)
class Sampling(Question[Sampled]):
    """A request for the client's language model.

    - `messages`: what it is told: a text, content, a message, or a list of messages.
    - `max_tokens`: the most tokens that may come.
    - `temperature`: from 0 to 1.
    - `models`: names of models, or parts of names, that would be right; the best first.
    """

    messages: str | Content | Message | Sequence[Message]
    max_tokens: int
    system_prompt: str | None = None
    temperature: float | None = None
    stop_sequences: Sequence[str] = ()
    models: Sequence[str] = ()
    needs = Ability.SAMPLING

    @property
    def all_messages(self) -> list[Message]:
        """The messages, one by one."""
        if isinstance(self.messages, Message):
            return [self.messages]
        said = self.messages
        return [UserMessage(said)] if isinstance(said, (str, Content)) else list(said)

    def answer(self, reply: Reply) -> Sampled:
        return Sampled(**self._given(reply, "sampled"))


@dataclass(frozen=True)
class Root:
    """A directory that the user works in: a `file:` URI, and a name for people."""

    uri: str
    name: str | None = None


@dataclass(frozen=True)
class Roots(Question["list[Root]"]):
    """The directories that the user works in."""

    needs = Ability.ROOTS

    def answer(self, reply: Reply) -> list[Root]:
        return [Root(**root) for root in self._given(reply, "roots")]
