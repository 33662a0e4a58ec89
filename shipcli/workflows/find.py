"""Find shipments, orders, trackers and addresses by any words in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.admin.search import make_row, split_words
from shipcli.gateway.where import ListFilter, select_standalone
from shipcli.models.basics.barcodes import read_barcode
from shipcli.store.query import one_of, text
from shipcli.workflows.open_orders import OPEN_ORDERS

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway


def find(gateway: Gateway, words: Sequence[str]) -> Iterator[dict[str, Any]]:
    """All objects that contain every word, kind by kind, newest first; each word may be in a different field.

    Errors: Invalid if there are no words.
    """
    return _find_each(gateway, split_words([read_barcode(word) for word in words]))


def _find_each(gateway: Gateway, words: Sequence[str]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for kind, where in list_searches(words):
        for document in gateway.each(kind, where):
            if document["id"] not in seen and where.fits(document):
                seen.add(document["id"])
                yield make_row(kind, document)


def list_searches(words: Sequence[str]) -> list[tuple[str, ListFilter]]:
    """The searches to run: names, numbers and places through an index, articles in the open orders.

    A server searches for the first word; its results are then searched for the others.
    """
    first, whole = words[0], tuple(words)
    indexed = [text(word) for word in words]
    return [
        ("shipment", ListFilter({"keyword": first}, indexed, whole)),
        ("order", ListFilter({"keyword": first}, indexed, whole)),
        ("order", ListFilter({"status": list(OPEN_ORDERS)}, [one_of("status", OPEN_ORDERS)], whole)),
        ("tracker", ListFilter({"tracking_number": first}, indexed, whole)),
        ("address", select_standalone(words)),
    ]
