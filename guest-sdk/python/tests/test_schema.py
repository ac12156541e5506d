"""What a type is published as."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import typing
import unittest
import uuid
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict

from portcullis import Field, Image, Model, SchemaError
from portcullis.reading import read
from portcullis.shape import root


class Color(enum.Enum):
    """A colour."""

    RED = "red"
    GREEN = "green"


class Perm(enum.IntFlag):
    R = 4
    W = 2
    X = 1


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Node(Model):
    """A tree."""

    label: str
    kids: "list[Node]" = []


class Options(TypedDict, total=False):
    """What may be said."""

    depth: typing.Required[int]
    name: str


@dataclasses.dataclass
class Box:
    width: Annotated[int, Field(ge=0)]
    tags: list[str] = dataclasses.field(default_factory=list)


class Gauge:
    """An ordinary class."""

    unit: str = "bar"
    value: float
    kind: typing.ClassVar[str] = "gauge"
    _secret: int = 3


class Bare:
    def __init__(self, name: str) -> None:
        self.name = name


class Schemas(unittest.TestCase):
    maxDiff = None

    def published(self, annotation: Any, schema: dict[str, Any]) -> None:
        self.assertEqual(root(read(annotation)), schema)

    def refused(self, annotation: Any, why: str) -> None:
        with self.assertRaises(SchemaError) as raised:
            root(read(annotation))
        self.assertIn(why, str(raised.exception))

    def test_scalars_have_the_types_of_json(self) -> None:
        for annotation, name in ((int, "integer"), (float, "number"), (str, "string")):
            self.published(annotation, {"type": name})
        self.published(bool, {"type": "boolean"})
        self.published(None, {"type": "null"})
        self.published(Any, {})

    def test_what_json_lacks_is_text_with_a_format(self) -> None:
        self.published(bytes, {"type": "string", "contentEncoding": "base64"})
        self.published(datetime.datetime, {"type": "string", "format": "date-time"})
        self.published(uuid.UUID, {"type": "string", "format": "uuid"})
        self.published(decimal.Decimal, {"anyOf": [{"type": "number"}, {"type": "string"}]})

    def test_a_choice_says_its_values(self) -> None:
        self.published(Literal["a", "b"], {"type": "string", "enum": ["a", "b"]})
        self.published(Literal["a"], {"type": "string", "const": "a"})
        self.published(Literal[1, None], {"enum": [1, None]})
        enumeration = {"type": "string", "enum": ["red", "green"], "description": "A colour."}
        self.published(Color, {"title": "Color", **enumeration})
        self.published(Perm, {"title": "Perm", "type": "integer", "minimum": 0, "maximum": 7})

    def test_a_container_says_what_it_holds(self) -> None:
        self.published(list[int], {"type": "array", "items": {"type": "integer"}})
        self.published(
            collections.abc.Iterable[int], {"type": "array", "items": {"type": "integer"}}
        )
        self.published(list, {"type": "array", "items": {}})
        unique = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
        self.published(set[str], unique)
        pair = {"minItems": 2, "maxItems": 2, "prefixItems": [{"type": "integer"}, {}]}
        self.published(tuple[int, Any], {"type": "array", **pair})

    def test_a_map_is_an_object_where_its_keys_are_text(self) -> None:
        values = {"type": "object", "additionalProperties": {"type": "integer"}}
        self.published(dict[str, int], values)
        self.published(dict[bool, int], {**values, "propertyNames": {"enum": ["true", "false"]}})
        self.published(dict[uuid.UUID, int], {**values, "propertyNames": {"format": "uuid"}})
        self.assertEqual(root(read(dict[tuple[int, int], str]))["type"], "array")

    def test_a_record_is_an_object_with_its_fields(self) -> None:
        self.published(
            Point,
            {
                "title": "Point",
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number", "default": 0.0}},
                "required": ["x"],
            },
        )
        self.published(
            Box,
            {
                "title": "Box",
                "type": "object",
                "properties": {
                    "width": {"type": "integer", "minimum": 0},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["width"],
            },
        )
        self.published(
            Options,
            {
                "title": "Options",
                "type": "object",
                "properties": {"depth": {"type": "integer"}, "name": {"type": "string"}},
                "required": ["depth"],
                "description": "What may be said.",
            },
        )
        self.assertEqual(list(root(read(Gauge))["properties"]), ["unit", "value"])

    def test_a_record_may_hold_itself(self) -> None:
        definition = {
            "type": "object",
            "properties": {
                "label": {"type": "string"},
                "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}, "default": []},
            },
            "required": ["label"],
            "description": "A tree.",
        }
        self.published(Node, {"title": "Node", **definition, "$defs": {"Node": definition}})

    def test_types_of_one_name_are_told_apart(self) -> None:
        other = dataclasses.make_dataclass("Box", [("height", int)])
        names = root(read(tuple[Box, other]))["$defs"]
        self.assertEqual(list(names), ["Box", "Box2"])

    def test_an_option_is_null_or_its_type_and_takes_its_constraints(self) -> None:
        null = {"type": "null"}
        self.published(Optional[int], {"anyOf": [{"type": "integer"}, null]})
        at_least = {"anyOf": [{"type": "integer", "minimum": 1}, null]}
        self.published(Annotated[int | None, Field(ge=1)], at_least)

    def test_more_is_said_within_annotated(self) -> None:
        said = Annotated[str, "a city", Field(min_length=1, pattern="^[A-Z]", examples=["Oslo"])]
        self.published(
            said,
            {
                "type": "string",
                "description": "a city",
                "minLength": 1,
                "pattern": "^[A-Z]",
                "examples": ["Oslo"],
            },
        )

    def test_a_constraint_that_does_not_fit_is_an_error(self) -> None:
        self.refused(Annotated[str, Field(ge=1)], "`ge` is not for this type")

    def test_a_type_without_a_schema_is_an_error_that_names_it(self) -> None:
        self.refused(Bare, "has no annotations in its body")
        self.refused(list[Bare], "Bare")
        self.refused(collections.abc.Iterator[int], "Iterator[int]")
        self.refused(dict[str, Image], "is content")
        self.refused(dataclasses.make_dataclass("Empty", []), "without fields")

    def test_a_field_that_has_no_schema_is_named(self) -> None:
        self.refused(dataclasses.make_dataclass("Holder", [("it", Bare)]), "`Holder`: field `it`")

    def test_a_name_that_is_not_there_is_an_error(self) -> None:
        self.refused(dataclasses.make_dataclass("Lost", [("it", "Nowhere")]), "`Nowhere`")

    def test_a_model_says_how_its_fields_are_named_and_whether_it_is_closed(self) -> None:
        class Book(Model, extra="forbid", alias_generator=str.upper):
            page: int
            id: int = Field(alias="bookId")

        schema = root(read(Book))
        self.assertEqual(list(schema["properties"]), ["PAGE", "bookId"])
        self.assertIs(schema["additionalProperties"], False)

    def test_not_required_is_not_required(self) -> None:
        class Mixed(TypedDict):
            a: int
            b: NotRequired[Annotated[str, "the b"]]

        schema = root(read(Mixed))
        self.assertEqual(schema["required"], ["a"])
        self.assertEqual(schema["properties"]["b"], {"type": "string", "description": "the b"})


if __name__ == "__main__":
    unittest.main()
