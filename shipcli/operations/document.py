"""The served document: OpenAPI 3.0.3, generated from the operation table and the models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

from shipcli.features.connections.catalog import API_VERSION
from shipcli.features.core.filters import FLAG, LARGEST_PAGE, MOMENT, PAGE, Rules
from shipcli.models.base import Model
from shipcli.models.sentences.body_examples import find_path_example
from shipcli.operations import guide, sentences
from shipcli.operations.answer_examples import ERRORS as ERROR_EXAMPLES
from shipcli.operations.answer_examples import REFUSED, UNKNOWN, read_answers
from shipcli.operations.components import name_model
from shipcli.operations.files import DOWNLOADS, EXPORTS, IMAGES, MEDIA, TABLES, TEMPLATE, Download, Exported
from shipcli.operations.form import TYPES
from shipcli.operations.named_schemas import ERRORS, OBJECT, REFUSALS, make_schemas
from shipcli.operations.operation import Anything, Auth, Listing, Many, Operation, Parameter
from shipcli.operations.schema import REFERENCE, Schema
from shipcli.operations.table import ADDITIONS, OPERATIONS

COMMON = (401, 405, 429)
WITH_BODY = (413, 415)
ADDED = "Additions"
FORM = TYPES[0]
UPLOAD: Schema = {
    "type": "object",
    "properties": {
        "resource_type": {"type": "string"},
        "data_template": {"type": "string"},
        "data_file": {"type": "string", "format": "binary"},
    },
}
JSON, YAML = "application/json", "application/vnd.oai.openapi"
SCHEMES: dict[str, Any] = {
    "JWT": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`Bearer <access token>`",
    },
    "OAuth2": {
        "type": "oauth2",
        "flows": {
            "authorizationCode": {
                "authorizationUrl": "/oauth/authorize/",
                "tokenUrl": "/oauth/token/",
                "scopes": {scope: scope for scope in ("read", "write", "openid")},
            }
        },
    },
    "Token": {"type": "apiKey", "in": "header", "name": "Authorization", "description": "`Token <api key>`"},
    "TokenBasic": {"type": "http", "scheme": "basic", "description": "The API key as the user name."},
}
SECURITY: list[dict[str, list[str]]] = [{"TokenBasic": []}, {"Token": []}, {"OAuth2": []}, {"JWT": []}]
BINARY: Schema = {"schema": {"type": "string", "format": "binary"}}
SIGNED: Schema = {
    "in": "query",
    "name": "token",
    "description": "Replaces credentials. Links in answers carry it if other machines can reach the server.",
    "schema": {"type": "string"},
}
PAGING = {
    "limit": f"How many results, 1 to {LARGEST_PAGE}; {PAGE} when absent or out of range.",
    "offset": "How many results come before the page, from 0.",
}
FILTER_TYPES: dict[str, Schema] = {
    FLAG: {"type": "boolean"}, MOMENT: {"type": "string", "format": "date-time"},
}  # fmt: skip


@cache
def make_openapi_document() -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.0.3",
        "info": {
            "title": "Multi-carrier shipping API",
            "version": API_VERSION,
            "description": guide.DESCRIPTION,
        },
        "servers": guide.SERVERS,
        "tags": [
            {"name": tag, "description": guide.TAGS[tag]}
            for tag in dict.fromkeys([*(row.tag for row in OPERATIONS), ADDED, "Files"])
        ],
        "paths": _describe_parameters(
            {
                **make_paths(OPERATIONS),
                **make_paths(ADDITIONS, ADDED),
                **_make_file_paths(),
                **_make_other_paths(),
            }
        ),
        "components": {"schemas": make_schemas(), "securitySchemes": SCHEMES},
    }


def _describe_parameters(paths: dict[str, Any]) -> dict[str, Any]:
    """The paths in order; every parameter says what it means."""
    for methods in paths.values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                parameter.setdefault("description", sentences.PARAMETERS.get(parameter["name"], ""))
    return dict(sorted(paths.items()))


# -- operations --------------------------------------------------------------------------------


def make_paths(rows: Sequence[Operation], tag: str = "") -> dict[str, dict[str, Any]]:
    """Every operation under its path and method, below its own tag or the one that is given."""
    paths: dict[str, dict[str, Any]] = {}
    for row in rows:
        paths.setdefault(row.path, {})[row.method.lower()] = describe_operation(row, tag or row.tag)
    return paths


def _make_file_paths() -> dict[str, Any]:
    """The downloads. Whether they need credentials depends on where the server listens."""
    downloads = {row.path: {"get": _download(row)} for row in DOWNLOADS}
    exports = {row.path: {"get": _export(row)} for row in EXPORTS}
    return {**downloads, **exports, TEMPLATE: {"get": _describe_template()}}


def _describe_template() -> dict[str, Any]:
    """Describe the PDF of a template, which sees the query as `data`."""
    stopped: Schema = {"error": {"type": "string"}, "line": {"type": "integer", "nullable": True}}
    inside = [
        {"in": "path", "name": name, "required": True, "schema": {"type": "string"}}
        for name in ("id", "slug")
    ]
    query = [
        {"in": "query", "name": name, "allowEmptyValue": name == "download", "schema": {"type": "string"}}
        for name in ("shipments", "orders", "download")
    ]
    answers = {
        "200": {"description": "OK", "content": {MEDIA["pdf"]: BINARY}},
        "409": {
            "description": "The template can't be rendered",
            "content": _make_content(
                {"type": "object", "properties": stopped}, {"error": "unexpected '}'", "line": 3}
            ),
        },
        **{str(status): _make_failure_response(status) for status in (400, 404, *COMMON, 500)},
    }
    description = _say("render_template", "Render a template", "render_template", "Files")
    return {**description, "parameters": [*inside, *query], "responses": answers}


def _export(row: Exported) -> dict[str, Any]:
    """Describe an export. Its response is a table in the format of its path."""
    left_out = {"in": "query", "name": "exclude", "description": "Fields to leave out, with commas.",
                "schema": {"type": "string"}}  # fmt: skip
    format = {"in": "path", "name": "format", "required": True, "schema": _make_word_schema(lambda: TABLES)}
    types = [media.partition(";")[0] for media in TABLES.values()]
    answers = {
        "200": {"description": "OK", "content": dict.fromkeys(types, BINARY)},
        **{str(status): _make_failure_response(status) for status in (400, 404, *COMMON, 500)},
    }
    description = _say(f"export_{row.what}", f"Export {row.what}", "export", "Files")
    return {
        **description,
        "security": SECURITY,
        "parameters": [format, *_list_filters(row.filters), left_out],
        "responses": answers,
    }


def _download(row: Download) -> dict[str, Any]:
    words = {"format": lambda: row.formats}
    values = [step.partition("{")[2].rstrip("}") for step in row.path.split("/") if "{" in step]
    inside = [
        {"in": "path", "name": name, "required": True, "schema": _make_word_schema(words.get(name))}
        for name in values
    ]
    query = (
        [{"in": "query", "name": row.many, "required": True, "schema": {"type": "string"}}]
        if row.many
        else []
    )
    switches = [
        {"in": "query", "name": name, "allowEmptyValue": True, "schema": {"type": "string"}}
        for name in ("download", "preview")
    ]
    if row.linked:
        switches.append(SIGNED)
    types = [MEDIA[form] for form in row.formats] or list(IMAGES)
    answers = {
        "200": {"description": "OK", "content": dict.fromkeys(types, BINARY)},
        **{str(status): _make_failure_response(status) for status in (400, 401, 404, 405, 429, 500)},
    }
    description = _say(row.id, row.summary, "download", "Files")
    return {**description, "parameters": [*inside, *query, *switches], "responses": answers}


def _say(id: str, summary: str, sentence: str, tag: str) -> Schema:
    """Id, texts and tag of an operation that is no row of the table."""
    text = sentences.FILES[sentence]
    return {"operationId": id, "summary": summary, "description": text, "tags": [tag]}


def _make_failure_response(status: int) -> Schema:
    content = _make_content({"$ref": REFERENCE + ERRORS}, ERROR_EXAMPLES[status])
    return {"description": HTTPStatus(status).phrase, "content": content}


def _make_other_paths() -> dict[str, Any]:
    """The other paths that are useful to programs."""
    states: Schema = {"type": "object", "additionalProperties": {"type": "string"}}
    parts = {"server": "working", "worker": "working"}
    healthy = _make_content(states, {"database": "working", **parts})
    full = _make_content(states, {"database": "cannot write: the disk is full", **parts})
    document = {**_make_content(OBJECT, {"openapi": "3.0.3"}), YAML: {}}
    rows: dict[str, tuple[str, str, dict[int, Schema]]] = {
        "/status/": ("status", "Say whether the server works", {200: healthy, 507: full}),
        "/shipping-openapi": ("document", "Read this document", {200: document}),
    }
    return {
        path: {
            "get": {
                **_say(id, summary, id, "API"),
                "responses": {
                    **{
                        str(status): {"description": HTTPStatus(status).phrase, "content": content}
                        for status, content in contents.items()
                    },
                    **{str(status): _make_failure_response(status) for status in (*COMMON, 500)},
                },
            }
        }
        for path, (id, summary, contents) in rows.items()
    }


def describe_operation(row: Operation, tag: str) -> dict[str, Any]:
    """Describe one operation."""
    description: dict[str, Any] = {
        "operationId": row.id,
        "summary": row.summary,
        "description": sentences.OPERATIONS[row.name],
        "tags": [tag],
    }
    if row.deprecated:
        description["deprecated"] = True
    is_open = row.needs is Auth.OPEN
    if row.path.startswith("/v1/") and (not is_open or row.path_names[:1] == ("id_or_tracking_number",)):
        description["security"] = [*SECURITY, {}] if is_open else SECURITY
    if parameters := list_parameters(row):
        description["parameters"] = parameters
    if row.body:
        description["requestBody"] = _make_request_body(row.body)
    if row.is_form:
        description["requestBody"] = {"content": {FORM: {"schema": UPLOAD}}}
    if row.name == "createWebhook":
        description["callbacks"] = guide.describe_callbacks()
    return {**description, "responses": make_responses(row)}


def list_parameters(row: Operation) -> list[Schema]:
    """Describe the values of the path and of the query; some mean something of their own here."""
    listed = [*_list_path_parameters(row), *_list_query_parameters(row)]
    own = {one["name"]: sentences.PARAMETERS.get(f"{row.name}.{one['name']}") for one in listed}
    return [{**one, **({"description": text} if (text := own[one["name"]]) else {})} for one in listed]


def _list_path_parameters(row: Operation) -> list[Schema]:
    return [
        {
            "in": "path",
            "name": name,
            "required": True,
            "schema": _make_word_schema(row.path_words.get(name)),
            **_find_example(row, name),
        }
        for name in row.path_names
    ]


def _list_query_parameters(row: Operation) -> list[Schema]:
    if not isinstance(row.answer, Listing):
        return [_make_parameter(row, parameter) for parameter in row.query]
    paging = [
        {"in": "query", "name": name, "schema": {"type": "integer"}, "description": text}
        for name, text in PAGING.items()
    ]
    return [*_list_filters(row.answer.filters), *paging]


def _list_filters(rules: Rules) -> list[Schema]:
    return [
        {"in": "query", "name": name, "schema": FILTER_TYPES.get(rule.type, {"type": "string"})}
        for name, rule in sorted(rules.items())
        if rule.published
    ]


def _make_parameter(row: Operation, parameter: Parameter) -> Schema:
    schema = _make_word_schema(parameter.words) if parameter.words else {"type": parameter.type}
    schema |= {"format": parameter.format} if parameter.format else {}
    return {
        "in": "query",
        "name": parameter.name,
        **({"required": True} if parameter.required else {}),
        "schema": schema,
        **_find_example(row, parameter.name),
    }


def _find_example(row: Operation, name: str) -> Schema:
    example = find_path_example(row.name, row.path, name)
    return {"example": example} if example else {}


def _make_word_schema(words: Any) -> Schema:
    return {"type": "string", "enum": list(words())} if words else {"type": "string"}


def _make_request_body(model: type[Model]) -> Schema:
    name = name_model(model)
    required = bool(make_schemas()[name].get("required"))
    return {"content": _make_content({"$ref": REFERENCE + name}), **({"required": True} if required else {})}


def make_responses(row: Operation) -> dict[str, Any]:
    """Every status an operation answers with, the schema of its body, and an example where that has none."""
    contents = {status: _make_content(_answer(row)) for status in (row.status, *row.other_statuses)}
    if row.name in read_answers():
        contents[row.status][JSON]["example"] = read_answers()[row.name]
    if isinstance(row.answer, Many):
        contents[row.status][JSON]["example"] = [read_answers()[name_model(row.answer.item)]]
    for status in _list_error_statuses(row):
        contents[status] = _make_content(
            _choose_error_schema(row, status), _choose_error_example(row, status)
        )
    return {
        str(status): {"description": HTTPStatus(status).phrase, "content": content}
        for status, content in sorted(contents.items())
    }


def _list_error_statuses(row: Operation) -> set[int]:
    sends = bool(row.body or row.is_form)
    reads = sends or bool(row.query or row.path_names or isinstance(row.answer, Listing))
    conditions = [
        (WITH_BODY, sends),
        ((400,), reads),
        ((500,), row.declares_500),
        ((503,), True),
        ((507,), row.logged),
    ]
    return {
        *row.errors,
        *row.refusals,
        *COMMON,
        *(status for some, holds in conditions if holds for status in some),
    }


def _choose_error_schema(row: Operation, status: int) -> Schema:
    """The error body of a status: messages if a carrier refused; a 404 of such an operation may be either."""
    if status in row.messages:
        return {"$ref": REFERENCE + REFUSALS}
    if status not in row.refusals:
        return {"$ref": REFERENCE + ERRORS}
    refusal = {"$ref": REFERENCE + REFUSALS}
    return {"anyOf": [refusal, {"$ref": REFERENCE + ERRORS}]} if status == HTTPStatus.NOT_FOUND else refusal


def _choose_error_example(row: Operation, status: int) -> dict[str, Any]:
    if status in row.messages:
        return UNKNOWN
    return REFUSED if status in row.refusals else ERROR_EXAMPLES[status]


def _answer(row: Operation) -> Schema:
    match row.answer:
        case Listing(envelope=envelope):
            return {"$ref": REFERENCE + envelope}
        case Many(item=item):
            return {"type": "array", "items": {"$ref": REFERENCE + name_model(item)}}
        case type() as model if issubclass(model, Model):
            return {"$ref": REFERENCE + name_model(model)}
    assert row.answer is Anything
    return OBJECT


def _make_content(schema: Schema, example: Any = None) -> Schema:
    return {JSON: {"schema": schema, **({} if example is None else {"example": example})}}
