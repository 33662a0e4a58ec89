"""What a carrier's XSD forbids, as a simulator refuses it: `schema.xml` beside its catalogue.

The file is made from the published schemas and holds names, codes, patterns and numbers of the documents that
are sent. Each of its sets has the schemas, one for each namespace, of the documents with some roots; they
import each other by their place in the set. A set is compiled when the first of its documents is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

from lxml import etree

from shipcli.carrier.simulation import reasons
from shipcli.carrier.simulation.rules import RuleProblem
from shipcli.carrier.simulation.tracking import is_magic_number
from shipcli.carrier.wire.calls import Body, Request

NAME = "schema.xml"
ENVELOPES = ("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")
UNEXPECTED, BELOW_ROOT = "ELEMENT_CONTENT", 2  # of an error: its kind, and the depth of its path
STRANGER = "This element is not expected"  # where none is missing but one is of another document
REQUIRED, UNTYPED = "is required", "is not of its type"
REASONS: Mapping[str, str] = {
    "CVC_MAXLENGTH_VALID": "is too long",
    "CVC_MINLENGTH_VALID": "is too short",
    "CVC_LENGTH_VALID": "is too short or too long",
    "CVC_ENUMERATION_VALID": "is none of the values that are known",
    "CVC_PATTERN_VALID": "does not match the pattern",
    "CVC_MININCLUSIVE_VALID": "is too small",
    "CVC_MINEXCLUSIVE_VALID": "is too small",
    "CVC_MAXINCLUSIVE_VALID": "is too large",
    "CVC_MAXEXCLUSIVE_VALID": "is too large",
    "CVC_TOTALDIGITS_VALID": "has too many digits",
    "CVC_FRACTIONDIGITS_VALID": "has too many decimals",
    "ELEMENT_CONTENT": "is not expected here",
    "CVC_COMPLEX_TYPE_3_2_1": "is not known",
}


@dataclass(frozen=True)
class SchemaError:
    """What is wrong with one element or attribute: its location, the kind of fault, the validator's words.

    `value` is the text of the element.
    """

    location: str
    kind: str
    text: str
    value: str

    @property
    def reason(self) -> str:
        """What is wrong, without the value."""
        return REQUIRED if self.text == REQUIRED else REASONS.get(self.kind, UNTYPED)

    @property
    def shown(self) -> str | None:
        """The value that is refused, None where one is missing."""
        return None if self.text == REQUIRED else self.value


class SchemaSet:
    """Schemas that belong together: by file name, the first is that of the documents with these roots."""

    def __init__(self, roots: Sequence[str], files: Mapping[str, bytes]) -> None:
        self.roots, self.files = roots, files
        self._lock = Lock()

    @cached_property
    def _schema(self) -> etree.XMLSchema:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        parser.resolvers.add(FileResolver(self.files))
        return etree.XMLSchema(etree.fromstring(next(iter(self.files.values())), parser))

    def compile(self) -> bool:
        """Whether the schemas can be compiled: most often one that can't includes a missing file."""
        try:
            return self._schema is not None
        except etree.XMLSchemaParseError:
            return False

    def judge(self, tree: Any) -> tuple[bool, list[SchemaError]]:
        """Whether a document is of another schema, and what is wrong with it by this one."""
        with self._lock:
            self._schema.validate(tree)
            log: list[Any] = [*self._schema.error_log]  # type: ignore[misc]  # the stubs lack the iterator
        is_other = any(
            read_kind(error) == UNEXPECTED
            and error.path.count("/") == BELOW_ROOT
            and STRANGER in error.message
            for error in log
        )
        return is_other, [describe_error(tree, error) for error in log]


class FileResolver(etree.Resolver):
    """Gives schemas by the last part of their address."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def resolve(self, system_url: str, public_id: str, context: Any) -> Any:  # type: ignore[override]
        name = system_url.rpartition("/")[2]  # the stubs lack the context
        text = self._files.get(name)
        return self.resolve_string(text, context, base_url=system_url) if text is not None else None


class PublishedDocuments:
    """The documents of one carrier that are described, by their roots."""

    def __init__(self, content: bytes) -> None:
        self.sets = list(read_sets(content))
        self._by_root = group_sets(self.sets)

    def problems(self, request: Request) -> Iterator[RuleProblem]:
        """Yield everything that is wrong with the documents of a request; magic numbers may have any form."""
        for document in list_documents(request):
            for error in list_schema_errors(self._by_root, document):
                if not is_magic_number(error.value):
                    text, reason = f"{error.location}: {error.reason}", explain_fault(error)
                    yield RuleProblem(error.location, "", text, reason, error.shown)


Schemas = Mapping[str, Sequence[SchemaSet]]


def read_sets(content: bytes) -> Iterator[SchemaSet]:
    for node in etree.fromstring(content):
        files = {str(index): etree.tostring(schema) for index, schema in enumerate(node)}
        yield SchemaSet(str(node.get("roots")).split(), files)


def group_sets(sets: Sequence[SchemaSet]) -> dict[str, list[SchemaSet]]:
    by_root: dict[str, list[SchemaSet]] = {}
    for each in sets:
        for name in each.roots:
            by_root.setdefault(name, []).append(each)
    return by_root


# -- documents -------------------------------------------------------------------------------------


def list_documents(body: Body) -> Iterator[Any]:
    """The XML documents of a request or an answer: its body, what its envelope holds, or its fields."""
    for content in list_contents(body):
        try:
            root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
        except (etree.XMLSyntaxError, ValueError):
            continue
        spaces = {etree.QName(root).namespace}
        yield from root.iterfind("{*}Body/*") if spaces & set(ENVELOPES) else [root]


def list_contents(body: Body) -> list[bytes]:
    """What may be a document: the body, or the fields of a form or of the query."""
    if not isinstance(body, Request):
        return [body.content]
    is_form = body.header("content-type").startswith("application/x-www-form-urlencoded")
    fields = {**body.query, **(body.form if is_form else {})}
    return [body.content, *(value.encode() for value in fields.values())]


def list_schema_errors(schemas: Schemas, document: Any) -> list[SchemaError]:
    """What is wrong with a document by the schema that likes it best.

    Several documents may share their root; a schema that does not know what it holds is of another one.
    """
    if document.tag not in schemas:
        return []
    tree = etree.fromstring(etree.tostring(document, with_tail=False))
    verdicts = [each.judge(tree) for each in schemas[document.tag]]
    return min(verdicts, key=lambda pair: (pair[0], len(pair[1])))[1]


def describe_error(tree: Any, error: Any) -> SchemaError:
    """What is wrong, by local names; the place of a missing child is the last of those that may come."""
    text = re.sub(r"\{[^{}]*\}", "", error.message)
    words = text.partition(": ")[2]
    spaces = {prefix: space for node in tree.iter() for prefix, space in node.nsmap.items() if prefix}
    node, kind = tree.xpath(error.path, namespaces=spaces)[0], read_kind(error)
    location, value = write_place(node), str(node.text or "")
    if missing := re.match(r"Missing child [^.]*\. Expected is (?:one of )?\( (.*) \)", words):
        return SchemaError(f"{location}/{missing[1].rpartition(', ')[2]}", kind, REQUIRED, value)
    if missing := re.search(r"The attribute '(\S+)' is required", text):
        return SchemaError(f"{location}/@{missing[1]}", kind, REQUIRED, value)
    attribute = re.search(r"attribute '(\S+)':", text)
    location += f"/@{attribute[1]}" if attribute else ""
    return SchemaError(location, kind, words, value)


def explain_fault(error: SchemaError) -> str:
    """Return what is wrong with the origin of a value."""
    quoted = re.findall(r"'([^']*)'", error.text.rpartition("The value ")[2])
    match error.kind.removeprefix("CVC_").removesuffix("_VALID"):
        case _ if error.text == REQUIRED:
            return reasons.REQUIRED
        case "MAXLENGTH" | "MINLENGTH" | "LENGTH" as kind if quoted[-1].isdecimal():
            length = int(quoted[-1])
            least, most = (0 if kind == "MAXLENGTH" else length), (None if kind == "MINLENGTH" else length)
            return reasons.explain_length(least, most, error.value)
        case "ENUMERATION":
            return reasons.explain_choice(re.findall(r"'([^']*)'", error.text.rpartition("{")[2]))
        case "PATTERN":
            return reasons.explain_form(error.text.rpartition(" the pattern ")[2].strip(".'"))
        case "MAXINCLUSIVE" | "MAXEXCLUSIVE":
            return reasons.explain_number(None, quoted[-1], error.value)
        case "MININCLUSIVE" | "MINEXCLUSIVE":
            return reasons.explain_number(quoted[-1], None, error.value)
        case "ELEMENT_CONTENT" | "COMPLEX_TYPE_3_2_1":
            return reasons.NOT_TAKEN
    return reasons.UNREADABLE


def read_kind(error: Any) -> str:
    return str(error.type_name).removeprefix("SCHEMAV_")


def write_place(node: Any) -> str:
    """The path of an element inside its document, by local names."""
    return "/".join(etree.QName(each).localname for each in (*reversed(list(node.iterancestors())), node))
