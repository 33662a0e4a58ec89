"""Every example of the reference is valid, and works when it is sent as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.sandbox.reference_objects import make_reference_objects
from shipcli.models.sentences.body_examples import BODIES, number_id
from shipcli.operations.components import ANSWERS, name_model
from shipcli.operations.document import make_openapi_document
from shipcli.operations.operation import Content
from shipcli.operations.table import DESCRIBED
from tests.api.checking import check, conforms
from tests.api.operations.examples import Tried, send_all

WITH_FORM = {row.name for row in DESCRIBED if row.content is Content.FORM_WITH_FILE}


@pytest.fixture(scope="module")
def tried(app: App) -> list[Tried]:
    return list(send_all(app))


def test_every_example_works_as_it_stands(tried: list[Tried]) -> None:
    assert {one.row.name for one in tried} | WITH_FORM == {row.name for row in DESCRIBED}
    failed = [(one.row.name, one.status, one.content[:300]) for one in tried if one.status >= 300]
    assert not failed
    for one in tried:
        check(one.row.method, one.row.path, one.status, "application/json", one.content)


def list_examples() -> Iterator[tuple[str, Any, Any]]:
    document = make_openapi_document()
    for name, schema in document["components"]["schemas"].items():
        if "example" in schema:
            yield name, schema["example"], {"$ref": f"#/components/schemas/{name}"}
    for path, methods in document["paths"].items():
        for method, row in methods.items():
            for status, answer in row["responses"].items():
                for content in answer["content"].values():
                    if "example" in content:
                        yield f"{method} {path} {status}", content["example"], content["schema"]


def test_every_example_is_valid() -> None:
    examples = list(list_examples())
    assert len(examples) > 400
    for name, example, schema in examples:
        try:
            conforms(example, schema)
        except AssertionError as error:
            raise AssertionError(name) from error


def test_every_body_and_every_answer_has_an_example() -> None:
    document = make_openapi_document()
    lacking = []
    for path, methods in document["paths"].items():
        for method, row in methods.items():
            told = [*row["responses"].items(), ("body", row.get("requestBody", {"content": {}}))]
            for status, part in told:
                content = part["content"].get("application/json")
                if content and not has_example(content, document):
                    lacking.append((method, path, status))
    assert not lacking


def has_example(content: dict[str, Any], document: dict[str, Any]) -> bool:
    name = content["schema"].get("$ref", "").rpartition("/")[2]
    return "example" in content or "example" in document["components"]["schemas"].get(name, {})


def test_the_objects_of_the_reference_are_made_once(app: App, tried: list[Tried]) -> None:
    assert app.store.get("shipment", number_id("shp_", 4)) is not None
    make_reference_objects(app)
    assert app.new_id("adr_") > number_id("adr_", 1000)


def test_examples_name_only_what_is_published() -> None:
    bodies = {name_model(row.body) for row in DESCRIBED if row.body}
    assert bodies <= set(BODIES)
    published = set(make_openapi_document()["components"]["schemas"])
    assert set(BODIES) <= published
    assert {row.name for row in ANSWERS} <= published
