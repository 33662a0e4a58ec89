"""The store: one place for all documents, files and rows."""

from shipcli.store.errors import Duplicate, StoreError, StoreFull, StoreOutdated, StoreTooNew
from shipcli.store.ids import Clock, IdSource, SeededIds, SystemIds
from shipcli.store.queries import Found, ResultPage
from shipcli.store.query import (
    Filter,
    any_of,
    at_least,
    at_most,
    below,
    contains,
    differs,
    equal,
    flag,
    one_of,
    pair,
    pair_key,
    pair_value,
    since,
    starts,
    text,
    until,
)
from shipcli.store.store import Store
from shipcli.store.transaction import Transaction

__all__ = [
    "Clock",
    "Duplicate",
    "Filter",
    "Found",
    "IdSource",
    "ResultPage",
    "SeededIds",
    "Store",
    "StoreError",
    "StoreFull",
    "StoreOutdated",
    "StoreTooNew",
    "SystemIds",
    "Transaction",
    "any_of",
    "at_least",
    "at_most",
    "below",
    "contains",
    "differs",
    "equal",
    "flag",
    "one_of",
    "pair",
    "pair_key",
    "pair_value",
    "since",
    "starts",
    "text",
    "until",
]
