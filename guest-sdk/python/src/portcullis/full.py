"""Results of which the author controls every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from .content import Content
from .field import MISSING, Schema

T = TypeVar("T")


class Full(Generic[T]):
    """A full result: a value, and what goes beside it.

    As a return type, `Full[T]` has `T`'s schema, to which the value answers as ever, and `Full`
    alone is content-only.
    """

    def __init__(
        self,
        value: T = MISSING,
        *,
        content: Sequence[Content | str] = (),
        meta: Mapping[str, Any] | None = None,
        is_error: bool = False,
        exact_schema: Schema | None = None,
    ) -> None:
        """Makes a result of these parts.

        - `content`: blocks of the tool's own; beside a value it takes `@tool(own_content=True)`.
          Otherwise the host renders the content from the value.
        - `meta`: entries that the app reads and the model does not; the host puts the component's
          own prefix before each key.
        - `is_error`: the call ran, and what it says is that it failed.
        - `exact_schema`: a JSON Schema for this one value that is narrower than `T`'s, such as the
          columns that a query turned out to have. The value is checked against both.
        """
        self.value = value
        self.content = list(content)
        self.meta = dict(meta or {})
        self.is_error = is_error
        self.exact_schema = exact_schema
