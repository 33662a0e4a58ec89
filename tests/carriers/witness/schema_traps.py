"""What XSD files say and their carriers' own messages break: each trap once, with reason and source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from lxml import etree

SCHEMA_SPACE = "http://www.w3.org/2001/XMLSchema"
SCHEMA = f"{{{SCHEMA_SPACE}}}"
EVERY = "*"
NARROW = ("byte", "short", "unsignedByte", "unsignedShort")


def make_optional(node: Any) -> None:
    """Let an element or attribute be missing."""
    if node.tag == f"{SCHEMA}attribute":
        node.attrib.pop("use", None)
    else:
        node.set("minOccurs", "0")


def make_text(node: Any) -> None:
    """Let an element or attribute have any text."""
    set_type(node, "string")


def widen_number(node: Any) -> None:
    """Let a number be as large as it is, and have decimals."""
    if str(node.get("type")).rpartition(":")[2] in NARROW:
        set_type(node, "decimal")


def drop_least_length(node: Any) -> None:
    """Let a text be empty."""
    for facet in list(node.iter(f"{SCHEMA}minLength")):
        facet.getparent().remove(facet)


def set_type(node: Any, name: str) -> None:
    prefix = next(prefix for prefix, space in node.nsmap.items() if space == SCHEMA_SPACE)
    node.set("type", f"{prefix}:{name}" if prefix else name)


@dataclass(frozen=True)
class SchemaTrap:
    """Elements and attributes of some files that are not what they are declared to be; `*` are all."""

    files: tuple[str, ...]
    names: tuple[str, ...]
    change: Callable[[Any], None]

    def list_files(self, trees: Mapping[str, Any]) -> list[str]:
        return list(trees) if EVERY in self.files else list(self.files)

    def find(self, tree: Any) -> Iterator[Any]:
        """The declarations that are meant, inside the root of a document."""
        for node in tree.iter(f"{SCHEMA}element", f"{SCHEMA}attribute"):
            name = node.get("name") or node.get("ref")
            if node.getparent() is not tree and (EVERY in self.names or name in self.names):
                yield node


# Made of samples, with numbers as narrow as those of the sample: xs:byte for a service of four digits (2029),
# a class of mail (1058), a freight class (77.5), a quantity; xs:short for a ZIP code (90210), which may be
# empty. Source: quote_request.xsd, serviceId, against quote_reply.xsd; RateV4Response.xsd, CLASSID;
# TrackResponse.xsd, DestinationZip and EventZIPCode; read on 2026-11-26.
NARROW_NUMBERS = SchemaTrap((EVERY,), (EVERY,), widen_number)
ZIP_CODES = SchemaTrap(("TrackResponse.xsd",), ("DestinationZip", "EventZIPCode"), make_text)

# The code of the area where parcels wait is told when a collection is booked; of one that was booked
# elsewhere the number is all that is known. Source: cancel-pickup-global-req-3.0.xsd, OriginSvcArea; read on
# 2026-11-26.
DHL_EXPRESS = [SchemaTrap(("cancel-pickup-global-req-3.0.xsd",), ("OriginSvcArea",), make_optional)]

# Made by a tool of one sample ("Liquid Technologies Online Tools"), which calls everything required that the
# sample has, dates of a search beside the number of a parcel too: names and order mean something, optionality
# does not. Source: tracking-request.xsd, tracking-response.xsd, their first comment; read on 2026-11-26.
DPDHL = [SchemaTrap(("tracking-request.xsd", "tracking-response.xsd"), (EVERY,), make_optional)]

# Made of a sample that has every part: cash on delivery, a payer and an invoice are demanded of everybody.
# Source: quote_request.xsd, shipping_request.xsd and their samples; read on 2026-11-26.
FREIGHTCOM_PARTS = ("COD", "Payment", "Reference", "CustomsInvoice")
FREIGHTCOM = [SchemaTrap(("quote_request.xsd", "shipping_request.xsd"), FREIGHTCOM_PARTS, make_optional)]

# An error of each kind is demanded at once, and one of a consignment that was made as well. Source:
# rating_response.xsd, type errors, against its recorded answer; shipping_response.xsd; read on 2026-11-26.
TNT = [
    SchemaTrap(("rating_response.xsd",), ("runtimeError", "parseError", "brokenRule"), make_optional),
    SchemaTrap(("shipping_response.xsd",), ("ERROR",), make_optional),
]

# No member is optional, those of other mailers and of other ways to pay among them. Source: the files, no
# minOccurs of 0, against the members that exclude each other in the guides; read on 2026-11-26.
USPS_LABELS = (
    "eVSExpressMailIntlRequest.xsd", "eVSFirstClassMailIntlRequest.xsd", "eVSGXGGetLabelRequest.xsd",
    "eVSPriorityMailIntlRequest.xsd", "eVSRequest.xsd",
)  # fmt: skip

# A container, a size and sides are demanded of every parcel abroad, and an extra service; a flat in a
# sender's address has a length of 1 at least. Source: IntlRateV2Request.xsd, eVSRequest.xsd (FromAddress1)
# against the recorded requests, which leave them out or empty and are answered; read on 2026-11-26.
USPS_SIZES = ("Container", "Size", "Width", "Length", "Height", "Girth", "ExtraServices", "Content")

USPS = [
    NARROW_NUMBERS,
    ZIP_CODES,
    SchemaTrap(USPS_LABELS, (EVERY,), make_optional),
    SchemaTrap(("IntlRateV2Request.xsd",), USPS_SIZES, make_optional),
    SchemaTrap(("eVSRequest.xsd",), ("FromAddress1",), drop_least_length),
]

TRAPS: Mapping[str, list[SchemaTrap]] = {
    "dhl_express": DHL_EXPRESS,
    "dpdhl": DPDHL,
    "freightcom": [NARROW_NUMBERS, *FREIGHTCOM],
    "tnt": TNT,
    "usps_wt": USPS,
    "usps_wt_international": USPS,
}

# Written by hand, and no schemas as they stand: lengths and limits as attributes of elements, `use` where
# minOccurs is meant (what is not required is optional then), a simple type in the place of an element, blanks
# in the pattern of a date.
# Source: RateV4Request.xsd, IntlRateV2Request.xsd, eVSRequest.xsd, TrackFieldRequest.xsd; read on 2026-11-26.
MISSPELT = ("usps_wt", "usps_wt_international")
FACETS = ("minLength", "maxLength", "minInclusive", "maxInclusive")


# The three schemas of each WSDL stand in one file, under the namespace of one of them; the prefixes by which
# they speak of each other tell them apart. Source: the three files, and the namespaces of the recorded
# requests; read on 2026-11-26.
CANPAR_ORDERS, CANPAR_PARTS = "http://ws.dto.canshipws.canpar.com/xsd", "http://dto.canshipws.canpar.com/xsd"
CANPAR_PREFIXES = {
    "ax21": CANPAR_ORDERS, "ax25": CANPAR_ORDERS, "ax210": CANPAR_ORDERS,
    "ax23": CANPAR_PARTS, "ax27": CANPAR_PARTS, "ax211": CANPAR_PARTS,
}  # fmt: skip
CANPAR_SERVICES = {
    "CanparAddonsService.xsd": "http://ws.canparaddons.canpar.com",
    "CanparRatingService.xsd": "http://ws.onlinerating.canshipws.canpar.com",
    "CanshipBusinessService.xsd": "http://ws.business.canshipws.canpar.com",
}


# They name no namespace, which every message has. Source: the two files, against the recorded messages; read
# on 2026-11-27.
NAMELESS: Mapping[str, str] = {"postat": "http://post.ondot.at"}


def repair_schemas(slug: str, trees: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schemas of a carrier, by file name, without their traps."""
    if slug == "canpar":
        return {
            place: part
            for name, tree in trees.items()
            for place, part in separate_schemas(name, tree).items()
        }
    if space := NAMELESS.get(slug):
        return {name: name_schema(tree, space) for name, tree in trees.items()}
    if slug in MISSPELT:
        for tree in trees.values():
            spell_schema(tree)
    for trap in TRAPS.get(slug, ()):
        for name in trap.list_files(trees):
            for node in list(trap.find(trees[name])):
                trap.change(node)
    return trees


def name_schema(tree: Any, space: str) -> Any:
    """The schema as that of a namespace."""
    spaces: Any = {**tree.nsmap, None: space}
    named = etree.Element(tree.tag, nsmap=spaces, attrib=dict(tree.attrib))
    named.set("targetNamespace", space)
    named.extend(deepcopy(child) for child in tree)
    return named


def spell_schema(tree: Any) -> None:
    """Say what a schema written by hand means."""
    for node in list(tree.iterfind(f".//{SCHEMA}sequence/{SCHEMA}simpleType")):
        wrap_type(node)
    for node in tree.iter(f"{SCHEMA}pattern"):
        node.set("value", node.get("value").replace(" ", ""))
    elements = [node for node in tree.iter(f"{SCHEMA}element") if node.getparent() is not tree]
    says_use = any("use" in node.attrib for node in elements)
    for node in elements:
        is_required = node.attrib.pop("use", "") == "required"
        if says_use and not is_required:
            make_optional(node)
        facets = {name: node.attrib.pop(name) for name in FACETS if name in node.attrib}
        if facets:
            restrict(node, facets)


def wrap_type(node: Any) -> None:
    """Turn a simple type that stands in a sequence into an element of that type."""
    element = etree.Element(f"{SCHEMA}element", **{name: node.attrib.pop(name) for name in dict(node.attrib)})
    node.getparent().replace(node, element)
    element.append(node)


def restrict(node: Any, facets: Mapping[str, str]) -> None:
    """Give an element the limits that were written as its attributes."""
    restriction = etree.SubElement(etree.SubElement(node, f"{SCHEMA}simpleType"), f"{SCHEMA}restriction")
    restriction.set("base", node.attrib.pop("type"))
    for name, value in facets.items():
        etree.SubElement(restriction, f"{SCHEMA}{name}", value=value)


def separate_schemas(name: str, tree: Any) -> Mapping[str, Any]:
    """The schemas that stand in one file of Canpar, those of the types beside that of the messages."""
    spaces = {"n0": CANPAR_SERVICES[name], "n1": CANPAR_ORDERS, "n2": CANPAR_PARTS}
    files = {space: f"{prefix}-{name}" for prefix, space in spaces.items()}
    of_type = dict(list_types(tree))
    parts = {space: start_schema(space, spaces, files) for space in spaces.values()}
    prefixes = {space: prefix for prefix, space in spaces.items()}
    for node in tree.findall("*[@name]"):
        is_message = node.tag == f"{SCHEMA}element"
        space = spaces["n0"] if is_message else of_type.get(str(node.get("name")), CANPAR_ORDERS)
        parts[space].append(rename_types(node, prefixes))
    return {files[space]: part for space, part in parts.items()}


def list_types(tree: Any) -> Iterator[tuple[str, str]]:
    """The types that are spoken of, and their namespaces."""
    for node in tree.iter(f"{SCHEMA}element", f"{SCHEMA}extension"):
        prefix, _, local = (node.get("type") or node.get("base") or "").rpartition(":")
        if prefix in CANPAR_PREFIXES:
            yield local, CANPAR_PREFIXES[prefix]


def start_schema(space: str, spaces: Mapping[str, str], files: Mapping[str, str]) -> Any:
    root = etree.Element(f"{SCHEMA}schema", nsmap={"xs": SCHEMA_SPACE, **spaces})
    root.set("targetNamespace", space)
    root.set("elementFormDefault", "qualified")
    for other, file in files.items():
        if other != space:
            etree.SubElement(root, f"{SCHEMA}import", namespace=other, schemaLocation=file)
    return root


def rename_types(node: Any, prefixes: Mapping[str, str]) -> Any:
    copy = deepcopy(node)
    for inner in copy.iter(f"{SCHEMA}element", f"{SCHEMA}extension"):
        for key in ("type", "base"):
            prefix, _, local = (inner.get(key) or "").rpartition(":")
            if prefix in CANPAR_PREFIXES:
                inner.set(key, f"{prefixes[CANPAR_PREFIXES[prefix]]}:{local}")
    return copy
