"""`ask`: questions to the user, or to their model, in the middle of a call.

The first time there is no answer yet, and `ask` ends the function. The host asks, and runs the
function **again from its beginning**, where the same line gives the answer. So whatever stands
before a question runs more than once; let it change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from .errors import MissingAbility, listed
from .facts import Ability, call
from .questions import Question

T = TypeVar("T")


class Asking(BaseException):  # noqa: N818
    """No failure: something is asked first, and the call ends here.

    It is no `Exception`, so that `except Exception` lets it pass. Where something else catches it
    (a bare `except`, a task that nobody awaits), the call ends with the questions all the same.
    """


def ask(key: str, question: Question[T]) -> T:
    """Asks the client, and gives its answer; in an async function as well, without `await`.

    `key` names the question within the function: another question has another key.

    Raises `Declined` or `Cancelled`, which are told to the model, when the user says no or nothing,
    and `MissingAbility` when this client cannot be asked; `call().client` says what it can do.
    """
    return ask_all({key: question})[key]  # type: ignore[no-any-return]


def ask_all(questions: Mapping[str, Question[Any]]) -> dict[str, Any]:
    """Asks several questions at once, each under its key, and gives their answers by key.

    What was answered once can be asked for again, one by one: `ask` with the same key gives it.
    """
    running = call()
    for key, question in questions.items():
        if not isinstance(question, Question):
            raise TypeError(
                f"`{key}` asks a `{type(question).__name__}`: a question is a `Form`, a `Url`, "
                "a `Sampling` or a `Roots`"
            )
    unanswered = {key: it for key, it in questions.items() if key not in running.replies}
    if not unanswered:
        return {key: it.answer(running.replies[key]) for key, it in questions.items()}
    needed = Ability(0)
    for question in unanswered.values():
        needed |= question.needs
    if lacking := needed & ~running.client:
        raise MissingAbility(lacking, "it asks the user or their model something")
    running.questions.update(unanswered)
    raise Asking(f"it asks first: {listed(unanswered)}")
