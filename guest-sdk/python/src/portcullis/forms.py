"""Schemas of forms that a user fills in: objects of plain fields (MCP, elicitation).

What a form has no word for is an error, and not left out: the answer is checked by the form alone.
"""

from __future__ import annotations

from typing import Any

from .errors import SchemaError
from .field import Schema
from .records import Record
from .shape import Shape, root

# What a field may say, by its type.
_COMMON = {"type", "title", "description", "default"}
_KEYS = {
    "string": {"minLength", "maxLength", "format", "enum"},
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "maximum"},
    "boolean": set[str](),
    "array": {"items", "minItems", "maxItems"},
}
# What is of no use to whoever fills in a form.
_LEFT_OUT = {"examples", "uniqueItems"}
_FORMATS = {"email", "uri", "date", "date-time"}
_NULL = {"type": "null"}


def form_schema(shape: Shape) -> Schema:
    """The schema of a form with the fields of a record."""
    if not isinstance(shape, Record):
        raise SchemaError(f"a form is a class with fields, and `{shape.name}` is none")
    schema = root(shape)
    definitions = schema.get("$defs", {})
    fields: dict[str, Schema] = {}
    for name, field in schema["properties"].items():
        try:
            fields[name] = _plain(field, definitions)
        except SchemaError as error:
            raise SchemaError(f"field `{name}` of the form `{shape.name}`: {error}") from None
    form = {"type": "object", "properties": fields}
    return {**form, "required": schema["required"]} if "required" in schema else form


def _plain(field: Schema, definitions: dict[str, Schema]) -> Schema:
    field = _inlined(field, definitions)
    arms = field.get("anyOf", [])
    if len(arms) == 2 and _NULL in arms:
        # What may be left out is what the form does not require.
        (arm,) = (arm for arm in arms if arm != _NULL)
        field = {**_inlined(arm, definitions), **{k: v for k, v in field.items() if k != "anyOf"}}
        if field.get("default", "") is None:
            del field["default"]
    if "const" in field:
        field["enum"] = [field.pop("const")]
    if field.get("format", "date") not in _FORMATS:
        del field["format"]
    known = _KEYS.get(str(field.get("type")))
    if known is None or ("enum" in field and field["type"] != "string"):
        raise SchemaError(
            "it is not plain: a form has text, numbers, booleans, names of an enum, and lists of "
            "those names"
        )
    if unknown := field.keys() - _COMMON - known - _LEFT_OUT:
        raise SchemaError(f"a form has no word for `{min(unknown)}`")
    if "items" in field:
        field["items"] = _choices(_inlined(field["items"], definitions))
    return {key: value for key, value in field.items() if key not in _LEFT_OUT}


def _choices(items: Schema) -> Schema:
    if "const" in items:
        items["enum"] = [items.pop("const")]
    if items.get("type") != "string" or "enum" not in items:
        raise SchemaError("a list in a form is one of names of an enum")
    return {"type": "string", "enum": items["enum"]}


def _inlined(field: Schema, definitions: dict[str, Any]) -> Schema:
    if "$ref" not in field:
        return dict(field)
    definition = definitions[field["$ref"].removeprefix("#/$defs/")]
    return {**definition, **{key: value for key, value in field.items() if key != "$ref"}}
