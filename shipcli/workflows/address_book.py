"""The address book of a store or a server: duplicates found, and merged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shipcli.config import SHIPPER
from shipcli.features.book.addresses import discard_address, update_address
from shipcli.features.book.duplicates import Pair, pair_duplicates
from shipcli.features.book.nicknames import list_nicknames, save_nickname
from shipcli.features.files.data_templates import list_constants
from shipcli.gateway.where import select_standalone
from shipcli.models import AddressPatch

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.gateway.gateway import Gateway


def find_duplicates(gateway: Gateway, app: App) -> Iterator[Pair]:
    """The addresses that are stored more than once; the shipper stays, one with a nickname, or the oldest.

    Shapes: `app` is this machine's, which keeps the nicknames.
    """
    named = [address_id for _, address_id in list_nicknames(app)]
    in_use = list_constants(app, ("shipper_id", "recipient_id"))
    preferred = [gateway.config[SHIPPER], *named, *in_use]
    return pair_duplicates(gateway.each("address", select_standalone()), preferred, in_use)


def merge_pair(gateway: Gateway, app: App, pair: Pair) -> None:
    """Give an address what only its duplicate says, with its nicknames, and delete the duplicate.

    In this order, so that a run that ends in between loses nothing and can be repeated.
    """
    kept, other = str(pair.kept["id"]), str(pair.other["id"])
    if pair.changes:
        gateway.ask(update_address, kept, AddressPatch.model_validate(pair.changes))
    for nickname, address_id in list_nicknames(app):
        if address_id == other:
            save_nickname(app, nickname, kept)
    gateway.ask(discard_address, other)
