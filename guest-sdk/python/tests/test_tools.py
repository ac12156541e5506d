"""What a function says, and what its calls give."""

import asyncio
import functools
import unittest
from typing import Annotated, Any

from portcullis import (
    Ability,
    Call,
    Content,
    Field,
    Full,
    Image,
    InvalidArguments,
    MissingAbility,
    Model,
    SchemaError,
    Text,
    ToolError,
    call,
    parse_json,
    testing,
    tool,
)
from portcullis.tools import TOOLS


class Weather(Model):
    temperature: float
    conditions: str = "Overcast"


class Station:
    def __init__(self, name: str) -> None:
        self.name = name


class Tools(unittest.TestCase):
    def setUp(self) -> None:
        TOOLS.clear()

    def refused(self, function: Any, why: str, **options: Any) -> None:
        with self.assertRaises(SchemaError) as raised:
            tool(**options)(function)
        self.assertIn(why, str(raised.exception))

    def test_a_signature_is_a_contract(self) -> None:
        @tool(title="Forecast", read_only=True)
        def get_forecast(
            city: Annotated[str, "The city's name."],
            days: Annotated[int, Field(ge=1, le=14)] = 3,
            running: Call = Call(),
        ) -> list[Weather]:
            """Daily forecast for a city."""
            return [Weather(temperature=16.2 + day) for day in range(days)]

        told = testing.describe()["get_forecast"]
        self.assertEqual(told["description"], "Daily forecast for a city.")
        self.assertEqual(
            told["input_schema"],
            {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "The city's name."},
                    "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
                },
                "required": ["city"],
            },
        )
        self.assertEqual(told["output_schema"]["items"], {"$ref": "#/$defs/Weather"})
        self.assertIs(told["hints"]["read_only"], True)
        # It is a function like any other.
        self.assertEqual(len(get_forecast("London", 2)), 2)
        self.assertEqual(len(testing.call("get_forecast", city="London")["value"]), 3)

    def test_arguments_have_the_types_that_are_annotated(self) -> None:
        @tool
        def shown(w: Weather, class_: Annotated[int, Field(alias="class")] = 1) -> str:
            return f"{w!r} {class_}"

        value = testing.call("shown", w={"temperature": 1}, **{"class": 2})["value"]
        self.assertEqual(value, "Weather(temperature=1.0, conditions='Overcast') 2")

    def test_a_field_may_stand_as_the_default(self) -> None:
        @tool
        def days(count: int = Field(default=3, ge=1, description="How many.")) -> int:
            return count

        count = testing.describe()["days"]["input_schema"]["properties"]["count"]
        described = {"type": "integer", "minimum": 1, "description": "How many.", "default": 3}
        self.assertEqual(count, described)
        self.assertEqual(testing.call("days"), {"value": 3})

    def test_an_async_tool_is_run_to_its_end(self) -> None:
        order: list[str] = []

        async def step(name: str, seconds: float) -> str:
            await asyncio.sleep(seconds)
            order.append(name)
            return name

        @tool
        async def later() -> list[str]:
            steps = (step("slow", 0.02), step("fast", 0.01), step("now", 0))
            return list(await asyncio.gather(*steps))

        self.assertEqual(testing.call("later"), {"value": ["slow", "fast", "now"]})
        self.assertEqual(order, ["now", "fast", "slow"])

    def test_an_async_tool_may_give_up(self) -> None:
        @tool
        async def impatient() -> str:
            try:
                await asyncio.wait_for(asyncio.sleep(3600), 0.01)
            except TimeoutError:
                raise ToolError("the shelf is slow") from None
            return "never"

        told = {"failure": "tool-error", "message": "the shelf is slow"}
        self.assertEqual(testing.call("impatient"), told)

    def test_what_is_awaited_and_never_comes_is_an_error(self) -> None:
        ended: list[bool] = []

        @tool
        async def stuck() -> int:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(True)
            return 1

        told = testing.call("stuck")
        self.assertEqual(told["failure"], "internal")
        self.assertIn("awaits what nothing in the component will bring about", told["message"])
        self.assertEqual(ended, [True])

    def test_a_decorator_leaves_an_async_tool_async(self) -> None:
        def plain(function: Any) -> Any:
            @functools.wraps(function)
            def wrapper(*args: Any, **more: Any) -> Any:
                return function(*args, **more)

            return wrapper

        @tool
        @plain
        async def days(count: int) -> int:
            await asyncio.sleep(0)
            return count

        self.assertEqual(testing.call("days", count=2), {"value": 2})

    def test_the_call_is_there_while_it_runs(self) -> None:
        @tool
        def whose() -> str | None:
            return call().principal

        running = Call(principal="p", client=Ability.SAMPLING)
        self.assertEqual(testing.call("whose", running), {"value": "p"})
        self.assertIsNone(call().principal)

    def test_what_is_raised_on_purpose_is_told_and_the_rest_is_not(self) -> None:
        @tool
        def fails(kind: str) -> int:
            raise {
                "tool": ToolError("no such shelf"),
                "arguments": InvalidArguments("a city has a name"),
                "ability": MissingAbility(Ability.SAMPLING, "no model"),
                "other": ValueError("a secret"),
            }[kind]

        def failure(kind: str) -> Any:
            told = testing.call("fails", kind=kind)
            return told["failure"], told["message"].splitlines()[0]

        self.assertEqual(failure("tool"), ("tool-error", "no such shelf"))
        self.assertEqual(failure("arguments"), ("invalid-arguments", "a city has a name"))
        self.assertEqual(failure("ability"), ("missing-client-ability", "no model"))
        self.assertEqual(failure("other"), ("internal", "ValueError: a secret"))
        self.assertIn(" in Tools.test_", testing.call("fails", kind="other")["message"])

    def test_a_full_result_has_all_its_parts(self) -> None:
        @tool(own_content=True)
        def full() -> Full[int]:
            schema = {"type": "integer", "maximum": 20}
            return Full(
                17, content=["warm"], meta={"station": 1}, exact_schema=schema, is_error=True
            )

        self.assertEqual(
            testing.call("full"),
            {
                "value": 17,
                "content": [Text("warm")],
                "meta": {"station": 1},
                "exact_schema": {"type": "integer", "maximum": 20},
                "is_error": True,
            },
        )

    def test_content_of_its_own_is_announced(self) -> None:
        @tool
        def full() -> Full[int]:
            return Full(17, content=["warm"])

        self.assertIn("own_content=True", testing.call("full")["message"])
        self.refused(lambda: 1, "`own_content` is for", own_content=True)

    def test_content_alone_has_no_schema(self) -> None:
        @tool
        def radar() -> list[Content | str]:
            return [Image(b"\x89PNG\r\n\x1a\n"), "a caption"]

        self.assertIsNone(testing.describe()["radar"]["output_schema"])
        image, text = testing.call("radar")["content"]
        self.assertEqual((image.mime_type, text), ("image/png", Text("a caption")))

    def test_a_tool_may_be_content_only_by_option(self) -> None:
        @tool(structured_output=False)
        def report() -> list[Any]:
            return ["warm", Weather(temperature=1), None]

        texts = [block.text for block in testing.call("report")["content"]]
        shown = '{\n  "temperature": 1.0,\n  "conditions": "Overcast"\n}'
        self.assertEqual(texts, ["warm", shown, "null"])

    def test_text_from_elsewhere_is_read_strictly(self) -> None:
        @tool
        def upstream(text: str) -> Weather:
            return parse_json(text)  # type: ignore[no-any-return]

        self.assertEqual(testing.call("upstream", text="{}"), {"value": {}})
        for text, why in (
            ('{"a": 1, "a": 2}', "the key `a` is given twice"),
            ("[NaN]", "NaN is no JSON"),
            (
                "[18446744073709551616]",
                "the integer 18446744073709551616 is out of range: it takes a string",
            ),
        ):
            self.assertEqual(
                testing.call("upstream", text=text), {"failure": "tool-error", "message": why}
            )

    def test_a_mistake_of_the_author_is_told_with_the_function_and_the_type(self) -> None:
        def get_station(name: str) -> Station:
            return Station(name)

        self.refused(get_station, "Function get_station: return type ")
        self.refused(get_station, "Station'> is not serializable for structured output")

        def open_ended(*names: str) -> int:
            return 0

        self.refused(open_ended, "Function open_ended: parameter `names`: ")

        def no_return(name: str):  # type: ignore[no-untyped-def]
            return name

        self.refused(no_return, "return annotation required for structured output")

        def bad_default(day: int = b"x") -> int:  # type: ignore[assignment]
            return day

        self.refused(bad_default, "the default of `day` is a `bytes`, and `int` is declared")

        def optional() -> Full[int] | None:
            return None

        self.refused(optional, "`Full[…]` stands alone")

    def test_two_tools_of_one_name_are_refused(self) -> None:
        tool(name="Get")(lambda_named("a"))
        self.refused(lambda_named("get"), "a tool is named `Get` already")
        self.refused(lambda_named("b"), "is not 1 to 64 of", name="a.b")


def lambda_named(name: str) -> Any:
    def function() -> int:
        return 1

    function.__name__ = name
    return function


if __name__ == "__main__":
    unittest.main()
