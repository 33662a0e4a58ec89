"""Generated rows: every character of an address and an article is on paper, or in a message."""

from __future__ import annotations

import unicodedata
from html import unescape

from hypothesis import given, settings
from hypothesis import strategies as st

from shipcli.documents.facts import describe_item, format_party
from shipcli.models.basics.units import Units
from shipcli.models.parts.address import PostalAddress
from shipcli.models.parts.articles import find_sku
from shipcli.models.parts.parcel import Goods
from shipcli.readers.headers import READ
from shipcli.readers.mapping import MappedFile
from shipcli.readers.orders import OrderReader, OrderRow
from shipcli.readers.tables import DataFile
from tests.cli.commands.files.shop_exports import join_rows

ORDERS = READ["orders"]
ADDRESS = ("name", "company", "address1", "address2", "address3", "city")
ARTICLE = ("title", "sku", "variant")
WORDS = st.sampled_from(
    ("Ada", "Lovelace-Byron", "Straße", "12/3", "Łódź", "O'Brien", "&amp;", "&#39;s", "🎉", "👩‍💻",
     "北京市", "ул.", "شارع",
     "\x07", "\n", "<br>", ",", "№", "Warehouse", "(Gate)", "ｗｉｄｅ", "x" * 30, "Unit 9", "=1+1", "ﬁ")
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


def read_row(cells: dict[str, str]) -> OrderRow:
    """A row of a file with these cells."""
    good = {"order_id": "1", "shipping_to_country": "US", "weight": "1lb"}
    named = {ORDERS[name]: value for name, value in {**good, **cells}.items()}
    content = join_rows(",", tuple(named), tuple(named.values()))
    table = MappedFile(DataFile("own.csv", content.encode()), "orders")
    (row,) = table
    return OrderReader(ORDERS, Units()).read(row)


def simplify(text: str) -> set[str]:
    """The characters that say something."""
    plain = unicodedata.normalize("NFKC", unescape(text).replace("<br>", " "))
    return {letter for letter in plain if letter.isprintable() and not letter.isspace()} - {"'", "="}


@settings(max_examples=250, deadline=None)
@given(st.fixed_dictionaries(dict.fromkeys((*(f"shipping_to_{part}" for part in ADDRESS), *ARTICLE), TEXTS)))
def test_every_character_is_on_paper_or_in_a_message(cells: dict[str, str]) -> None:
    row = read_row(cells)
    messages = " ".join(note.reason for note in (*row.notes, *row.wrong))
    if row.wrong:
        assert row.order is None
        assert all(wrong.column in ORDERS.values() and wrong.reason for wrong in row.wrong)
        return
    assert row.order
    (item,) = row.items
    goods = Goods.model_validate(item.model_dump())
    address = PostalAddress.model_validate(row.order.shipping_to.model_dump())
    title, more = describe_item(goods)
    paper = " ".join((*format_party(address), title, *more, find_sku(goods)))
    assert simplify(" ".join(cells.values())) - simplify(paper) - simplify(messages) == set()


@settings(max_examples=100, deadline=None)
@given(st.fixed_dictionaries({f"shipping_to_{part}": TEXTS for part in ADDRESS[2:5]}))
def test_the_words_of_a_refused_address_that_have_no_room_are_named(cells: dict[str, str]) -> None:
    row = read_row(cells)
    for wrong in row.wrong:
        assert "no room for" in wrong.reason or "formula" in wrong.reason
