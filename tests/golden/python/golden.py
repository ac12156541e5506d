"""The recorded tools, written again with the Python SDK: each with the annotation that was recorded,
and giving what it gave.

The parameter `pick` names the recorded call.
"""

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import pathlib
import sys
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import (
    Annotated,
    Any,
    ClassVar,
    Dict,
    List,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    TypedDict,
    TypeVar,
    Union,
)

import weather_types
from portcullis import (
    Audio,
    Content,
    Embedded,
    Field,
    Full,
    Image,
    Link,
    Model,
    Text,
    ToolError,
    parse_json,
    tool,
)

UTC = datetime.timezone.utc
NOON = datetime.datetime(2024, 5, 6, 7, 8, 9)
PNG = b"\x89PNG\r\n\x1a\nfake"
WAV = b"RIFFfake"


def giving(name, annotation, cases, **options):
    """Makes the tool of this name: a call gives what its case gives, which a function makes."""

    def run(pick: str):
        value = cases[pick]
        return value() if callable(value) else value

    run.__name__ = name
    run.__annotations__ = {"pick": str, "return": annotation}
    return tool(**options)(run)


# The page.


class WeatherData(Model):
    temperature: float
    humidity: float
    conditions: str


def overcast(temperature=16.2):
    return WeatherData(temperature=temperature, humidity=0.83, conditions="Overcast")


@tool
def get_temperature(city: str) -> int:
    """Current temperature in a city, in whole degrees Celsius."""
    return {"London": 17, "Cairo": 34, "Reykjavik": 4}[city]


@tool
def get_weather(city: str) -> weather_types.Described:
    """Current weather for a city."""
    return weather_types.Described(temperature=16.2, humidity=0.83, conditions="Overcast")


@tool
def get_weather_td(city: str) -> weather_types.Dict:
    """Current weather for a city."""
    return weather_types.Dict(temperature=16.2, humidity=0.83, conditions="Overcast")


@tool
def get_weather_dc(city: str) -> weather_types.Dataclass:
    """Current weather for a city."""
    return weather_types.Dataclass(temperature=16.2, humidity=0.83, conditions="Overcast")


@tool
def get_forecast(city: str, days: int) -> list[WeatherData]:
    """Daily forecast for a city."""
    return [overcast(16.2 + day) for day in range(days)]


@tool
def get_temperatures(cities: list[str]) -> dict[str, float]:
    """Current temperature for each city, in degrees Celsius."""
    readings = {"London": 16.2, "Cairo": 34.1, "Reykjavik": 4.4}
    return {city: readings[city] for city in cities}


@tool
def get_weather_bad(city: str) -> WeatherData:
    """Current weather for a city."""
    return parse_json('{"temperature": 16.2, "conditions": "Overcast"}')


@tool(structured_output=False)
def weather_report(city: str) -> str:
    """A human-readable weather report for a city."""
    return f"{city}: 17 degrees, overcast, light rain easing by evening."


# Scalars.


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class StrColor(str, enum.Enum):
    RED = "red"
    GREEN = "green"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Perm(enum.IntFlag):
    R = 4
    W = 2
    X = 1


UserId = NewType("UserId", int)
X = TypeVar("X")

giving(
    "s_str",
    str,
    {
        "plain": "hello",
        "empty": "",
        "multiline": "a\nb\tc",
        "unicode": "Gr\u00fc\u00dfe \u6771\u4eac \U0001f327\ufe0f e\u0301 \u202eabc",
        "nul_and_ctrl": "a\0b\x1b[0m",
        "json_like": '{"a": 1}',
        "quotes": 'say "hi" \\ / </script>',
        "line_seps": "a\u2028b\u2029c\x85d",
        "got_int": 5,
        "got_bytes": b"raw",
        "got_none": None,
        "got_enum": StrColor.RED,
    },
)
giving(
    "s_int",
    int,
    {
        "zero": 0,
        "neg": -7,
        "safe_max": 2**53 - 1,
        "p53": 2**53,
        "p53_plus1": 2**53 + 1,
        "s64_max": 2**63 - 1,
        "s64_min": -(2**63),
        "u64_max": 2**64 - 1,
        "ten_pow_30": 10**30,
        "got_true": True,
        "got_float_3_0": 3.0,
        "got_float_3_5": 3.5,
        "got_str_42": "42",
        "got_str_x": "x",
        "got_none": None,
        "got_list": [1],
        "got_decimal": decimal.Decimal("4"),
    },
)
giving(
    "s_bool",
    bool,
    {"true": True, "false": False, "got_1": 1, "got_2": 2, "got_yes": "yes", "got_none": None},
)
Percent = Annotated[int, Field(title="Percent", description="Percent done.", ge=0, le=100)]
giving("s_annotated_int", Percent, {"ok": 50, "low": -1, "high": 101})
giving("s_literal", Literal["red", "green"], {"ok": "red", "bad": "blue"})
giving("s_enum", Color, {"member": Color.RED, "value": "red", "bad": "blue"})
giving("s_str_enum", StrColor, {"member": StrColor.RED, "value": "red"})
giving("s_int_enum", Size, {"member": Size.LARGE})
giving("s_int_flag", Perm, {"rw": Perm.R | Perm.W})
giving(
    "s_datetime",
    datetime.datetime,
    {"naive": NOON, "utc": NOON.replace(microsecond=120000, tzinfo=UTC)},
)
giving("s_date", datetime.date, {"d": datetime.date(2024, 2, 29)})
giving("s_uuid", uuid.UUID, {"u": uuid.UUID(int=5)})
giving("s_complex", complex, {"c": 1 + 2j})
giving("s_newtype", UserId, {"u": UserId(9)})
giving("s_typevar", X, {"i": 1})


@tool
async def s_str_async(pick: str) -> str:
    await asyncio.sleep(0)
    if pick == "crash":
        raise RuntimeError("later")
    return "later"


giving("s_renamed", int, {"one": 1})


@tool
def s_documented(pick: str) -> int:
    """First line.

    Indented para.

    Args:
        pick: which value

    Returns:
        a number
    """
    return 1


# Records.


class Parcel(Model):
    """A parcel in transit."""

    code: str = Field(
        min_length=3, max_length=8, pattern="^[A-Z0-9]+$", description="Tracking code."
    )
    grams: int = Field(ge=1, le=30000)
    ratio: float = Field(default=0.5, gt=0, lt=1)
    step: int = Field(default=10, multiple_of=5)
    tags: list[str] = Field(default=["x"], min_length=1, max_length=3)


class Street(Model):
    name: str
    number: int


class Person(Model):
    """Someone with an address."""

    name: str
    home: Street
    work: Optional[Street] = None


class Node(Model):
    label: str
    kids: "list[Node]" = []


class Aliased(Model):
    book_id: int = Field(alias="bookId")
    page_no: int = Field(alias="pageNo")


def camel(name):
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others)


class CamelOut(Model, alias_generator=camel):
    page_count: int
    is_open: bool


class Lamp(Model):
    color: Color
    str_color: StrColor = StrColor.RED
    size: Size = Size.SMALL
    perm: Perm = Perm.R
    mode: Literal["on", "off", 3, True, None] = "on"


class Kitchen(Model):
    when: datetime.datetime
    day: datetime.date
    at: datetime.time
    span: datetime.timedelta
    uid: uuid.UUID
    cost: decimal.Decimal
    path: pathlib.Path
    raw: bytes
    uniq: set[int]
    pair: tuple[int, str]


class LooseExtra(Model):
    model_config = {"extra": "allow"}
    a: int


class StrictExtra(Model, extra="forbid"):
    a: int


class Frozen(Model):
    a: int
    b: float


class Empty(Model):
    pass


class Cat(Model):
    kind: Literal["cat"] = "cat"
    lives: int


class Dog(Model):
    kind: Literal["dog"] = "dog"
    tricks: list[str]


class Owner(Model):
    pet: Union[Cat, Dog] = Field(discriminator="kind")


class Partial(TypedDict, total=False):
    a: int
    b: str


class MixedTD(TypedDict):
    """Docstring of the typed dict."""

    a: Annotated[int, Field(ge=0, description="the a")]
    b: NotRequired[str]


@dataclasses.dataclass
class Box:
    w: int
    h: int = 7
    tags: list[str] = dataclasses.field(default_factory=list)
    note: Optional[str] = None


@dataclasses.dataclass
class Shelf:
    top: Box
    rest: list[Box]


@dataclasses.dataclass
class BigShelf(Shelf):
    depth: int = 1


class Gauge:
    unit: str = "bar"
    value: float
    kind: ClassVar[str] = "gauge"
    _secret: int = 3

    def __init__(self, value):
        self.value = value


class Coord(NamedTuple):
    x: float
    y: float


class PlainA(Model):
    a: int


giving(
    "r_constrained",
    Parcel,
    {
        "ok": lambda: Parcel(code="AB12", grams=500),
        "dict_many_errors": {"code": "a", "grams": 0, "ratio": 1, "step": 7, "tags": []},
        "constructed_unchecked": lambda: Parcel(code="a", grams=-1),
    },
)
giving(
    "r_nested",
    Person,
    {
        "full": lambda: Person(name="Ada", home=Street(name="Elm", number=4)),
        "dict_bad_inner": {"name": "Ada", "home": {"name": "Elm", "number": "four"}, "work": None},
        "dict_ok": {"name": "Ada", "home": {"name": "Elm", "number": "4"}, "work": None},
    },
)
giving(
    "r_recursive",
    Node,
    {"tree": lambda: Node(label="r", kids=[Node(label="k")]), "leaf": lambda: Node(label="r")},
)
giving(
    "r_alias",
    Aliased,
    {
        "instance": lambda: Aliased(bookId=1, pageNo=2),
        "dict_alias": {"bookId": 1, "pageNo": 2},
        "dict_name": {"book_id": 1, "page_no": 2},
        "dict_missing": {"bookId": 1},
    },
)
giving(
    "r_alias_camel",
    CamelOut,
    {
        "instance": lambda: CamelOut(page_count=3, is_open=True),
        "dict_name": {"page_count": 3, "is_open": True},
    },
)
giving(
    "r_enums",
    Lamp,
    {
        "instance": lambda: Lamp(color=Color.GREEN, size=Size.LARGE, perm=Perm.R | Perm.X),
        "dict_bad_enum": {"color": "blue"},
        "dict_values": {"color": "red", "size": 2},
    },
)


def kitchen(raw):
    return Kitchen(
        when=NOON.replace(microsecond=120000, tzinfo=UTC),
        day=datetime.date(2024, 2, 29),
        at=datetime.time(23, 59, 1),
        span=datetime.timedelta(days=1, seconds=90),
        uid=uuid.UUID(int=5),
        cost=decimal.Decimal("1.10"),
        path=pathlib.Path("/a/b"),
        raw=raw,
        uniq={3},
        pair=(1, "x"),
    )


giving(
    "r_kitchen",
    Kitchen,
    {"all": lambda: kitchen(b"abc"), "binary_bytes": lambda: kitchen(b"\xff\x00")},
)
giving("r_extra_allow", LooseExtra, {"dict_extra": {"a": 1, "zzz": {"k": [1]}}})
giving(
    "r_extra_forbid",
    StrictExtra,
    {"dict_extra": {"a": 1, "zzz": 2}, "ok": lambda: StrictExtra(a=1)},
)
giving(
    "r_strict",
    Frozen,
    {
        "dict_str_int": {"a": "1", "b": 1.0},
        "dict_int_for_float": {"a": 1, "b": 1},
        "ok": lambda: Frozen(a=1, b=1.5),
    },
)
giving("r_empty", Empty, {"ok": lambda: Empty(), "dict": {"a": 1}})
giving(
    "r_disc_field",
    Owner,
    {
        "cat": lambda: Owner(pet=Cat(lives=9)),
        "bad_tag": {"pet": {"kind": "fish"}},
        "no_tag": {"pet": {"lives": 9}},
    },
)
giving(
    "r_td_partial",
    Partial,
    {
        "none": {},
        "one": {"a": 1},
        "both": {"a": 1, "b": "x"},
        "extra": {"a": 1, "zz": 3},
        "null": {"a": None},
    },
)
giving(
    "r_td_mixed",
    MixedTD,
    {"min": {"a": 1}, "full": {"a": 1, "b": "x"}, "neg": {"a": -1}, "missing": {"b": "x"}},
)
giving("r_dataclass_nested", Shelf, {"ok": lambda: Shelf(Box(1), [Box(2, 3, ["t"], "n")])})
giving("r_dataclass_inherit", BigShelf, {"ok": lambda: BigShelf(Box(1), [], 4)})
giving("r_plain_annotated", Gauge, {"ok": lambda: Gauge(2.5), "dict": {"value": 1}})
giving("r_namedtuple", Coord, {"ok": Coord(1.5, 2.0)})
giving(
    "r_model_with_nan",
    WeatherData,
    {"nan": lambda: WeatherData(temperature=float("nan"), humidity=float("inf"), conditions="x")},
)
giving("r_model_unicode", PlainA, {"ok": lambda: PlainA(a=1)})


# Lists, tuples, sets.


class InnerTD(TypedDict):
    n: int


giving(
    "l_int",
    list[int],
    {
        "three": [1, 2, 3],
        "empty": [],
        "coerced": [1, 2.0],
        "bad_item": [1, "x", None],
        "tuple_value": (1, 2),
        "got_none": None,
        "got_set": {4},
        "got_generator": lambda: (it for it in range(2)),
    },
)
giving("l_bytes", list[bytes], {"two": [b"a", b"b"]})
giving("l_opt_int", list[Optional[int]], {"mixed": [1, None, 3], "all_none": [None, None]})
giving("l_none", list[None], {"two": [None, None]})
giving("l_dict", list[dict[str, int]], {"two": [{"a": 1}, {"b": 2}]})
giving("l_td", list[InnerTD], {"two": [{"n": 1}, {"n": 2}]})
giving("l_dataclass", list[Box], {"one": lambda: [Box(1)]})
giving("l_enum", list[Color], {"two": [Color.RED, Color.GREEN]})
giving("l_datetime", list[datetime.datetime], {"one": [NOON.replace(tzinfo=UTC)]})
giving("l_bare", list, {"mixed": [1, "a", {"k": None}]})
giving("l_typing_list", List[int], {"two": [1, 2]})
giving("l_any", list[Any], {"mixed": [1, "a", None, {"k": 1}]})
giving("l_sequence", Sequence[int], {"list": [1, 2], "tuple": (1, 2)})
giving(
    "l_iterable",
    Iterable[int],
    {"list": [1, 2], "generator": lambda: (it for it in range(2))},
)
giving(
    "t_fixed",
    tuple[int, str],
    {"ok": (1, "x"), "from_list": [1, "x"], "short": (1,), "long": (1, "x", 2)},
)
giving("t_nested", tuple[tuple[int, int], list[str]], {"ok": ((1, 2), ["a", "b"])})
giving("t_bare", tuple, {"ok": (1, "x")})
giving("t_with_model", tuple[str, WeatherData], {"ok": lambda: ("now", overcast())})
giving("set_str", set[str], {"one": {"a"}, "empty": set(), "from_list_dups": ["b", "b"]})
giving("set_frozen", frozenset[int], {"one": frozenset({1})})
giving("set_bare", set, {"one": {1}})


# Maps.


def cyclic():
    value = {}
    value["self"] = value
    return value


giving(
    "d_str_model",
    dict[str, WeatherData],
    {"one": lambda: {"x": overcast()}, "bad": {"x": {"temperature": 1}}},
)
giving(
    "d_str_any",
    dict[str, Any],
    {
        "mixed": {"i": 1, "s": "x", "n": None, "l": [1, {"k": 2}], "f": 1.0},
        "model_value": lambda: {"m": PlainA(a=1)},
        "object_value": {"o": object()},
        "nan": {"f": float("nan")},
        "bytes": {"b": b"abc"},
        "datetime": {"d": datetime.datetime(2024, 5, 6)},
        "huge": {"i": 10**30},
    },
)
giving("d_str_opt", dict[str, Optional[int]], {"null": {"a": None, "b": 1}})
giving("d_str_dict", dict[str, dict[str, int]], {"one": {"a": {"b": 1}}})
giving("d_str_union", dict[str, int | str], {"two": {"a": 1, "b": "x"}})
giving("d_bool_int", dict[bool, int], {"one": {True: 1}})
giving("d_float_int", dict[float, int], {"one": {1.5: 1, 2.0: 2}})
giving("d_enum_int", dict[Color, int], {"one": {Color.RED: 1}})
giving("d_literal_int", dict[Literal["a", "b"], int], {"one": {"a": 1}})
giving("d_uuid_int", dict[uuid.UUID, int], {"one": {uuid.UUID(int=5): 1}})
giving("d_tuple_str", dict[tuple[int, int], str], {"one": {(1, 2): "x"}})
giving("d_any_any", dict[Any, Any], {"one": {"a": 1}})
giving("d_bare", dict, {"one": {"a": 1}, "int_key": {1: 2}, "empty": {}})
giving("d_typing_dict", Dict[str, float], {"one": {"a": 1.5}})
giving("d_mapping", Mapping[str, int], {"one": {"a": 1}})
giving(
    "d_ordered",
    collections.OrderedDict[str, int],
    {"one": collections.OrderedDict([("b", 1), ("a", 2)])},
)
giving("d_default", collections.defaultdict[str, int], {"one": collections.defaultdict(int, a=1)})
giving(
    "d_annotated",
    Annotated[dict[str, int], Field(description="Scores.", min_length=1)],
    {"ok": {"a": 1}, "empty_violates": {}},
)
giving(
    "d_key_constrained",
    dict[Annotated[str, Field(pattern="^[a-z]$")], int],
    {"ok": {"a": 1}, "bad": {"A": 1}},
)
giving("x_cyclic", dict[str, Any], {"c": cyclic})


# Unions.


class Ok(Model):
    ok: int


class Err(Model):
    err: str


class FlatA(Model):
    x: int


class FlatB(Model):
    x: int
    y: int = 0


giving(
    "u_int_str",
    int | str,
    {
        "int": 1,
        "str": "x",
        "digit_str": "1",
        "float_whole": 2.0,
        "true": True,
        "bad": [1],
        "none": None,
    },
)
giving("u_opt_str", str | None, {"some": "x", "empty": "", "none": None})
giving("u_opt_list", Optional[list[int]], {"some": [1, 2], "empty": [], "none": None})
giving("u_opt_dict", Optional[dict[str, int]], {"some": {"a": 1}, "none": None})
giving(
    "u_models",
    Ok | Err,
    {
        "ok": lambda: Ok(ok=1),
        "err": lambda: Err(err="no"),
        "dict_err": {"err": "no"},
        "neither": {"zz": 1},
    },
)
giving("u_models_overlap", FlatA | FlatB, {"dict_both": {"x": 1, "y": 2}, "dict_x": {"x": 1}})
giving("u_model_str", WeatherData | str, {"model": overcast, "str": "n/a"})
giving("u_enum_none", Optional[Color], {"some": Color.RED, "none": None})
giving("u_bytes_str", bytes | str, {"bytes": b"a", "str": "a"})


# Content.

giving("c_image", Image, {"png": Image(PNG, "image/png")})
giving(
    "c_audio", Audio, {"wav": Audio(WAV, "audio/wav"), "default_format": Audio(WAV, "audio/wav")}
)
giving("c_text", Text, {"t": Text("hi")})
giving("c_embedded", Embedded, {"e": Embedded("memo://1", "body", "text/plain")})
giving("c_link", Link, {"l": Link("memo://1", "memo")})
giving(
    "c_list_image",
    list[Image],
    {"two": [Image(PNG, "image/png"), Image(PNG, "image/jpeg")], "empty": []},
)
giving("c_list_text", list[Text], {"two": [Text("a"), Text("b")]})
giving("c_list_block", list[Content], {"mixed": [Text("a"), Image(b"\0", "image/png")]})
giving("c_list_mixed", list[str | Image], {"mixed": ["caption", Image(PNG), "tail"]})
giving("c_bare_list_mixed", list, {"mixed": ["caption", Image(PNG), {"k": 1}, ["t", "n"], "m"]})
giving(
    "k_plain",
    Full,
    {
        "meta": lambda: Full(content=["for the model"], meta={"trace": "t-1"}),
        "error": lambda: Full(content=["for the model"], is_error=True),
        "empty": lambda: Full(),
    },
)
giving(
    "k_annotated",
    Full[WeatherData],
    {
        "ok": lambda: Full(overcast(), content=["for the model"], meta={"trace": "t-1"}),
        "bad": lambda: Full({"temperature": 1}, content=["for the model"]),
        "missing": lambda: Full(content=["for the model"]),
        "error_without_structured": lambda: Full(content=["for the model"], is_error=True),
        "extra_and_coerced": lambda: Full(
            {"temperature": "1", "humidity": 1, "conditions": "x", "zz": 9},
            content=["for the model"],
        ),
        "plain_model": overcast,
    },
    own_content=True,
)
giving(
    "k_annotated_int",
    Full[int],
    {
        "wrapped": lambda: Full(5, content=["for the model"]),
        "bare": lambda: Full({"value": 5}, content=["for the model"]),
    },
    own_content=True,
)
giving("f_false_str", str, {"s": "hi", "wrong_type": 5}, structured_output=False)
giving(
    "f_false_model",
    WeatherData,
    {"ok": overcast, "invalid_dict": {"temperature": "x"}},
    structured_output=False,
)
giving("f_true_int", int, {"one": 1}, structured_output=True)
giving("f_true_enum", Color, {}, structured_output=True)
giving("f_true_bare_list", list, {}, structured_output=True)


# Errors.


def raising(error):
    def run():
        raise error

    return run


RAISED = {
    "tool_error": ToolError("no such shelf: 12"),
    "tool_error_empty": ToolError(""),
    "tool_error_multiline": ToolError("line one\nline two: \u00fc \u6771"),
    "value_error": ValueError("secret"),
    "key_error": KeyError("k"),
    "empty_runtime": RuntimeError(),
    "zero_division": ZeroDivisionError("division by zero"),
    "assertion": AssertionError("no"),
    "timeout": TimeoutError("late"),
    "pydantic_in_body": TypeError("WeatherData lacks `humidity`"),
    "stop_iteration": StopIteration(1),
}
giving("e_raise", int, {case: raising(error) for case, error in RAISED.items()})
giving(
    "e_raise_unstructured",
    str,
    {"tool_error": raising(ToolError("nope")), "value_error": raising(ValueError("secret"))},
    structured_output=False,
)


# Arguments.


@tool
def i_str(s: str) -> str:
    return s


@tool
def i_opt_str(s: str | None = None) -> str:
    return repr(s)


@tool
def i_scalars(
    f: float,
    flag: bool,
    raw: bytes = b"",
    when: Optional[datetime.datetime] = None,
    u: Optional[uuid.UUID] = None,
) -> str:
    return f"{f!r} {flag!r} {raw!r} {when!r} {u!r}"


@tool
def i_enum(c: Color, lit: Literal["x", "y"] = "x", s: Size = Size.SMALL) -> str:
    return f"{c!r} {lit!r} {s!r}"


@tool
def i_constrained(
    n: Annotated[int, Field(ge=1, le=10, description="How many.")],
    code: Annotated[str, Field(min_length=2, pattern="^[a-z]+$")] = "ab",
) -> str:
    return f"{n} {code}"


@tool
def i_untyped(x, y=3) -> str:
    return f"{x!r} {y!r}"


@tool
def i_tuple_set(t: tuple[int, str], s: set[int] = set()) -> str:
    return f"{t!r} {sorted(s)!r}"


@tool
def i_aliased(class_: Annotated[int, Field(alias="class")]) -> str:
    return repr(class_)


@tool
def i_echo_recursive(n: Node) -> Node:
    return n


# The rest.

NumList = Annotated[list[int], Field(title="NumList")]
DictRoot = Annotated[dict[str, int], Field(title="DictRoot")]
PetRoot = Annotated[Union[Cat, Dog], Field(title="PetRoot", discriminator="kind")]

giving("x_root_list", NumList, {"ok": [1, 2]})
giving("x_root_dict", DictRoot, {"ok": {"a": 1}})
giving("x_root_union", PetRoot, {"ok": lambda: Cat(lives=9)})
giving("x_lone_surrogate", str, {"s": "a\ud800"})
giving("x_lone_surrogate_list", list[str], {"s": ["a\ud800"]})
giving("x_system_exit", int, {"exit": lambda: sys.exit(1)})
giving("x_cancelled", int, {"cancel": raising(asyncio.CancelledError())})
