"""The schemas of a carrier that lie beside its recordings, those that were cut from a WSDL among them.

Where they are not beside the checkout, the excerpt that the carrier's simulator has stands for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from lxml import etree

from shipcli.carrier.simulation.published_documents import (
    NAME,
    Schemas,
    SchemaSet,
    group_sets,
    read_sets,
    write_place,
)
from tests.carriers.places import ROOT, find_recorded
from tests.carriers.witness.schema_traps import repair_schemas

SCHEMA = "{http://www.w3.org/2001/XMLSchema}"
Trees = Mapping[str, Any]  # the roots of schemas by file name


@cache
def schemas_of(slug: str) -> Schemas:
    """The schemas of a carrier by the roots they declare, `{namespace}name`."""
    return group_sets(list_sets(slug))


@cache
def list_sets(slug: str) -> list[SchemaSet]:
    """Every schema of a carrier that declares a root, with those that it needs."""
    if not find_recorded(slug).is_dir():
        excerpt = ROOT / "carriers" / slug / NAME
        return list(read_sets(excerpt.read_bytes())) if excerpt.is_file() else []
    paths = sorted((find_recorded(slug) / "wire").glob("*.xsd"))
    trees = repair_schemas(slug, {path.name: etree.parse(path).getroot() for path in paths})
    sets = [join_schemas(name, trees) for name in trees if trees[name].find(f"{SCHEMA}element") is not None]
    return [each for each in sets if each]


def join_schemas(name: str, trees: Trees) -> SchemaSet | None:
    """A schema with those beside it, joined again if it was cut; None if one that it needs is missing."""
    space = trees[name].get("targetNamespace")
    names = [str(node.get("name")) for node in trees[name].findall(f"{SCHEMA}element")]
    roots = [f"{{{space}}}{root}" if space else root for root in names]
    others = {other: tree for other, tree in trees.items() if other != name}
    joined = SchemaSet(roots, write_files({name: trees[name], **others}))
    if joined.compile():
        return joined
    cut = SchemaSet(roots, write_files(link_cut({name: trees[name], **others})))
    return cut if cut.compile() else None


def write_files(trees: Trees) -> dict[str, bytes]:
    return {name: etree.tostring(tree) for name, tree in trees.items()}


def link_cut(trees: Trees) -> Trees:
    """Schemas that were cut from a WSDL, each importing what it speaks of from the others.

    Where several are of one namespace, the first stands for it.
    """
    files: dict[str | None, str] = {}
    for name, tree in trees.items():
        files.setdefault(tree.get("targetNamespace"), name)
    linked = {name: deepcopy(tree) for name, tree in trees.items()}
    for tree in linked.values():
        drop_repeated(tree)
        link_imports(tree, files)
    return linked


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


def list_places(document: Any) -> set[str]:
    """The paths of all elements and attributes."""
    places = set()
    for node in etree.fromstring(etree.tostring(document)).iter(etree.Element):
        place = write_place(node)
        places |= {place, *(f"{place}/@{etree.QName(name).localname}" for name in node.attrib)}
    return places
