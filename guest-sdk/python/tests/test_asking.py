"""A function that asks runs again from its beginning with the answer."""

import asyncio
import datetime
import enum
import unittest
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from portcullis import (
    Ability,
    Call,
    Cancelled,
    Declined,
    Field,
    Form,
    Message,
    Model,
    Root,
    Roots,
    Sampled,
    Sampling,
    SchemaError,
    Url,
    ask,
    ask_all,
    call,
    testing,
    tool,
)
from portcullis.asking import Asking
from portcullis.tools import TOOLS


@dataclass
class Name:
    name: str


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


class Person(Model):
    name: Annotated[str, "As people say it."] = Field(min_length=1, max_length=40)
    age: int | None = Field(default=None, ge=0)
    size: Size = Size.SMALL
    sizes: list[Size] = Field(default_factory=list)
    born: datetime.date | None = None
    kind: Literal["a", "b"]
    sure: bool = False


WHO = Form("Who?", Name)
SURE = Url("Sure?", "https://a.example/")


def asked(told: dict[str, Any]) -> list[str]:
    return list(told["asks"])


class Asks(unittest.TestCase):
    def setUp(self) -> None:
        TOOLS.clear()

    def test_each_question_waits_for_the_answer_to_the_one_before(self) -> None:
        runs = []

        @tool
        def greet() -> str:
            runs.append(call().replies)
            name = ask("name", WHO).name
            ask("sure", SURE)
            return f"Hello, {name}!"

        self.assertEqual(testing.call("greet", testing.answered({})), {"asks": {"name": WHO}})
        name = {"name": Name("Ann")}
        self.assertEqual(testing.call("greet", testing.answered(name)), {"asks": {"sure": SURE}})
        done = testing.call("greet", testing.answered({**name, "sure": None}))
        self.assertEqual(done["value"], "Hello, Ann!")
        self.assertEqual(len(runs), 3)

    def test_several_are_asked_at_once_and_only_those_without_an_answer(self) -> None:
        @tool
        def greet() -> str:
            told = ask_all({"name": WHO, "said": Sampling("Hi", 10), "roots": Roots()})
            # What was answered once is there for `ask`, too.
            self.assertEqual(ask("name", WHO), told["name"])
            return f"{told['said'].text} {told['name'].name} {told['roots'][0].uri}"

        self.assertEqual(
            asked(testing.call("greet", testing.answered({}))), ["name", "said", "roots"]
        )
        some = {"name": {"name": "Ann"}, "roots": [Root("file:///work")]}
        self.assertEqual(asked(testing.call("greet", testing.answered(some))), ["said"])
        all_of_it = testing.answered({**some, "said": Sampled("Hello")})
        self.assertEqual(testing.call("greet", all_of_it)["value"], "Hello Ann file:///work")

    def test_nothing_swallows_a_question(self) -> None:
        @tool
        def by_exception() -> str:
            try:
                return ask("name", WHO).name
            except Exception:
                return "swallowed"

        @tool
        def by_everything() -> str:
            try:
                return ask("name", WHO).name
            except:  # noqa: E722
                return "swallowed"

        @tool
        async def by_tasks() -> str:
            async def one(key: str) -> str:
                return ask(key, WHO).name

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(key)) for key in ("name", "other")]
            return " ".join(task.result() for task in tasks)

        for name in ("by_exception", "by_everything"):
            self.assertEqual(asked(testing.call(name, testing.answered({}))), ["name"], name)
        # Tasks that are under way ask in one round.
        told = testing.call("by_tasks", testing.answered({}))
        self.assertEqual(asked(told), ["name", "other"])
        answered = testing.answered({"name": {"name": "Ann"}, "other": {"name": "Bob"}})
        self.assertEqual(testing.call("by_tasks", answered)["value"], "Ann Bob")
        self.assertFalse(issubclass(Asking, Exception))

    def test_a_user_who_declines_and_a_client_that_cannot_be_asked_are_errors(self) -> None:
        @tool
        def greet() -> str:
            return ask("name", WHO).name

        @tool
        def anyway() -> str:
            try:
                return ask("name", WHO).name
            except (Declined, Cancelled) as error:
                return type(error).__name__

        for reply, message, kind in (
            (testing.DECLINED, "the user declined", "Declined"),
            (testing.CANCELLED, "the user did not answer", "Cancelled"),
        ):
            running = testing.answered({"name": reply})
            told = {"failure": "tool-error", "message": message}
            self.assertEqual(testing.call("greet", running), told)
            self.assertEqual(testing.call("anyway", running)["value"], kind)
        told = testing.call("greet", Call(client=Ability.SAMPLING))
        self.assertEqual(told["failure"], "missing-client-ability")

    def test_an_answer_is_one_to_what_was_asked(self) -> None:
        @tool
        def greet() -> str:
            return ask("name", WHO).name

        for reply, why in (
            (Sampled("Ann"), "what came back is no answer to a `Form`"),
            ({}, "what was filled in is not what was asked: `name` is missing"),
            ({"name": 5}, "`name` is an `int`, and `str` is declared"),
        ):
            told = testing.call("greet", testing.answered({"name": reply}))
            self.assertEqual(told["failure"], "tool-error")
            self.assertIn(why, told["message"])

    def test_what_is_no_question_is_a_fault(self) -> None:
        @tool
        def greet() -> str:
            return str(ask("name", "Who?"))  # type: ignore[arg-type]

        told = testing.call("greet", testing.answered({}))
        self.assertIn("`name` asks a `str`: a question is a `Form`", told["message"])


class Forms(unittest.TestCase):
    # MCP 2025-11-25, elicitation, requested schema: the keywords that a form has.
    def test_a_form_is_flat_and_says_no_more_than_it_may(self) -> None:
        small_or_large = {"type": "string", "enum": ["small", "large"]}
        properties = {
            "name": {
                "type": "string",
                "minLength": 1,
                "maxLength": 40,
                "description": "As people say it.",
            },
            "age": {"type": "integer", "minimum": 0},
            "size": {**small_or_large, "default": "small"},
            "sizes": {"type": "array", "items": small_or_large},
            "born": {"type": "string", "format": "date"},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "sure": {"type": "boolean", "default": False},
        }
        expected = {"type": "object", "properties": properties, "required": ["name", "kind"]}
        self.assertEqual(Form("Who?", Person).schema, expected)

    def test_an_answer_is_of_the_class(self) -> None:
        @tool
        def shown() -> str:
            return repr(ask("it", Form("Who?", Person)))

        filled_in = {"name": "Ann", "size": "large", "born": "1970-01-02", "kind": "b"}
        TOOLS["shown"].run("{}", running := testing.answered({"it": filled_in}))
        expected = Person(name="Ann", size=Size.LARGE, born=datetime.date(1970, 1, 2), kind="b")
        self.assertEqual(Form("Who?", Person).answer(running.replies["it"]), expected)

    def test_a_form_may_be_a_schema(self) -> None:
        schema = {"type": "object", "properties": {"x": {"type": "string"}}}
        form = Form("What?", schema)
        self.assertIs(form.schema, schema)
        self.assertEqual(form.answer(testing.answered({"it": {"x": "y"}}).replies["it"])["x"], "y")

    def test_what_a_form_has_no_word_for_is_refused(self) -> None:
        @dataclass
        class Nested:
            inner: Name

        @dataclass
        class Matched:
            code: Annotated[str, Field(pattern="[a-z]+")]

        @dataclass
        class Listed:
            names: list[str]

        for of, why in (
            (Nested, "field `inner` of the form `Nested`: it is not plain"),
            (Matched, "a form has no word for `pattern`"),
            (Listed, "a list in a form is one of names of an enum"),
            (str, "a form is a class with fields, and `str` is none"),
        ):
            with self.assertRaises(SchemaError) as raised:
                Form("What?", of)  # type: ignore[call-overload]
            self.assertIn(why, str(raised.exception))

    def test_a_model_is_asked_with_a_text_or_with_messages(self) -> None:
        self.assertEqual(Sampling("Hi", 10).all_messages, Sampling(Message("Hi"), 10).all_messages)
        one = Sampling([Message("Hi"), Message("Hello", "assistant")], 10).all_messages
        self.assertEqual([it.role for it in one], ["user", "assistant"])
