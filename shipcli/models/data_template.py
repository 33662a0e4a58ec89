"""Data templates: which columns of somebody's file fill which of our fields."""

from typing import Annotated, Any

from pydantic import Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Object, OmittedIfNone, Record, Timestamp
from shipcli.models.batch import ResourceType
from shipcli.models.document import Slug
from shipcli.models.parts.address import Text50

JOINED = " + "  # between the columns of one field
Slug25 = Annotated[Slug, Field(max_length=25)]


def _is_empty(value: Any) -> bool:
    return not value


Names = Annotated[ListOrNull[str], Field(exclude_if=_is_empty)]
Words = Annotated[dict[str, list[str]], Field(exclude_if=_is_empty)]


class FieldSource(Model):
    """Where a field comes from: the first filled of its columns, changed, else a default; or a constant.

    Shapes: `First name + Last name` are two columns of one field, with `join` (a blank) between them; a name
            that ends with `*` is all columns that begin so.
    """

    header: OmittedIfNone[str | list[str]] = None
    join: OmittedIfNone[str] = None
    constant: OmittedIfNone[str] = None
    default: OmittedIfNone[str] = None
    transforms: Names = NO_ITEMS

    @property
    def words(self) -> list[str]:
        """What may fill it, first choice first: columns, or several columns together."""
        return [self.header] if isinstance(self.header, str) else self.header or []

    @property
    def headers(self) -> list[str]:
        """All columns, first choice first."""
        return [name for word in self.words for name in dict.fromkeys((word, *word.split(JOINED)))]


class RowRules(Model):
    """Which rows count, and what follow-up rows take from the first row of their order."""

    inherit_by: OmittedIfNone[str] = None  # rows with the same value here belong together
    own: Names = []  # columns of a line that no field reads; they are never inherited
    skip_when_filled: Names = NO_ITEMS
    skip_when_empty: Names = []  # all of them
    skip_values: Words = {}  # column to the values that make a row not count, in any case

    @property
    def columns(self) -> list[str]:
        """All columns that the rules look at."""
        by = [self.inherit_by] if self.inherit_by else []
        return [*by, *self.own, *self.skip_when_filled, *self.skip_when_empty, *self.skip_values]


class DataTemplate(Record):
    """A data template as stored; a ready-made one has its slug as id."""

    object_type: str = "data-template"
    slug: str
    name: str
    description: str | None = None
    resource_type: str
    fields_mapping: dict[str, str | FieldSource] = NO_KEYS
    rows: RowRules = RowRules()
    metadata: Object = NO_KEYS
    created_at: Timestamp = ""


class DataTemplateFields(Model):
    """What every body may hold."""

    description: Annotated[str | None, Field(max_length=255)] = None
    rows: RowRules = RowRules()
    metadata: Object = NO_KEYS


class DataTemplatePatch(DataTemplateFields):
    """Body that changes a data template; `given()` tells which fields, null unmaps one."""

    slug: Slug25 = ""
    name: Text50 = ""
    resource_type: ResourceType = "orders"
    fields_mapping: dict[str, str | FieldSource | None] = NO_KEYS


class DataTemplateData(DataTemplateFields):
    """Body that makes a data template."""

    slug: Slug25
    name: Text50
    resource_type: ResourceType
    fields_mapping: Annotated[dict[str, str | FieldSource], Field(min_length=1)]
