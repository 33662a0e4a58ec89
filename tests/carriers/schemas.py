"""The schemas of a carrier that lie beside its recordings, those that were cut from a WSDL among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lxml import etree

from shipcli.carrier import Request
from shipcli.carrier.wire.calls import Body
from tests.carriers.places import RECORDED

SCHEMA = "{http://www.w3.org/2001/XMLSchema}"
Schemas = Mapping[str, Sequence[etree.XMLSchema]]
ENVELOPES = ("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")
UNEXPECTED, BELOW_ROOT = "SCHEMAV_ELEMENT_CONTENT", 2  # of an error: its kind, and the depth of its path
STRANGER = "This element is not expected"  # where none is missing but one is of another document


@cache
def schemas_of(slug: str) -> Schemas:
    """The schemas of a carrier by the roots they declare, `{namespace}name`."""
    found: dict[str, list[etree.XMLSchema]] = {}
    for path in sorted((RECORDED / slug / "wire").glob("*.xsd")):
        tree = etree.parse(path)
        space = tree.getroot().get("targetNamespace")
        roots = [str(one.get("name")) for one in tree.getroot().findall(f"{SCHEMA}element")]
        if roots and (schema := read_schema(path) or read_cut_schema(path)) is not None:
            for name in roots:
                found.setdefault(f"{{{space}}}{name}" if space else name, []).append(schema)
    return found


def read_schema(path: Path) -> etree.XMLSchema | None:
    """None if it can't be compiled, most often as it includes a file that is not there."""
    try:
        return etree.XMLSchema(etree.parse(path))
    except etree.XMLSchemaParseError:
        return None


def read_cut_schema(path: Path) -> etree.XMLSchema | None:
    """A schema cut from a WSDL, joined again with those beside it; None if one is missing.

    Where several are of one namespace, this one stands for it.
    """
    trees = {one: etree.parse(one) for one in sorted(path.parent.glob("*.xsd"), key=path.__ne__)}
    files: dict[str | None, str] = {}
    for one, tree in trees.items():
        files.setdefault(tree.getroot().get("targetNamespace"), one.name)
    with TemporaryDirectory() as folder:
        for one, tree in trees.items():
            drop_repeated(tree.getroot())
            link_imports(tree.getroot(), files)
            tree.write(Path(folder) / one.name)
        return read_schema(Path(folder) / path.name)


def drop_repeated(root: Any) -> None:
    """Take out the declarations that a schema makes a second time, of its own or in one sequence."""
    for parent in (root, *root.iter(f"{SCHEMA}sequence")):
        known = set()
        for node in parent.findall("*[@name]"):
            key = node.tag, node.get("name")
            if key in known:
                parent.remove(node)
            known.add(key)


def link_imports(root: Any, files: Mapping[str | None, str]) -> None:
    """Import every namespace a schema speaks of from the file beside it that declares it."""
    spoken = {space for node in root.iter() for space in node.nsmap.values()}
    spoken |= {link.get("namespace") for link in root.findall(f"{SCHEMA}import")}
    for link in root.findall(f"{SCHEMA}import"):
        root.remove(link)
    for space in sorted(spoken & files.keys() - {root.get("targetNamespace")}):
        link = etree.Element(f"{SCHEMA}import", namespace=space, schemaLocation=files[space])
        root.insert(0, link)


# -- documents -------------------------------------------------------------------------------------


def list_documents(body: Body) -> Iterator[Any]:
    """The XML documents of a request or an answer: its body, what its envelope holds, or its fields."""
    for content in list_contents(body):
        try:
            root = etree.fromstring(content)
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


def list_schema_errors(schemas: Schemas, document: Any) -> list[tuple[str, str]]:
    """The place and the text of what is wrong with a document by the schema that likes it best.

    Several documents may share their root; a schema that does not know what it holds is of another one.
    """
    tree, verdicts = etree.fromstring(etree.tostring(document)), []
    for schema in schemas.get(document.tag, ()):
        schema.validate(tree)
        log = list(schema.error_log)
        is_other = any(
            error.type_name == UNEXPECTED
            and error.path.count("/") == BELOW_ROOT
            and STRANGER in error.message
            for error in log
        )
        verdicts.append((is_other, [describe_error(tree, error) for error in log]))
    return min(verdicts, key=lambda pair: (pair[0], len(pair[1])), default=(False, []))[1]


def describe_error(tree: Any, error: Any) -> tuple[str, str]:
    """The path of the element or attribute by local names, and what is wrong with it.

    A child that is missing is the place: of those that may come next the last, which is the one that must.
    """
    text = re.sub(r"\{[^}]*\}", "", error.message)
    spaces = {prefix: space for node in tree.iter() for prefix, space in node.nsmap.items() if prefix}
    place = write_place(tree.xpath(error.path, namespaces=spaces)[0])
    if missing := re.search(r"Missing child .*Expected is (?:one of )?\( (.*) \)", text):
        return f"{place}/{missing[1].rpartition(', ')[2]}", "is required"
    if missing := re.search(r"The attribute '(\S+)' is required", text):
        return f"{place}/@{missing[1]}", "is required"
    attribute = re.search(r"attribute '(\S+)':", text)
    return place + (f"/@{attribute[1]}" if attribute else ""), text.partition(": ")[2]


def write_place(node: Any) -> str:
    """The path of an element inside its document, by local names."""
    return "/".join(etree.QName(one).localname for one in (*reversed(list(node.iterancestors())), node))


def list_places(document: Any) -> set[str]:
    """The paths of all elements and attributes."""
    places = set()
    for node in etree.fromstring(etree.tostring(document)).iter(etree.Element):
        place = write_place(node)
        places |= {place, *(f"{place}/@{etree.QName(name).localname}" for name in node.attrib)}
    return places
