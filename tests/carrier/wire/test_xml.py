"""XML in and out: local names in, the right names out, and no tricks of a document let in."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.wire import xml

BOMB = """<?xml version="1.0"?>
<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]>
<a>&y;</a>"""
FILE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'


def text(tag: str, value: Any, **names: Any) -> str:
    return xml.text(xml.element(tag, value, **names))


# -- reading ---------------------------------------------------------------------------------------


def test_names_are_read_without_their_namespaces() -> None:
    root = xml.parse('<s:a xmlns:s="urn:1"><b xmlns="urn:2"><s:c>1</s:c></b></s:a>')
    assert xml.find(root, "b/c") == "1"


@pytest.mark.parametrize("document", [BOMB, FILE, '<!DOCTYPE a SYSTEM "http://example.com/a.dtd"><a/>'])
def test_a_document_type_is_refused(document: str) -> None:
    with pytest.raises(ValueError, match="document type"):
        xml.parse(document)


@pytest.mark.parametrize("document", ["", "   ", "<a>", "no xml", b"\xff\xfe\x00", '{"a": 1}'])
def test_what_is_no_xml_is_a_value_error(document: str | bytes) -> None:
    with pytest.raises(ValueError, match="not XML"):
        xml.parse(document)


def test_the_five_entities_and_numbers_are_read() -> None:
    assert xml.parse("<a>&lt;&amp;&gt;&quot;&apos;&#233;&#x4e2d;</a>").text == "<&>\"'é中"


def test_bytes_are_read_in_the_encoding_they_declare() -> None:
    assert xml.parse('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'.encode("latin-1")).text == "é"


@pytest.mark.parametrize("declared", ["ISO-8859-1", "utf-16", "UTF-8"])
def test_a_text_is_read_as_it_is_whatever_it_declares(declared: str) -> None:
    assert xml.parse(f'\n <?xml version="1.0" encoding="{declared}"?>\n<a>é</a>').text == "é"


def test_blanks_around_a_document_do_not_matter() -> None:
    assert xml.parse(b"\r\n  <a>1</a>\n").text == xml.parse("\r\n  <a>1</a>\n").text == "1"


def test_comments_and_instructions_are_left_out() -> None:
    assert len(xml.parse("<a><!-- c --><?p i?><b/></a>")) == 1


def test_a_missing_and_an_empty_element_read_alike() -> None:
    root = xml.parse("<a><b> </b><c/><d> x </d></a>")
    assert [xml.find(root, name) for name in "bcde"] == [None, None, "x", None]
    assert xml.find(root, "b", "none") == "none"


def test_every_finds_at_any_depth_in_order() -> None:
    root = xml.parse("<m><m>1</m><x><m>2</m></x></m>")
    assert [node.text for node in xml.every(root, "m")] == [None, "1", "2"]


def test_what_an_answer_has_to_hold_is_named_when_it_is_missing() -> None:
    root = xml.parse("<a><b><c> x </c><d/></b></a>")
    assert xml.require(xml.first(root, "b"), "c") == "x"
    for ask in (
        lambda: xml.require(root, "b/d"),
        lambda: xml.first(root, "e"),
        lambda: xml.check_root(root, "e", "f"),
    ):
        with pytest.raises(LookupError, match="[def]"):
            ask()
    xml.check_root(root, "e", "a")


def test_several_texts_are_read_under_names_of_ours() -> None:
    root = xml.parse("<a><b><c> x </c></b></a>")
    assert xml.find_texts(root, {"one": "b/c", "two": "b/d"}) == {"one": "x", "two": None}


# -- writing ---------------------------------------------------------------------------------------


def test_dicts_become_elements_in_their_order() -> None:
    assert (
        text("a", {"b": 1, "c": {"d": "x"}, "e": ["1", "2"]})
        == "<a><b>1</b><c><d>x</d></c><e>1</e><e>2</e></a>"
    )


def test_none_is_left_out_and_empty_is_an_empty_element() -> None:
    assert text("a", {"b": None, "c": "", "d": {}, "e": [], "f": [None]}) == "<a><c/><d/></a>"


def test_a_dict_of_nothing_but_none_is_left_out() -> None:
    assert (
        text("a", {"b": {"c": None, "d": None}, "e": {}, "f": {"c": None, "d": 0}})
        == "<a><e/><f><d>0</d></f></a>"
    )


def test_attributes_and_text_stand_in_one_element() -> None:
    assert text("a", {"@id": 7, "#text": "x", "@gone": None}) == '<a id="7">x</a>'


@pytest.mark.parametrize(
    ("value", "written"),
    [(True, "true"), (False, "false"), (Decimal("10.50"), "10.5"), (Decimal("1E+2"), "100"), (0.1, "0.1"),
     (3, "3"), (0, "0"), (date(2025, 3, 3), "2025-03-03"), ("<&>", "&lt;&amp;&gt;"), ("a\x00b\x1f", "ab")],
)  # fmt: skip
def test_values_are_written_in_their_xml_form(value: Any, written: str) -> None:
    assert text("a", {"b": value}) == f"<a><b>{written}</b></a>"


def test_a_default_namespace_is_inherited() -> None:
    root = xml.element("a", {"b": {"c": 1}}, namespace="urn:1")
    assert [node.tag for node in root.iter()] == ["{urn:1}a", "{urn:1}b", "{urn:1}c"]


def test_a_declared_prefix_is_kept_and_inherited_by_its_children() -> None:
    root = xml.element("a", {"@xmlns:p": "urn:p", "p:b": {"c": 1}, "d": 2}, namespace="urn:1")
    assert [node.tag for node in root.iter()] == ["{urn:1}a", "{urn:p}b", "{urn:p}c", "{urn:1}d"]
    assert "<p:b>" in xml.text(root)


def test_a_document_may_have_members_of_no_namespace() -> None:
    written = xml.text(xml.document("Ask", {"@version": "1", "a": {"b": 2}}, "urn:1", "p", "ask.xsd"))
    assert '<p:Ask xmlns:p="urn:1"' in written
    assert 'xsi:schemaLocation="urn:1 ask.xsd" version="1"><a><b>2</b></a></p:Ask>' in written


def test_an_attribute_may_have_a_prefix() -> None:
    written = text("a", {"@xmlns:xsi": "urn:xsi", "b": {"@xsi:type": "t"}})
    assert written == '<a xmlns:xsi="urn:xsi"><b xsi:type="t"/></a>'


def test_an_element_stands_in_for_a_value() -> None:
    assert text("a", {"x": [xml.element("b", 1), xml.element("c", 2)]}) == "<a><b>1</b><c>2</c></a>"


def test_an_envelope_holds_header_and_body() -> None:
    tree = xml.envelope(xml.element("ask", {"n": 1}), xml.element("who", "ann"))
    root = xml.parse(xml.render(tree))
    assert (root.tag, xml.find(root, "Header/who"), xml.find(root, "Body/ask/n")) == ("Envelope", "ann", "1")


def test_what_is_written_reads_back() -> None:
    value = {"b": "Zoë & Søn <中>", "c": "  kept\ninside  "}
    root = xml.parse(xml.render(xml.element("a", value)))
    assert [node.text for node in root] == list(value.values())


def test_a_document_is_rendered_with_its_declaration() -> None:
    assert xml.render(xml.element("a", "é")).startswith(b"<?xml version='1.0' encoding='UTF-8'?>")
    assert xml.render("<a>é</a>") == "<a>é</a>".encode()
