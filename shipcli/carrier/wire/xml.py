"""XML for carriers: one hardened parser, nested dicts to elements, SOAP envelopes.

Source: lxml; entities are not resolved, no DTD is loaded, nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias, overload

from lxml import etree
from lxml.etree import _Element

Element: TypeAlias = _Element

SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
DECLARATION = re.compile(r"\A\ufeff?<\?xml[^>]*\?>")  # a text is decoded already, whatever it declares
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def parse(content: bytes | str) -> _Element:
    """Return the root element, names without namespaces.

    Errors: ValueError when the text is no XML or carries a document type (entity tricks live there).
    """
    data = DECLARATION.sub("", content.strip()).encode() if isinstance(content, str) else content.strip()
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"not XML: {error.msg}") from error
    if root.getroottree().docinfo.doctype:  # type: ignore[union-attr]  # the stubs lack the member
        raise ValueError("XML with a document type is refused")
    for node in root.iter():
        tag = node.tag
        if isinstance(tag, str) and tag.startswith("{"):
            node.tag = tag.rpartition("}")[2]
    return root


def element(tag: str, value: Any, namespace: str | None = None, prefix: str | None = None) -> _Element:
    """Return nested dicts as XML.

    Shapes: None leaves the child out, and so does a dict that holds nothing but None; "" and {} give an empty
            element, a list repeats its tag, "@name" is an attribute, "#text" the text of an element with
            attributes. A key "prefix:tag" keeps its prefix if `@xmlns:prefix` is declared on an ancestor.
            Numbers, booleans and dates become their XML text.
    """
    namespaces = _find_namespaces(value, namespace, prefix)
    name = f"{{{namespaces[prefix]}}}{tag}" if prefix in namespaces else tag
    node = etree.Element(name, nsmap=namespaces or None)  # type: ignore[arg-type]  # None: the default namespace
    _fill(node, value, namespaces, namespaces.get(prefix))
    return node


def document(
    tag: str, value: Mapping[str, Any], namespace: str, prefix: str, location: str | None = None
) -> _Element:
    """Return a root of a namespace whose members have none (a schema with elementFormDefault="unqualified").

    `location` is the schema's file, which the root then names beside its namespace.
    """
    head = {f"@xmlns:{prefix}": namespace}
    if location:
        head |= {"@xmlns:xsi": SCHEMA_INSTANCE, "@xsi:schemaLocation": f"{namespace} {location}"}
    root = element(tag, {**head, **value})
    root.tag = f"{{{namespace}}}{tag}"
    return root


def _find_namespaces(value: Any, namespace: str | None, prefix: str | None) -> dict[str | None, str]:
    namespaces: dict[str | None, str] = {prefix: namespace} if namespace else {}
    for key in value if isinstance(value, dict) else ():
        if key[0] == "@" and key.startswith("@xmlns"):
            namespaces[key[7:] or None] = value[key]
    return namespaces


def _fill(node: _Element, value: Any, namespaces: Mapping[str | None, str], inherited: str | None) -> None:
    if not isinstance(value, dict):
        node.text = format_value(value) or None
        return
    for key, item in value.items():
        if item is None:
            continue
        if key[0] in "@#":
            _mark(node, key, item, namespaces)
        elif isinstance(item, (list, tuple)):  # a union costs a second look for each element
            for member in item:
                if member is not None:
                    _add_child(node, key, member, namespaces, inherited)
        elif not (isinstance(item, dict) and _is_left_out(item)):
            _add_child(node, key, item, namespaces, inherited)


def _mark(node: _Element, key: str, item: Any, namespaces: Mapping[str | None, str]) -> None:
    """Set the text of an element with attributes, or an attribute; namespaces are declared already."""
    if key == "#text":
        node.text = format_value(item) or None
    elif not key.startswith("@xmlns"):
        node.set(_name_child(key[1:], namespaces, None)[0], format_value(item))


def _is_left_out(item: Mapping[str, Any]) -> bool:
    """Whether all members of a dict are left out."""
    return bool(item) and not any(value is not None for value in item.values())


def _add_child(
    node: _Element, key: str, value: Any, namespaces: Mapping[str | None, str], inherited: str | None
) -> None:
    if isinstance(value, dict):
        declared = _find_namespaces(value, None, None)
        in_scope = {**namespaces, **declared} if declared else namespaces
        name, space = _name_child(key, in_scope, declared.get(None, inherited))
        child = etree.SubElement(node, name, nsmap=declared or None)  # type: ignore[arg-type]  # as above
        _fill(child, value, in_scope, space)
    elif isinstance(value, _Element):
        node.append(value)
    else:
        name, _ = _name_child(key, namespaces, inherited)
        etree.SubElement(node, name).text = format_value(value) or None


def _name_child(key: str, namespaces: Mapping[str | None, str], usual: str | None) -> tuple[str, str | None]:
    """Return the name of a child or attribute with its namespace: that of its prefix, else the usual one."""
    if ":" not in key:
        return (f"{{{usual}}}{key}" if usual else key), usual
    prefix, _, tag = key.rpartition(":")
    space = namespaces.get(prefix)
    return (f"{{{space}}}{tag}" if space else tag), space


def format_value(value: Any) -> str:
    """Return numbers in plain notation without trailing zeros, booleans in lower case, dates as ISO text.

    Control characters, which no XML can hold, are dropped.
    """
    if isinstance(value, str):
        return value if value.isprintable() else NOT_IN_XML.sub("", value)
    if value is None or value == {}:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format_number(value)
    if isinstance(value, float):
        return format_number(Decimal(repr(value)))
    if isinstance(value, date | datetime):
        return value.isoformat()
    return format_value(str(value))


def format_number(value: Decimal) -> str:
    """Return 10.50 as "10.5", 1E+2 as "100"."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def render(tree: _Element | str) -> bytes:
    """Return the document as UTF-8 bytes with its declaration."""
    if isinstance(tree, str):
        return tree.encode("utf-8")
    return etree.tostring(tree, encoding="UTF-8", xml_declaration=True)


def text(tree: _Element) -> str:
    """Return the element as text without a declaration, for XML inside a form field or a query."""
    return etree.tostring(tree, encoding="unicode")


def envelope(
    body: _Element,
    header: _Element | None = None,
    *,
    version: str = SOAP_11,
    bare_header: bool = False,
) -> _Element:
    """Return a SOAP envelope around a body element."""
    root = etree.Element(f"{{{version}}}Envelope", nsmap={"soap": version})
    if header is not None or bare_header:
        head = etree.SubElement(root, f"{{{version}}}Header")
        head.extend([] if header is None else [header])
    etree.SubElement(root, f"{{{version}}}Body").append(body)
    return root


@overload
def find(node: _Element, path: str, default: str) -> str: ...
@overload
def find(node: _Element, path: str, default: None = None) -> str | None: ...
def find(node: _Element, path: str, default: str | None = None) -> str | None:
    """Return the stripped text at a path of local names, or the default when absent or empty."""
    text = node.findtext(path)
    text = text.strip() if text else ""
    return text or default


def require(node: _Element, path: str) -> str:
    """Return the stripped text at a path of local names.

    Errors: LookupError when it is absent or empty.
    """
    text = find(node, path)
    if text is None:
        raise LookupError(f"{path} in {node.tag}")
    return text


def find_texts(node: _Element, paths: Mapping[str, str]) -> dict[str, str | None]:
    """Return the texts at several paths, each under a name of ours; None when absent or empty."""
    return {name: find(node, path) for name, path in paths.items()}


def first(node: _Element, name: str) -> _Element:
    """Return the first element of a local name at any depth.

    Errors: LookupError when there is none.
    """
    match = next(node.iter(name), None)
    if match is None:
        raise LookupError(f"{name} in {node.tag}")
    return match


def check_root(node: _Element, *names: str) -> None:
    """Errors: LookupError when a document has another root than these."""
    if node.tag not in names:
        raise LookupError(f"{names[0]}, got {node.tag}")


def every(node: _Element, name: str) -> list[_Element]:
    """Return all elements of a local name at any depth, the node itself included."""
    return list(node.iter(name))
