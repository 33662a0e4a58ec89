"""What is wrong with a request or an answer by the operation that it is of, member by member."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from openapi_schema_validator import OAS30Validator, oas30_format_checker

from shipcli.carrier import Reply, Request
from shipcli.carrier.wire.calls import Body, read_origin
from tests.carriers.witness.descriptions import Content, Descriptions, Operation
from tests.carriers.witness.schema_trees import ALTERNATIVES, Schema, list_branches

UNSAID = ("accept", "content-type", "authorization")  # headers that descriptions leave to the log-in
LONGEST = 60
# To the validator 12.0 is an integer; servers that read whole numbers refuse it.
WITNESS = extend(
    OAS30Validator,
    type_checker=OAS30Validator.TYPE_CHECKER.redefine(
        "integer", lambda checker, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)
Fault = tuple[str, str]  # the place of a member, and what is wrong with it


@dataclass
class Verdict:
    """What was held against a description: the places of members, and the faults by place."""

    held: set[str] = field(default_factory=set)
    faults: dict[str, str] = field(default_factory=dict)

    def add(self, where: str, held: Iterable[str], faults: Iterable[Fault]) -> None:
        self.held.update(f"{where} {place}" for place in held)
        for place, text in faults:
            self.held.add(f"{where} {place}")
            self.faults.setdefault(f"{where} {place}", text)

    @property
    def lines(self) -> list[str]:
        return [f"{place}: {text}" for place, text in self.faults.items()]


def judge_request(descriptions: Descriptions, request: Request, verdict: Verdict) -> Operation | None:
    """Hold a request against its operation, which is returned; without one that is the fault."""
    operation = descriptions.find(request)
    if operation is None:
        verdict.add(
            f"request {request.method} {request.path}", [], [("path", "no such operation is published")]
        )
        return None
    where = f"request {operation.name}"
    origin = read_origin(request.url)
    strange = operation.origins and origin not in operation.origins
    verdict.add(where, ["host"], [("host", f"{origin} is not published")] if strange else [])
    verdict.add(where, *judge_parameters(operation, request))
    verdict.add(where, *judge_body(operation, request))
    return operation


def judge_answer(operation: Operation, reply: Reply, verdict: Verdict) -> None:
    """Hold an answer against the operation that it answers; files are not opened."""
    where = f"answer {reply.status} {operation.name}"
    if not operation.answers:
        return  # an excerpt describes none
    contents = operation.answers_of(reply.status)
    if contents is None:
        verdict.add(where, [], [("status", "is not described")])
    elif content := choose_content(contents, reply):
        verdict.add(where, *judge_json(content, reply))


# -- parts of a request ----------------------------------------------------------------------------


def judge_parameters(operation: Operation, request: Request) -> tuple[list[str], list[Fault]]:
    query = parse_qs(urlsplit(request.url).query, keep_blank_values=True)
    match = operation.pattern.fullmatch(request.path)
    path = dict(zip(operation.path_names, match.groups() if match else (), strict=True))
    headers = {name.lower(): value for name, value in request.headers.items()}
    held, faults = [f"query/{name}" for name in query], []
    described = {one["name"] for one in operation.parameters if one["in"] == "query"}
    faults += [(f"query/{name}", "no such member is published") for name in query if name not in described]
    for row in operation.parameters:
        name, kind = str(row["name"]), row["in"]
        place = f"{kind}/{name}"
        sent: Mapping[str, Any] = {"query": query, "path": path, "header": headers}.get(kind, {})
        value = sent.get(name.lower() if kind == "header" else name)
        if value is None:
            is_missing = row["required"] and kind != "cookie" and name.lower() not in UNSAID
            faults += [(place, "is required")] if is_missing else []
            continue
        held.append(place)
        faults += [(place, text) for _, text in list_faults(read_text(value, row["schema"]), row["schema"])]
    return held, faults


def judge_body(operation: Operation, request: Request) -> tuple[list[str], list[Fault]]:
    if not request.content:
        return [], [("body", "is required")] if operation.is_body_required else []
    content = choose_content(operation.bodies, request)
    if content is None:
        kind = request.header("content-type").partition(";")[0]
        return ["body"], [("body", f"{kind} is not described")]
    if "form-urlencoded" in request.header("content-type"):
        return judge_fields(content.schema, request.form)
    if "multipart" in request.header("content-type"):
        return judge_fields(content.schema, {one.name: "" for one in request.parts}, named=True)
    return judge_json(content, request)


def judge_fields(
    schema: Schema, form: Mapping[str, str], *, named: bool = False
) -> tuple[list[str], list[Fault]]:
    """The fields of a form; of one with files the names alone."""
    members = {name: find_member([schema], name) for name in form}
    values = {name: read_text(text, members[name][0] if members[name] else {}) for name, text in form.items()}
    held, faults = judge_value(values, schema)
    if named:
        faults = [one for one in faults if "required" in one[1] or "no such member" in one[1]]
    return held, faults


def choose_content(contents: Mapping[str, Content], body: Body) -> Content | None:
    """What is described of a body's media type; of JSON by any name that is described."""
    kind = body.header("content-type").partition(";")[0].strip().lower()
    for media, content in contents.items():
        if media.partition(";")[0].strip().lower() == kind:
            return content
    alike = [one for media, one in contents.items() if "json" in media or media == "*/*"]
    return alike[0] if alike and "json" in kind else None


def judge_json(content: Content, body: Body) -> tuple[list[str], list[Fault]]:
    kind = body.header("content-type")
    if "multipart" in kind:
        return judge_parts(content.schema, body)
    if "json" not in kind:
        return [], []
    try:
        value = json.loads(body.content or b"null")
    except ValueError as error:
        return [], [("body", f"is no JSON: {error}")]
    return judge_value(value, content.schema)


def judge_parts(schema: Schema, body: Body) -> tuple[list[str], list[Fault]]:
    """The parts of an answer that are JSON; files are not opened."""
    parts = {one.name: one for one in body.parts}
    value = {
        name: json.loads(one.content) if "json" in (one.content_type or "") else one.content.decode("latin-1")
        for name, one in parts.items()
    }
    return judge_value(value, schema)


def judge_value(value: Any, schema: Schema) -> tuple[list[str], list[Fault]]:
    """The members of a body, and what is wrong with them; what no schema names is wrong as well."""
    members = list(list_members(value, [schema], "body"))
    faults = [(f"body{place}", text) for place, text in list_faults(value, schema)]
    faults += [(place, "no such member is published") for place, is_described in members if not is_described]
    return [place for place, _ in members] or ["body"], faults


def read_text(value: Any, schema: Schema) -> Any:
    """The value that a text stands for in a query, a path or a form."""
    texts = value if isinstance(value, list) else [value]
    if schema.get("type") == "array":
        items = [part for text in texts for part in text.split(",")]
        return [read_text(one, schema.get("items", {})) for one in items]
    text = texts[0]
    if schema.get("type") in ("integer", "number", "boolean"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


# -- values ----------------------------------------------------------------------------------------


def list_faults(value: Any, schema: Schema) -> list[Fault]:
    """What the validator says, of alternatives by the one with the fewest faults."""
    errors = WITNESS(schema, format_checker=oas30_format_checker).iter_errors(value)
    return [fault for error in errors for fault in describe(error)]


def describe(error: ValidationError) -> list[Fault]:
    if error.validator in ALTERNATIVES:
        return describe_nearest(error)
    place = "".join(f"/{step}" for step in error.absolute_path if not isinstance(step, int))
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return [(f"{place}/{name}", "is required") for name in missing]
    if error.validator == "additionalProperties":
        names = error.instance.keys() - error.schema.get("properties", {}).keys()
        return [(f"{place}/{name}", "no such member is published") for name in sorted(names)]
    return [
        (place, f"{shorten(error.instance)} is against {error.validator} {shorten(error.validator_value)}")
    ]


def describe_nearest(error: ValidationError) -> list[Fault]:
    """The faults by the alternative that has the fewest; none where several fit."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    start = len(error.absolute_path)
    verdicts = [
        (is_other_kind(errors, start), dict.fromkeys(fault for inner in errors for fault in describe(inner)))
        for errors in branches.values()
    ]
    return list(min(verdicts, key=lambda pair: (pair[0], len(pair[1])), default=(False, {}))[1])


def is_other_kind(errors: Sequence[ValidationError], start: int) -> bool:
    """Whether an alternative is for another kind of value altogether."""
    return any(one.validator == "type" and len(one.absolute_path) == start for one in errors)


def shorten(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def list_members(value: Any, trees: Sequence[Schema], place: str) -> Iterator[tuple[str, bool]]:
    """The places of all members, and whether a schema names them; what may hold anything is passed."""
    branches = list(list_branches(trees))
    if isinstance(value, list):
        items = [one["items"] for one in branches if isinstance(one.get("items"), dict)]
        for one in value:
            yield from list_members(one, items, place)
    elif isinstance(value, dict) and any("properties" in one for one in branches):
        for name, inner in value.items():
            found = _find_in_branches(branches, name)
            yield f"{place}/{name}", found is not None
            yield from list_members(inner, found or [], f"{place}/{name}")


def find_member(trees: Sequence[Schema], name: str) -> list[Schema] | None:
    """The schemas of a member in all alternatives; None if none names it."""
    return _find_in_branches(list(list_branches(trees)), name)


def _find_in_branches(branches: Sequence[Schema], name: str) -> list[Schema] | None:
    found = [one["properties"][name] for one in branches if name in one.get("properties", {})]
    if not found and any(one.get("additionalProperties") not in (None, False) for one in branches):
        return []
    return found or None
