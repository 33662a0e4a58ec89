"""The operations that a carrier publishes: OpenAPI 3 and Swagger 2, in JSON or YAML, in one form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from shipcli.carrier import Request
from shipcli.carrier.simulation.published_schema import NAME
from shipcli.carrier.wire.calls import read_origin
from tests.carriers.places import ROOT, find_recorded
from tests.carriers.witness.schema_trees import Schema, SchemaTrees
from tests.carriers.witness.traps import repair_description

METHODS = ("get", "put", "post", "delete", "patch", "head")
OLDER_VERSION = "{deprecatedVersion}"  # in a path that is there twice, this one is of versions gone by
SUFFIXES = (".json", ".yaml", ".yml")


class PlainLoader(yaml.CSafeLoader):
    """Leaves dates, and words such as NO, as the texts they are."""


RESOLVED = ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")
PlainLoader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] not in RESOLVED]
    for first, pairs in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
PlainLoader.add_implicit_resolver(RESOLVED[1], re.compile("true|false"), ["t", "f"])


@dataclass(frozen=True)
class Content:
    """What a body of one media type may be, and the examples that are shown."""

    schema: Schema
    examples: Sequence[Any] = ()


@dataclass(frozen=True)
class Operation:
    """One thing that can be asked.

    Shapes: `path` includes that of the server; `origins` is empty where no server is published; `bodies` and
            the members of `answers` (by status) are by media type; `source` is the title and version.
    """

    method: str
    path: str
    origins: tuple[str, ...]
    parameters: Sequence[Mapping[str, Any]]
    bodies: Mapping[str, Content]
    is_body_required: bool
    answers: Mapping[str, Mapping[str, Content]]
    source: str

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        parts = re.split(r"\{([^}]+)\}", self.path.rstrip("/"))
        return re.compile("([^/]+)".join(map(re.escape, parts[::2])) + "/?")

    @cached_property
    def path_names(self) -> list[str]:
        return re.findall(r"\{([^}]+)\}", self.path)

    def answers_of(self, status: int) -> Mapping[str, Content] | None:
        """What an answer with a status may hold; None if no such status is described."""
        for key in (str(status), f"{status // 100}XX", "default"):
            if key in self.answers:
                return self.answers[key]
        return None


class Descriptions:
    """All that is published of one carrier."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations
        self.origins = {origin for one in operations for origin in one.origins}

    def find(self, request: Request) -> Operation | None:
        """The operation that a request asks for: of several the one whose path says most."""
        fitting = [
            one for one in self.operations
            if one.method == request.method and one.pattern.fullmatch(request.path)
        ]  # fmt: skip
        return min(fitting, key=lambda one: len(one.path_names), default=None)


@cache
def read_descriptions(slugs: tuple[str, ...]) -> Descriptions:
    """What is published of a carrier, and of those whose class it extends."""
    documents = [repair_description(slug, load(path)) for slug in slugs for path in list_files(slug)]
    return Descriptions([one for document in documents for one in read_operations(document)])


def list_files(slug: str) -> list[Path]:
    """The descriptions of a carrier; where nothing is published here the excerpt that its simulator has."""
    folder = find_recorded(slug)
    if not folder.is_dir():
        return [path for path in [ROOT / "carriers" / slug / NAME] if path.is_file()]
    return sorted(path for path in (folder / "published").glob("*") if path.suffix in SUFFIXES)


def parse(path: Path) -> Any:
    if path.suffix == ".json":
        return json.loads(path.read_bytes())
    return json.loads(json.dumps(yaml.load(path.read_text(), Loader=PlainLoader)))  # the keys are texts


load = cache(parse)


def read_operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    trees = SchemaTrees(document)
    for path, shared in (document.get("paths") or {}).items():
        for method in METHODS:
            if method in shared and OLDER_VERSION not in path:
                servers = list_servers({**document, **pick(shared), **pick(shared[method])})
                for prefix in dict.fromkeys(urlsplit(one).path.rstrip("/") for one in servers or [""]):
                    yield read_operation(trees, document, path, method, servers, prefix)


def pick(node: Mapping[str, Any]) -> dict[str, Any]:
    """The servers of a path or an operation, which go before those of the document."""
    return {"servers": node["servers"]} if node.get("servers") else {}


def read_operation(
    trees: SchemaTrees,
    document: Mapping[str, Any],
    path: str,
    method: str,
    servers: Sequence[str],
    prefix: str,
) -> Operation:
    shared = document["paths"][path]
    row = shared[method]
    said = [trees.resolve(one) for one in (*(shared.get("parameters") or ()), *(row.get("parameters") or ()))]
    body = trees.resolve(row.get("requestBody") or {})
    older = next((one for one in said if one["in"] == "body"), None)
    if older:  # Swagger 2
        body = {"content": {"application/json": older}, "required": older.get("required", False)}
    info = document.get("info") or {}
    return Operation(
        method=method.upper(),
        path=prefix + path,
        origins=tuple(dict.fromkeys(read_origin(one) for one in servers if "://" in one)),
        parameters=[read_parameter(trees, one) for one in said if one["in"] != "body"],
        bodies=read_contents(trees, body.get("content") or {}),
        is_body_required=bool(body.get("required")),
        answers={str(code): read_answer(trees, one) for code, one in (row.get("responses") or {}).items()},
        source=f"{info.get('title', '')} {info.get('version', '')}".strip(),
    )


def list_servers(document: Mapping[str, Any]) -> list[str]:
    if "swagger" in document:
        base = document.get("basePath") or ""
        host = document.get("host")
        return [f"{one}://{host}{base}" for one in document.get("schemes") or ["https"]] if host else [base]
    return [str(one["url"]) for one in document.get("servers") or ()]


def read_parameter(trees: SchemaTrees, row: Mapping[str, Any]) -> Mapping[str, Any]:
    schema = row["schema"] if "schema" in row else {k: v for k, v in row.items() if k != "required"}
    return {
        "name": row["name"],
        "in": row["in"],
        "required": bool(row.get("required")),
        "schema": trees.expand(schema),
    }


def read_answer(trees: SchemaTrees, row: Mapping[str, Any]) -> Mapping[str, Content]:
    answer = trees.resolve(row)
    if "schema" in answer:  # Swagger 2
        examples = list((answer.get("examples") or {}).values())
        return {"application/json": Content(trees.expand(answer["schema"]), examples)}
    return read_contents(trees, answer.get("content") or {})


def read_contents(trees: SchemaTrees, rows: Mapping[str, Any]) -> Mapping[str, Content]:
    return {media: Content(trees.expand(one.get("schema") or {}), list_examples(trees, one))
            for media, one in rows.items()}  # fmt: skip


def list_examples(trees: SchemaTrees, row: Mapping[str, Any]) -> list[Any]:
    named = [trees.resolve(one) for one in (row.get("examples") or {}).values()]
    values = [one["value"] for one in named if isinstance(one, dict) and "value" in one]
    return [*values, *([row["example"]] if "example" in row else [])]
