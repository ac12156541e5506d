"""What a component has beside tools: resources, prompts, suggestions and announcements."""

import unittest
from dataclasses import dataclass
from typing import Annotated, Any

from portcullis import (
    AssistantMessage,
    Call,
    Embedded,
    Field,
    Form,
    Image,
    MCPServer,
    Message,
    NotFound,
    SchemaError,
    Text,
    Typed,
    UserMessage,
    ask,
    changed,
    complete,
    completion,
    prompt,
    resource,
    testing,
)
from portcullis.completion import COMPLETIONS
from portcullis.prompts import PROMPTS, PromptParameter
from portcullis.resources import RESOURCES


@dataclass
class Name:
    name: str


class Beside(unittest.TestCase):
    def setUp(self) -> None:
        for registry in (RESOURCES, PROMPTS, COMPLETIONS):
            registry.clear()

    def refused(self, declare: Any, why: str) -> None:
        with self.assertRaises(SchemaError) as raised:
            declare()
        self.assertIn(why, str(raised.exception))

    def test_a_resource_is_read_at_its_uri(self) -> None:
        @resource("notes://today", title="Today", mime_type="text/plain")
        def today() -> str:
            """What is to be done."""
            return "Nothing."

        @resource("notes://all")
        async def everything() -> dict[str, int]:
            return {"a": 1}

        @resource("notes://raw")
        def raw() -> bytes:
            return b"\x00"

        @resource("notes://several")
        def several() -> list[Embedded]:
            return [Embedded("notes://several/1", "one"), Embedded("notes://several/2", "two")]

        told = RESOURCES["notes://today"]
        self.assertEqual((told.name, told.title), ("today", "Today"))
        self.assertEqual(told.description, "What is to be done.")
        self.assertEqual(today(), "Nothing.")

        def given(uri: str) -> Any:
            return testing.read(uri)["given"]

        self.assertEqual(
            given("notes://today"), [Embedded("notes://today", "Nothing.", "text/plain")]
        )
        as_json = Embedded("notes://all", '{\n  "a": 1\n}', "application/json")
        self.assertEqual(given("notes://all"), [as_json])
        self.assertEqual(given("notes://raw"), [Embedded("notes://raw", b"\x00")])
        self.assertEqual([it.body for it in given("notes://several")], ["one", "two"])
        self.assertEqual(testing.read("notes://other")["failure"], "not-found")

    def test_a_template_gives_the_values_that_were_put_in(self) -> None:
        @resource("a://{x}/data")
        def data(x: str) -> str:
            return x

        @resource("b://{x}/{y}.json")
        def two(y: int, x: str, running: Call) -> str:
            return f"{x} {y} {running.id}"

        def body(uri: str) -> Any:
            return testing.read(uri, Call(id="c1"))["given"][0].body

        # RFC 6570, 3.2.2, examples: {var}, {hello} and {half}.
        self.assertEqual(body("a://value/data"), "value")
        self.assertEqual(body("a://Hello%20World%21/data"), "Hello World!")
        self.assertEqual(body("a://50%25/data"), "50%")
        self.assertEqual(body("b://1/2.json"), "1 2 c1")
        for uri in ("a:///data", "a://1/2/data", "a://1/data/", "a://%zz/data", "a://%ff/data"):
            self.assertEqual(testing.read(uri)["failure"], "not-found", uri)
        self.assertEqual(testing.read("b://1/x.json")["failure"], "invalid-arguments")

    def test_a_uri_and_its_function_agree(self) -> None:
        def lacks() -> str:
            return ""

        def has_more(id: str, more: str) -> str:
            return id + more

        for uri, function, why in (
            ("a://{id}", lacks, "the URI has `id`, and the function no such parameter"),
            ("a://{id}", has_more, "`more` is no variable of the URI"),
            ("a://{+id}", has_more, "a variable of a URI is a plain name, such as `{id}`"),
            ("a://{id", lacks, "a variable of a URI is a plain name"),
        ):
            self.refused(lambda uri=uri, function=function: resource(uri)(function), why)
        resource("a://b")(lacks)
        self.refused(lambda: resource("a://b")(lacks), "`lacks` has the URI `a://b` already")
        self.refused(lambda: resource(lacks), '`@resource` takes the URI: write `@resource("notes')

    def test_a_prompt_is_filled_in(self) -> None:
        @prompt(title="Greeting")
        def greet(
            name: Annotated[str, "Whom."],
            times: Annotated[int, Field(alias="howOften")] = 1,
            running: Call = Call(),
        ) -> str:
            """Greets."""
            return "Hello " * times + name

        self.assertEqual(
            PROMPTS["greet"].parameters,
            (
                PromptParameter("name", None, "Whom.", True),
                PromptParameter("howOften", None, None, False),
            ),
        )
        self.assertEqual(PROMPTS["greet"].description, "Greets.")
        given = testing.get("greet", name="3", howOften="2")["given"]
        self.assertEqual(given, [UserMessage("Hello Hello 3")])
        for arguments, why in (
            ({}, "the argument `name` is missing"),
            ({"name": "a", "howOften": "b"}, "`howOften` is a `str`, and `int` is declared"),
        ):
            told = testing.get("greet", **arguments)
            self.assertEqual(told, {"failure": "invalid-arguments", "message": why})
        self.assertEqual(testing.get("nope")["failure"], "not-found")
        self.refused(lambda: prompt(name="GREET")(greet), "a prompt is named `greet` already")

    def test_what_a_prompt_gives_are_messages(self) -> None:
        png = Image(b"\x89PNG\r\n\x1a\n")

        @prompt
        def all_of_it() -> list[Any]:
            return ["one", png, AssistantMessage("two"), UserMessage(png)]

        @prompt
        def a_number() -> int:
            return 1

        given = testing.get("all_of_it")["given"]
        self.assertEqual([it.block for it in given], [Text("one"), png, Text("two"), png])
        self.assertEqual([it.role for it in given], ["user", "user", "assistant", "user"])
        told = testing.get("a_number")
        self.assertEqual(told["failure"], "internal")
        self.assertIn("the prompt `a_number` gives a `int`, which is no message", told["message"])

    def test_resources_and_prompts_ask_as_tools_do(self) -> None:
        who = Form("Who?", Name)

        @prompt
        def greet() -> Message:
            return UserMessage(ask("who", who).name)

        @resource("notes://mine")
        def mine() -> str:
            return ask("who", who).name

        answered = testing.answered({"who": {"name": "Ann"}})
        for told in (testing.get("greet"), testing.read("notes://mine")):
            self.assertEqual(told["failure"], "missing-client-ability")
        for told in (
            testing.get("greet", testing.answered({})),
            testing.read("notes://mine", testing.answered({})),
        ):
            self.assertEqual(told, {"asks": {"who": who}})
        self.assertEqual(testing.get("greet", answered)["given"], [UserMessage("Ann")])
        self.assertEqual(testing.read("notes://mine", answered)["given"][0].body, "Ann")

    def test_values_are_suggested(self) -> None:
        @prompt
        def greet(language: str, name: str) -> str:
            return f"{language} {name}"

        @resource("n://{id}")
        def number(id: str) -> str:
            return id

        @complete(prompt="greet", argument="language")
        def languages(typed: str) -> list[str]:
            return [it for it in ("de", "en", "es") if it.startswith(typed)]

        @complete(prompt="greet", argument="name")
        async def names(so_far: Typed, running: Call) -> list[str]:
            return [f"{so_far.settled['language']}-{so_far.text}{running.id}"]

        @complete(template="n://{id}", argument="id")
        def ids(typed: str) -> Any:
            return (str(it) for it in range(150))

        completion.settled()
        self.assertEqual(testing.complete("language", "e", prompt="greet").values, ("en", "es"))
        named = testing.complete("name", "x", prompt="greet", language="de")
        self.assertEqual(named.values, ("de-x",))
        # MCP, completion: at most 100 values.
        many = testing.complete("id", template="n://{id}")
        self.assertEqual((len(many.values), many.total, many.more), (100, 150, True))
        self.assertEqual(testing.complete("other", prompt="greet").values, ())

    def test_what_is_completed_is_there(self) -> None:
        def typed(text: str) -> list[str]:
            return [text]

        self.refused(lambda: complete(argument="x")(typed), "names either a prompt or a template")
        complete(prompt="greet", argument="x")(typed)
        self.refused(
            lambda: complete(prompt="greet", argument="x")(typed), "suggests values of `x` already"
        )
        self.refused(completion.settled, "there is no prompt `greet` with an argument `x`")

    def test_a_server_of_the_mcp_sdk_has_them(self) -> None:
        mcp = MCPServer("notes")

        @mcp.resource("notes://{day}", mime_type="text/plain")
        def notes(day: str) -> str:
            if day != "today":
                raise NotFound(f"nothing on {day}")
            return "Nothing."

        @mcp.prompt(title="Plan")
        def plan() -> str:
            return "Plan my day."

        self.assertEqual(testing.read("notes://today")["given"][0].body, "Nothing.")
        told = testing.read("notes://tomorrow")
        self.assertEqual(told, {"failure": "not-found", "message": "nothing on tomorrow"})
        self.assertEqual(testing.get("plan")["given"], [UserMessage("Plan my day.")])

    def test_announcements_go_to_the_host(self) -> None:
        announced: list[tuple[str, str]] = []
        changed.tools()
        changed.send_to(lambda what, uri: announced.append((what, uri)))
        changed.tools()
        changed.resources()
        changed.prompts()
        changed.resource("notes://today")
        self.assertEqual(
            announced,
            [("tools", ""), ("resources", ""), ("prompts", ""), ("contents", "notes://today")],
        )
