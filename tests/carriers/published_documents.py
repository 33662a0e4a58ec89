"""Writes `schema.xml` beside a carrier's catalogue: of its XSD what the documents that are sent need.

Names, codes, patterns and numbers are kept, in one schema for each namespace; comments are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

from lxml import etree

from shipcli.carrier.simulation.published_documents import SchemaSet
from tests.carriers.schemas import SCHEMA, list_sets
from tests.carriers.witness.schema_traps import SCHEMA_SPACE

TYPES = "type"
KINDS: Mapping[str, str] = {
    "element": "element", "complexType": TYPES, "simpleType": TYPES, "group": "group",
    "attribute": "attribute", "attributeGroup": "attributeGroup",
}  # fmt: skip
LINKS = ("include", "import", "redefine")
QUALIFIED = {"element": "elementFormDefault", "attribute": "attributeFormDefault"}
WRITTEN = frozenset({
    "name", "type", "ref", "base", "itemType", "memberTypes", "substitutionGroup", "minOccurs", "maxOccurs",
    "use", "value", "nillable", "abstract", "default", "fixed", "form", "mixed", "namespace",
    "processContents",
})  # fmt: skip
OF_TYPES = ("type", "base", "itemType", "memberTypes")  # attributes that name types
DECLARATION = re.compile(r'\sxmlns(:\w+)?="[^"]*"')


class Component(NamedTuple):
    """A named part of a schema: `kind` tells apart what may have the same name."""

    kind: str
    space: str
    name: str


class Excerpt:
    """What the documents with some roots need of the schemas of a set."""

    def __init__(self, schemas: SchemaSet) -> None:
        self._nodes: dict[Component, Any] = {}
        self._spaces: dict[Any, str] = {}  # of the roots of files; an included one is of who includes it
        trees = {name: etree.fromstring(content) for name, content in schemas.files.items()}
        main = next(iter(trees))
        self._collect(trees, main, trees[main].get("targetNamespace") or "")

    def _collect(self, trees: Mapping[str, Any], name: str, space: str) -> None:
        tree = trees[name]
        if tree in self._spaces:
            return
        self._spaces[tree] = space
        for node in tree.findall("*[@name]"):
            self._nodes.setdefault(Component(KINDS[read_tag(node)], space, node.get("name")), node)
        for link in tree.iterchildren(*(f"{SCHEMA}{each}" for each in LINKS)):
            file = str(link.get("schemaLocation")).rpartition("/")[2]
            if file in trees:
                is_import = read_tag(link) == "import"
                self._collect(trees, file, (link.get("namespace") or "") if is_import else space)

    def reach(self, roots: Iterable[str]) -> dict[Component, Any]:
        """The parts that documents with some roots need, in the order of need."""
        waiting = [Component("element", *split_name(root)) for root in roots]
        reached: dict[Component, Any] = {}
        while waiting:
            component = waiting.pop(0)
            if component not in reached and component in self._nodes:
                node = reached[component] = self._nodes[component]
                waiting += [each for inner in node.iter(etree.Element) for each in self.list_named(inner)]
                waiting += self._list_substitutes(component, node)
        return reached

    def list_named(self, node: Any) -> Iterator[Component]:
        for key, value in node.attrib.items():
            if kind := read_kind(node, str(key)):
                yield from (Component(kind, *self.read_name(node, text)) for text in value.split())

    def _list_substitutes(self, component: Component, node: Any) -> Iterator[Component]:
        """What may stand in the place of an element or a type that is abstract."""
        if node.get("abstract") != "true":
            return
        for other, each in self._nodes.items():
            inner = each.iter(etree.Element) if other.kind == TYPES else [each]
            if other.kind == component.kind and any(component in self.list_named(one) for one in inner):
                yield other

    def read_name(self, node: Any, text: str) -> tuple[str, str]:
        """Namespace and name of what a text such as `tns:Address` names."""
        prefix, _, name = text.rpartition(":")
        if prefix == "xml":
            return "xml", name
        root = node.getroottree().getroot()
        return node.nsmap.get(prefix or None) or self._spaces[root], name

    def write(self, roots: Sequence[str]) -> str:
        """One set of schemas, a line for each part."""
        reached = self.reach(roots)
        spaces = {space: f"n{at}" for at, space in enumerate(dict.fromkeys(each.space for each in reached))}
        lines = [f"<set roots={quoteattr(' '.join(roots))}>"]
        for space in spaces:
            parts = [node for component, node in reached.items() if component.space == space]
            lines += [start_schema(space, spaces, parts[0]), *link_schemas(space, spaces)]
            lines += [self._write_part(node, spaces, parts[0]) for node in parts]
            lines.append("</xs:schema>")
        return "\n".join([*lines, "</set>"])

    def _write_part(self, node: Any, spaces: Mapping[str, str], first: Any) -> str:
        copy = deepcopy(node)
        for original, part in zip(list(node.iter()), list(copy.iter()), strict=True):
            if isinstance(part.tag, str):
                self._spell(original, part, spaces, first)
        for part in list(copy.iter()):
            if not isinstance(part.tag, str) or read_tag(part) == "annotation":
                remove(part)
        for part in copy.iter():
            part.text = part.tail = None
        text = etree.tostring(copy, encoding="unicode")
        return DECLARATION.sub("", re.sub(r"(</?)(?:\w+:)?(?=\w)", r"\1xs:", text))

    def _spell(self, original: Any, part: Any, spaces: Mapping[str, str], first: Any) -> None:
        """Keep the attributes that mean something, names by the prefixes of the excerpt."""
        for key, value in original.attrib.items():
            if key not in WRITTEN:
                del part.attrib[key]
            elif read_kind(original, str(key)):
                names = [self.read_name(original, text) for text in value.split()]
                part.set(key, " ".join(write_name(space, name, spaces) for space, name in names))
        default = QUALIFIED.get(read_tag(original))
        is_local = default and original.get("name") and original.getparent() is not read_root(original)
        if default and is_local and "form" not in original.attrib:
            own, usual = (read_root(one).get(default, "unqualified") for one in (original, first))
            if own != usual:
                part.set("form", own)


def read_root(node: Any) -> Any:
    return node.getroottree().getroot()


def read_tag(node: Any) -> str:
    return str(etree.QName(node).localname)


def read_kind(node: Any, key: str) -> str | None:
    """Of what kind that is which an attribute names; None for an attribute that names nothing."""
    if key in OF_TYPES:
        return TYPES
    if key == "substitutionGroup":
        return "element"
    return KINDS.get(read_tag(node)) if key == "ref" else None


def split_name(root: str) -> tuple[str, str]:
    space, _, name = root.rpartition("}")
    return space.removeprefix("{"), name


def write_name(space: str, name: str, spaces: Mapping[str, str]) -> str:
    if space in (SCHEMA_SPACE, "xml"):
        return f"{'xs' if space == SCHEMA_SPACE else space}:{name}"
    return f"{spaces[space]}:{name}" if space else name


def start_schema(space: str, spaces: Mapping[str, str], part: Any) -> str:
    declared = {"xmlns:xs": SCHEMA_SPACE, **{f"xmlns:{prefix}": uri for uri, prefix in spaces.items() if uri}}
    target = {"targetNamespace": space} if space else {}
    forms = {key: read_root(part).get(key) for key in QUALIFIED.values() if read_root(part).get(key)}
    said = {**declared, **target, **forms}
    return "<xs:schema " + " ".join(f"{key}={quoteattr(value)}" for key, value in said.items()) + ">"


def link_schemas(space: str, spaces: Mapping[str, str]) -> list[str]:
    return [
        f"<xs:import{f' namespace={quoteattr(other)}' if other else ''} schemaLocation={quoteattr(str(at))}/>"
        for at, other in enumerate(spaces)
        if other != space
    ]


def remove(node: Any) -> None:
    """Take a node out of its parent, with its tail, if that was not done with the parent."""
    if node.getparent() is not None:
        node.getparent().remove(node)


def write_documents(slug: str, roots: Iterable[str]) -> str:
    """The file of a carrier for documents with these roots, `{namespace}name`; empty if none is described."""
    chosen = set(roots)
    pairs = [(each, [root for root in each.roots if root in chosen]) for each in list_sets(slug)]
    sets = [Excerpt(schemas).write(sent) for schemas, sent in pairs if sent]
    return "\n".join(["<schemas>", *dict.fromkeys(sets), "</schemas>", ""]) if sets else ""
