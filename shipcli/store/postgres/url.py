"""The URL of a store in PostgreSQL: which database, which schema, and how its connections are made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode

from shipcli.models.basics.store_url import SCHEMA, hide_password, is_quoted
from shipcli.store.errors import StoreError

MOST_CONNECTIONS = 16
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_YES, _NO = ("yes", "true", "1"), ("no", "false", "0")
_OURS = ("schema", "connections", "pooler")


@dataclass(frozen=True, slots=True)
class StoreUrl:
    """A parsed URL. `address` is what the client library reads, `shown` what people may see.

    `pooler` is for a pooler that gives each transaction another connection: nothing is kept on a connection
    then, and the user of the database has the schema as its search path. `options` are the library's own.
    """

    address: str = field(repr=False)
    shown: str
    schema: str = SCHEMA
    connections: int = MOST_CONNECTIONS
    pooler: bool = False
    options: Mapping[str, str] = field(default_factory=dict, repr=False)


def read_url(place: str) -> StoreUrl:
    """Parse the URL of a store.

    Errors: StoreError naming the part that is wrong.
    """
    shown = hide_password(place)
    if not is_quoted(place):
        quoted = "its password must be quoted: %40 for @, %2F for /, %3F for ?, %23 for #"
        raise StoreError(f"the URL of the store {shown} can't be read: {quoted}")
    head, _, query = place.partition("?")
    values = dict(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True))  # libpq reads + as it stands
    ours = {name: values.pop(name) for name in _OURS if name in values}
    address = f"{head}?{urlencode(values, quote_via=quote)}" if values else head
    schema = ours.get("schema", SCHEMA)
    if not _NAME.fullmatch(schema):
        raise StoreError(f"the schema of {shown} must be lowercase letters, digits and underscores")
    count = ours.get("connections", str(MOST_CONNECTIONS))
    if not count.isdecimal() or int(count) < 1:
        raise StoreError(f"`connections` of {shown} must be a whole number of at least 1")
    pooler = ours.get("pooler", _NO[0])
    if pooler not in (*_YES, *_NO):
        raise StoreError(f"`pooler` of {shown} must be yes or no")
    return StoreUrl(address, shown, schema, int(count), pooler in _YES, values)
