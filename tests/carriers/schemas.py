"""The schemas of a carrier that lie beside its recordings, those that were cut from a WSDL among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lxml import etree

from tests.carriers.places import RECORDED

SCHEMA = "{http://www.w3.org/2001/XMLSchema}"
Schemas = Mapping[str, Sequence[etree.XMLSchema]]


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
