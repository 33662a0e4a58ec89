"""`{"id": "adr_..."}` in the place of an address, parcel, customs or commodity: a copy of the stored one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from shipcli.models.base import Model
from shipcli.models.basics.problems import join


class StoredReference(Model):
    """The id of a stored object, its kind (address, parcel, customs, commodity), and other keys given."""

    id: str
    kind: str = Field(default="", exclude=True)
    extra: dict[str, Any] = Field(default={}, exclude=True)


class Reference(NamedTuple):
    """Where a body refers to a stored object."""

    path: str
    stored: StoredReference


class OrStoredReference:
    """Marks `Annotated[AddressData | StoredReference, OrStoredReference("address", AddressData)]`.

    A body with an `id` becomes a StoredReference; any other is read as the model. An empty id is none.
    """

    def __init__(self, kind: str, model: type[Model]) -> None:
        self.kind = kind
        self.model = model

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(
            self._read,
            handler.generate_schema(self.model),
            serialization=core_schema.plain_serializer_function_ser_schema(_make_plain),
        )

    def _read(self, value: Any, read: Callable[[Any], Any]) -> Any:
        if isinstance(value, StoredReference):
            return value
        if isinstance(value, dict) and (id := value.get("id")) and isinstance(id, str):
            others = {key: item for key, item in value.items() if key != "id"}
            return StoredReference(id=id, kind=self.kind, extra=others)
        return read(value)


def list_references(model: Model, path: str = "") -> Iterator[Reference]:
    """Every reference in a body with its path, such as `parcels[0].items[1]`."""
    for name in type(model).model_fields:
        yield from _list_references(getattr(model, name), join(path, name))


def resolve_references(model: Model, find: Callable[[Reference], dict[str, Any]]) -> dict[str, Any]:
    """The plain form of a body with each reference replaced by what `find` gives for it.

    Shapes: `find` gives the plain stored object; its `id` is left out, because a copy gets a new one.
    """
    return _resolve_fields(model, "", find)


def _make_plain(value: Any) -> Any:
    return value.model_dump() if isinstance(value, Model) else value


def _list_references(value: Any, path: str) -> Iterator[Reference]:
    if isinstance(value, StoredReference):
        yield Reference(path, value)
    elif isinstance(value, Model):
        yield from list_references(value, path)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _list_references(item, f"{path}[{position}]")


def _resolve_fields(model: Model, path: str, find: Callable[[Reference], dict[str, Any]]) -> dict[str, Any]:
    return {name: _resolve(value, join(path, name), find) for name, value in model.__dict__.items()}


def _resolve(value: Any, path: str, find: Callable[[Reference], dict[str, Any]]) -> Any:
    if isinstance(value, StoredReference):
        stored = find(Reference(path, value))
        return {key: item for key, item in stored.items() if key != "id"}
    if isinstance(value, list):
        return [_resolve(item, f"{path}[{position}]", find) for position, item in enumerate(value)]
    return _resolve_fields(value, path, find) if isinstance(value, Model) else value
