"""What the reference shows: the served document as chapters, operations by tag, and models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from shipcli.api.pages.reference.prose import render_prose, split_chapters
from shipcli.api.pages.reference.type_names import describe_type
from shipcli.features.sandbox.ready_examples import FRESH
from shipcli.models import json
from shipcli.models.sentences.body_examples import IMPORT_FORM
from shipcli.operations.document import FORM, JSON, make_openapi_document
from shipcli.operations.schema import Schema, find_model

METHODS = ("get", "post", "put", "patch", "delete")
FIRST_ERROR = "300"
TEXT_START = 60
TEXT_SHOWN = 120  # characters of a text in an example of an answer


class PropertyEntry(NamedTuple):
    """A parameter, or a property of a model."""

    name: str
    type: str
    model: str
    words: tuple[str, ...]
    required: bool
    text: str
    place: str = ""
    example: str = ""


class AnswerEntry(NamedTuple):
    """An answer that an operation may give."""

    status: str
    phrase: str
    model: str
    media: tuple[str, ...]
    example: str


class OperationEntry(NamedTuple):
    """An operation as it is shown, and what the form that tries it holds."""

    anchor: str
    method: str
    path: str
    summary: str
    text: str
    is_deprecated: bool
    parameters: tuple[PropertyEntry, ...]
    body_model: str
    body_properties: tuple[PropertyEntry, ...]
    body_example: str
    form_fields: tuple[PropertyEntry, ...]
    answers: tuple[AnswerEntry, ...]
    refusals: tuple[AnswerEntry, ...]
    callbacks: tuple[str, ...]


class ModelEntry(NamedTuple):
    name: str
    text: str
    properties: tuple[PropertyEntry, ...]


class Group(NamedTuple):
    """The operations of a tag."""

    name: str
    text: str
    operations: tuple[OperationEntry, ...]


def gather_reference() -> dict[str, Any]:
    """All that the page shows."""
    document = make_openapi_document()
    intro, chapters = split_chapters(document["info"]["description"])
    return {
        "title": document["info"]["title"],
        "version": document["info"]["version"],
        "intro": intro,
        "chapters": chapters,
        "groups": list(_list_groups(document)),
        "models": list(_list_models(document)),
        "fresh": FRESH,
        "errors": _list_errors(document),
    }


def _list_groups(document: Schema) -> Iterator[Group]:
    for tag in document["tags"]:
        entries = [
            _describe(document, method, path, methods[method])
            for path, methods in document["paths"].items()
            for method in METHODS
            if method in methods and tag["name"] in methods[method]["tags"]
        ]
        yield Group(tag["name"], render_prose(tag["description"]), tuple(entries))


def _list_models(document: Schema) -> Iterator[ModelEntry]:
    for name, schema in sorted(document["components"]["schemas"].items()):
        text = render_prose(schema.get("description", ""))
        yield ModelEntry(name, text, tuple(_list_properties(schema)))


def _list_errors(document: Schema) -> list[AnswerEntry]:
    """An example of each status that says why nothing was done."""
    rows = [row for methods in document["paths"].values() for row in methods.values()]
    answers = {
        status: _describe_answer(status, answer)
        for row in rows
        for status, answer in row["responses"].items()
        if status >= FIRST_ERROR
    }
    return [answers[status] for status in sorted(answers)]


def _describe(document: Schema, method: str, path: str, operation: Schema) -> OperationEntry:
    schemas = document["components"]["schemas"]
    content = operation.get("requestBody", {}).get("content", {})
    model = find_model(content.get(JSON, {}).get("schema", {}))
    answers = [_describe_answer(status, row) for status, row in operation["responses"].items()]
    return OperationEntry(
        anchor=make_anchor(method, path),
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        text=render_prose(operation["description"]),
        is_deprecated=operation.get("deprecated", False),
        parameters=tuple(_describe_parameter(row) for row in _list_sent(operation, content)),
        body_model=model,
        body_properties=tuple(_list_properties(schemas[model])) if model else (),
        body_example=_format(schemas[model].get("example")) if model else "",
        form_fields=tuple(_list_form_fields(content.get(FORM))),
        answers=tuple(answer for answer in answers if answer.status < FIRST_ERROR),
        refusals=tuple(answer for answer in answers if answer.status >= FIRST_ERROR),
        callbacks=tuple(operation.get("callbacks", ())),
    )


def make_anchor(method: str, path: str) -> str:
    """The name of an operation in addresses: `post-v1-orders-id-cancel`."""
    words = re.sub(r"[^a-z0-9_]+", "-", path.lower()).strip("-")
    return "-".join(filter(None, (method, words)))


def _list_sent(operation: Schema, content: Schema) -> list[Schema]:
    """The parameters, less those that the fields of a form repeat."""
    fields = content.get(FORM, {}).get("schema", {}).get("properties", {})
    return [row for row in operation.get("parameters", ()) if row["name"] not in fields]


def _describe_parameter(row: Schema) -> PropertyEntry:
    kind, model, words = describe_type(row["schema"])
    return PropertyEntry(
        row["name"], kind, model, words, row.get("required", False), render_prose(row["description"]),
        row["in"], row.get("example", ""),
    )  # fmt: skip


def _list_form_fields(content: Schema | None) -> Iterator[PropertyEntry]:
    """The fields of a form; a file is given by what it holds."""
    for name, schema in (content["schema"]["properties"] if content else {}).items():
        kind, model, words = describe_type(schema)
        example = IMPORT_FORM.get(name, "")
        place = "file" if schema.get("format") == "binary" else "form"
        yield PropertyEntry(name, kind, model, words, False, "", place, example)


def _list_properties(schema: Schema) -> Iterator[PropertyEntry]:
    required = schema.get("required", ())
    for name, row in schema.get("properties", {}).items():
        kind, model, words = describe_type(row)
        yield PropertyEntry(
            name, kind, model, words, name in required, render_prose(row.get("description", ""))
        )


def _describe_answer(status: str, row: Schema) -> AnswerEntry:
    content = row.get("content", {})
    plain = content.get(JSON, {})
    media = tuple(name for name in content if name != JSON)
    return AnswerEntry(
        status, row["description"], find_model(plain.get("schema", {})), media,
        _format(_shorten(plain.get("example"))),
    )  # fmt: skip


def _shorten(value: Any) -> Any:
    """The same without the long texts of files."""
    if isinstance(value, dict):
        return {name: _shorten(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_shorten(item) for item in value]
    is_long = isinstance(value, str) and len(value) > TEXT_SHOWN and " " not in value
    return f"{value[:TEXT_START]}..." if is_long else value


def _format(value: Any) -> str:
    return "" if value is None else json.dumps(value, indent=True)
