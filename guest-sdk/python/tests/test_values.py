"""The way of values to JSON and back."""

import dataclasses
import datetime
import decimal
import enum
import math
import unittest
import uuid
from typing import Any, Literal, NamedTuple, TypedDict

from portcullis import Field, Model
from portcullis.errors import Misfit
from portcullis.reading import read


class Color(enum.Enum):
    RED = "red"


class Cat(Model):
    kind: Literal["cat"] = "cat"
    lives: int


class Dog(Model):
    kind: Literal["dog"] = "dog"
    name: str
    lives: int = 1


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Options(TypedDict, total=False):
    depth: int


@dataclasses.dataclass
class Event:
    when: datetime.datetime
    colors: dict[Color, int] = dataclasses.field(default_factory=dict)


class Gauge:
    value: float
    unit: str = "bar"

    def __init__(self, reading: float) -> None:
        self.value = reading


UTC = datetime.timezone.utc


class Values(unittest.TestCase):
    def both(self, annotation: Any, value: Any, json: Any) -> None:
        """The value is written as `json`, and read from it."""
        shape = read(annotation)
        self.assertEqual(repr(shape.encode(value)), repr(json))
        self.assertEqual(shape.decode(json), value)

    def refused(self, annotation: Any, value: Any, why: str) -> None:
        with self.assertRaises(Misfit) as raised:
            read(annotation).encode(value)
        self.assertEqual(raised.exception.text("the result"), why)

    def test_values_go_both_ways(self) -> None:
        self.both(int, 2**64 - 1, 2**64 - 1)
        self.both(float, 1.5, 1.5)
        self.both(bytes, b"\0\xff", "AP8=")
        self.both(Color, Color.RED, "red")
        self.both(uuid.UUID, uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005")
        self.both(decimal.Decimal, decimal.Decimal("1.10"), "1.10")
        self.both(datetime.date, datetime.date(2024, 2, 29), "2024-02-29")
        moment = datetime.datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
        self.both(datetime.datetime, moment, "2024-05-06T07:08:09Z")
        self.both(datetime.timedelta, datetime.timedelta(days=1, seconds=90.5), "P1DT1M30.5S")
        self.both(datetime.timedelta, datetime.timedelta(0), "PT0S")
        self.both(datetime.timedelta, -datetime.timedelta(hours=2), "-PT2H")
        self.both(set[int], {3}, [3])
        self.both(tuple[int, str], (1, "x"), [1, "x"])
        self.both(dict[int, bool], {1: True}, {"1": True})
        self.both(dict[bool, int], {True: 1}, {"true": 1})
        self.both(dict[float, int], {1e21: 1}, {"1000000000000000000000.0": 1})
        self.both(dict[tuple[int, int], str], {(1, 2): "x"}, [[[1, 2], "x"]])
        self.both(Point, Point(1.0), {"x": 1.0, "y": 0.0})
        self.both(
            Event,
            Event(moment, {Color.RED: 1}),
            {"when": "2024-05-06T07:08:09Z", "colors": {"red": 1}},
        )
        self.both(Options, {}, {})
        self.both(int | str | None, None, None)
        self.both(bytes | str, b"a", "YQ==")

    def test_an_int_is_a_float_where_one_is_declared(self) -> None:
        self.assertEqual(repr(read(float).encode(3)), "3.0")
        self.assertEqual(repr(read(float).encode(2**53 + 1)), str(2**53 + 1))

    def test_an_integral_number_is_an_int_where_one_is_declared(self) -> None:
        self.assertEqual(repr(read(int).decode(5.0)), "5")
        self.assertEqual(repr(read(int | float).decode(5.0)), "5.0")

    def test_json_that_does_not_fit_is_left_to_the_host(self) -> None:
        for annotation, value in (
            (int, "x"),
            (int, True),
            (bool, 1),
            (str, None),
            (tuple[int], (1, 2)),
        ):
            written = read(annotation).encode(value)
            self.assertEqual(written, list(value) if isinstance(value, tuple) else value)
        self.assertEqual(read(Event).encode({"when": 5}), {"when": 5})

    def test_a_value_of_another_type_is_no_json_by_accident(self) -> None:
        self.refused(str, b"raw", "the result is a `bytes`, and `str` is declared")
        self.refused(list[str], [uuid.UUID(int=1)], "`0` is an `UUID`, and `str` is declared")
        self.refused(
            datetime.date,
            datetime.datetime(2024, 5, 6),
            "the result is a `datetime`, and `date` is declared",
        )
        self.refused(
            Event,
            Event("x", {Color.RED: object()}),
            "`colors.red` is an `object`, and `int` is declared",
        )

    def test_numbers_that_json_has_no_word_for_are_refused_by_their_place(self) -> None:
        self.refused(float, math.nan, "the result is NaN, which JSON has no number for")
        self.refused(
            dict[str, Any], {"a": [math.inf]}, "`a.0` is infinite, which JSON has no number for"
        )
        self.refused(int, 2**64, "the result is an integer beyond 64 bits: it takes a string")
        self.refused(str, "a\ud800", "the result holds a lone surrogate, which is no Unicode text")

    def test_what_nothing_is_declared_of_is_written_by_what_it_is(self) -> None:
        value = {"m": Cat(lives=9), "d": datetime.date(2024, 2, 29), 1: (Color.RED, {2})}
        written = {"m": {"kind": "cat", "lives": 9}, "d": "2024-02-29", "1": ["red", [2]]}
        self.assertEqual(read(Any).encode(value), written)
        with self.assertRaises(Misfit) as raised:
            read(Any).encode([object()])
        self.assertTrue(raised.exception.no_json)

    def test_of_several_records_the_one_that_knows_most_is_read(self) -> None:
        class One(Model):
            x: int

        class Two(Model):
            x: int
            y: int = 0

        self.assertEqual(read(One | Two).decode({"x": 1, "y": 2}), Two(x=1, y=2))
        self.assertEqual(read(One | Two).decode({"x": 1}), One(x=1))

    def test_a_tag_tells_records_apart(self) -> None:
        class Owner(Model):
            pet: Cat | Dog = Field(discriminator="kind")

        read_owner = read(Owner).decode({"pet": {"kind": "dog", "name": "Rex", "lives": 2}})
        self.assertEqual(read_owner, Owner(pet=Dog(name="Rex", lives=2)))

    def test_an_ordinary_class_is_read_into_its_attributes(self) -> None:
        gauge = read(Gauge).decode({"value": 2})
        self.assertEqual((type(gauge), gauge.value, gauge.unit), (Gauge, 2.0, "bar"))

    def test_a_field_that_was_never_set_is_left_to_the_host(self) -> None:
        self.assertEqual(read(Gauge).encode(Gauge.__new__(Gauge)), {"unit": "bar"})

    def test_a_model_keeps_what_it_allows(self) -> None:
        class Loose(Model, extra="allow"):
            a: int

        loose = read(Loose).decode({"a": 1, "b": [2]})
        self.assertEqual(read(Loose).encode(loose), {"a": 1, "b": [2]})

    def test_a_model_has_defaults_of_its_own(self) -> None:
        class Holder(Model):
            items: list[int] = []

        Holder().items.append(1)
        self.assertEqual(Holder().items, [])
        with self.assertRaisesRegex(TypeError, "Cat lacks `lives`"):
            Cat()


if __name__ == "__main__":
    unittest.main()
