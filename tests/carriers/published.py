"""Writes what simulators refuse by what carriers publish: `python -m tests.carriers.published [SLUG...]`.

Of the operations that an adapter calls, `schema.json` beside its catalogue holds the names, patterns and
enumerations of the parameters and bodies. What `deviations.json` declares is left out: nobody refuses it.
Of an XSD it is `schema.xml`, with the documents that an adapter sends. `published.json` says which versions
these were, and on which day.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shipcli.carrier import registry
from shipcli.carrier.simulation.published_schema import NAME, PREFIX, XML_NAME
from shipcli.models import json as plain_json
from tests.carriers import deviations
from tests.carriers.bench import AnyCarrier
from tests.carriers.deviations import Deviation
from tests.carriers.freshness import write_held
from tests.carriers.published_documents import write_documents
from tests.carriers.schemas import schemas_of
from tests.carriers.witness.descriptions import Operation
from tests.carriers.witness.holding import DescriptionWitness, find_witness, hold_carrier
from tests.carriers.witness.report import list_held_carriers
from tests.carriers.witness.schema_trees import ALTERNATIVES, Schema

CHECKED = ("type", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems")
KEPT = (*CHECKED, "nullable", "required", "properties", "items", "additionalProperties", *ALTERNATIVES)
SHORTEST = 60  # a schema that is written in fewer characters is repeated


class Loosening:
    """Takes out of the schemas of one operation what its carrier is declared to depart from."""

    def __init__(self, operation: Operation, rows: Iterable[Deviation]) -> None:
        self._start = f"request {operation.name} "
        self._rows = [one for one in rows if self.may_cover(one)]

    def may_cover(self, row: Deviation) -> bool:
        plain = row.path.partition("*")[0]
        return self._start.startswith(plain) or plain.startswith(self._start)

    def covers(self, place: str, text: str = "") -> bool:
        line = f"{self._start}{place}" + (f": {text}" if text else "")
        return any(row.covers(line) for row in self._rows)

    def loosen(self, tree: Schema, place: str) -> Schema:
        if self._rows and self.covers(place):
            return {}
        loose = {
            key: value for key, value in tree.items() if key in KEPT and not self.is_off(place, key, value)
        }
        if "properties" in tree:
            members = {name: self.loosen(one, f"{place}/{name}") for name, one in tree["properties"].items()}
            loose["properties"] = {**members, **{name: {} for name in self.list_strangers(place, members)}}
        if "required" in tree:
            loose["required"] = [name for name in tree["required"] if not self.covers(f"{place}/{name}")]
        if isinstance(tree.get("items"), dict):
            loose["items"] = self.loosen(tree["items"], place)
        if tree.get("additionalProperties") is not False:
            loose.pop("additionalProperties", None)
        for key in ALTERNATIVES:
            if key in tree:
                loose[key] = [self.loosen(one, place) for one in tree[key]]
        return {key: value for key, value in loose.items() if value not in ([], {})}

    def is_off(self, place: str, key: str, value: Any) -> bool:
        return key in CHECKED and bool(self._rows) and self.covers(place, f"it is against {key} {value}")

    def list_strangers(self, place: str, members: Mapping[str, Any]) -> list[str]:
        """The members that are sent and not published."""
        start = f"{self._start}{place}/"
        names = [row.path.removeprefix(start) for row in self._rows if row.path.startswith(start)]
        return [name for name in names if "/" not in name and name not in members]


class Sharing:
    """Schemas that stand in several places, said once and referred to."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._numbers: dict[str, str] = {}
        self.schemas: dict[str, Schema] = {}

    def look(self, tree: Schema) -> None:
        key = write_key(tree)
        self._count[key] += 1
        if self._count[key] == 1:
            for one in list_children(tree):
                self.look(one)

    def share(self, tree: Schema) -> Schema:
        key = write_key(tree)
        if self._count[key] < 2 or len(key) < SHORTEST:
            return map_children(tree, self.share)
        if key not in self._numbers:
            self._numbers[key] = str(len(self._numbers) + 1)
            self.schemas[self._numbers[key]] = map_children(tree, self.share)
        return {"$ref": PREFIX + self._numbers[key]}


def write_key(tree: Schema) -> str:
    return plain_json.dumps(tree)


def list_children(tree: Schema) -> list[Schema]:
    alternatives = [one for key in ALTERNATIVES for one in tree.get(key, ())]
    return [
        *tree.get("properties", {}).values(),
        *([tree["items"]] if "items" in tree else []),
        *alternatives,
    ]


def map_children(tree: Schema, change: Any) -> Schema:
    mapped = dict(tree)
    if "properties" in tree:
        mapped["properties"] = {name: change(one) for name, one in tree["properties"].items()}
    if "items" in tree:
        mapped["items"] = change(tree["items"])
    return {**mapped, **{key: [change(one) for one in tree[key]] for key in ALTERNATIVES if key in tree}}


def write_schema(carrier_class: AnyCarrier, names: Iterable[str]) -> str:
    """The file of a carrier for the operations of these names (`POST /v1/labels`)."""
    witness = find_witness(carrier_class)
    assert isinstance(witness, DescriptionWitness)
    rows = deviations.of_operation(carrier_class.slug, deviations.PUBLISHED)
    called = [one for one in witness.descriptions.operations if one.name in names]
    bodies = {one.name: loosen_body(one, rows) for one in called}
    sharing = Sharing()
    for tree in bodies.values():
        sharing.look(tree)
    paths: dict[str, dict[str, Any]] = {}
    for one in sorted(called, key=lambda operation: operation.name):
        described = describe_operation(one, sharing.share(bodies[one.name]))
        paths.setdefault(one.path, {})[one.method.lower()] = described
    return write_lines({
        "openapi": "3.0.3",
        "paths": paths,
        "components": {"schemas": sharing.schemas},
    })  # fmt: skip


def loosen_body(operation: Operation, rows: Iterable[Deviation]) -> Schema:
    bodies = [one.schema for media, one in operation.bodies.items() if "json" in media]
    return Loosening(operation, rows).loosen(bodies[0], "body") if bodies else {}


def describe_operation(operation: Operation, body: Schema) -> dict[str, Any]:
    described: dict[str, Any] = {}
    if operation.origins:
        described["servers"] = [{"url": one} for one in sorted(operation.origins)]
    if operation.parameters:
        described["parameters"] = [
            {**one, "schema": {key: value for key, value in one["schema"].items() if key in KEPT}}
            for one in operation.parameters
        ]
    if operation.bodies:
        medias = {"application/json" if "json" in media else media for media in operation.bodies}
        content = {media: {"schema": body if "json" in media else {}} for media in sorted(medias)}
        described["requestBody"] = {"content": content}
    return described


def write_lines(document: Mapping[str, Any]) -> str:
    """JSON with a line for each operation and each shared schema."""
    paths = [f"{write_key(path)}: {write_key(one)}" for path, one in document["paths"].items()]
    schemas = [
        f"{write_key(name)}: {write_key(one)}" for name, one in document["components"]["schemas"].items()
    ]
    head = f'"openapi": "{document["openapi"]}"'
    shared = '"components": {"schemas": {\n' + ",\n".join(schemas) + "\n}}"
    return "{\n" + head + ',\n"paths": {\n' + ",\n".join(paths) + "\n},\n" + shared + "\n}\n"


def find_schema_file(carrier_class: AnyCarrier, name: str = NAME) -> Path:
    return Path(inspect.getfile(carrier_class)).parent / name


def list_called(carrier_class: AnyCarrier) -> set[str]:
    """The names of the operations that the family of requests calls."""
    return {" ".join(place.split(" ")[:2]) for place in list_sent(carrier_class)}


def list_roots(carrier_class: AnyCarrier) -> list[str]:
    """The roots of the documents that the family of requests sends, `{namespace}name`."""
    names = {place.partition("/")[0] for place in list_sent(carrier_class)}
    return [root for root in schemas_of(carrier_class.slug) if root.rpartition("}")[2] in names]


def list_sent(carrier_class: AnyCarrier) -> list[str]:
    """The places of requests that were held."""
    places = [place for each in hold_carrier(carrier_class).verdicts.values() for place in each.held]
    return [place.removeprefix("request ") for place in places if place.startswith("request ")]


def write_file(carrier_class: AnyCarrier) -> None:
    if isinstance(find_witness(carrier_class), DescriptionWitness):
        path, text = find_schema_file(carrier_class), write_schema(carrier_class, list_called(carrier_class))
        is_empty = '"paths": {\n\n}' in text
    else:
        path = find_schema_file(carrier_class, XML_NAME)
        text = write_documents(carrier_class.slug, list_roots(carrier_class))
        is_empty = not text
    if not is_empty:
        path.write_text(text)
        print(f"written: {path}")


def main() -> None:
    chosen = [registry.get(slug) for slug in sys.argv[1:]] or registry.list_working()
    held = list_held_carriers()
    for carrier_class in chosen:
        if carrier_class in held:
            write_file(carrier_class)
        write_held(carrier_class.slug)


if __name__ == "__main__":
    main()
