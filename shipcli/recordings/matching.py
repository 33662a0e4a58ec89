"""When two requests are the same, and which ids of a recording stand for which ones now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from shipcli.models import json
from shipcli.recordings.redaction import PERSONAL_QUERIES, is_hidden, is_mail

VOLATILE = frozenset({
    "id", "created_at", "updated_at", "created_by", "request_id", "next", "previous", "test_mode",
    "shipment_date", "shipping_date",
})  # fmt: skip
SHORTEST = 5  # of a text that may be an id
_ID = re.compile(r"[a-z]{2,5}_[0-9a-zA-Z]{8,64}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*")
IDENTIFIERS = frozenset({
    "tracking_number", "shipment_identifier", "confirmation_number", "selected_rate_id", "tracker_id",
    "manifest_id", "pickup_id", "order_id", "parcel_id", "object_id",
})  # fmt: skip


def is_id(text: str) -> bool:
    """Whether a text is an id of this API, such as shp_0123456789abcdef."""
    return _ID.fullmatch(text) is not None


def may_be_id(name: str, text: str) -> bool:
    """Whether the text of a field names something that later requests may ask for."""
    return is_id(text) or (name in IDENTIFIERS and len(text) >= SHORTEST)


def is_moment(text: str) -> bool:
    """Whether a text is an instant."""
    return _MOMENT.fullmatch(text) is not None


def make_match_key(method: str, path: str, query: Iterable[Iterable[str]], body: Any) -> str:
    """What two equal requests share: secrets, persons, instants and ids of bodies do not count."""
    named = sorted(
        [name, value]
        for name, value in (tuple(pair) for pair in query)
        if not is_hidden(name) and name not in PERSONAL_QUERIES
    )
    return json.dumps([method, path.rstrip("/"), named, strip_volatile(body)], sort=True)


def strip_volatile(value: Any) -> Any:
    """A body without what changes from one run to the next."""
    if isinstance(value, Mapping):
        kept = {name: item for name, item in value.items() if not (name in VOLATILE or is_hidden(name))}
        return {name: strip_volatile(item) for name, item in kept.items() if item is not None}
    if isinstance(value, list):
        return [strip_volatile(item) for item in value]
    return "" if isinstance(value, str) and (is_moment(value) or is_mail(value)) else value


class IdMap:
    """The ids that were made in the recorded run, and what has taken their places in this one."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def learn(self, recorded: Any, present: Any, name: str = "") -> None:
        """Compare an answer of the recording with that of now, field by field."""
        if isinstance(recorded, Mapping) and isinstance(present, Mapping):
            for key in recorded.keys() & present.keys():
                self.learn(recorded[key], present[key], key)
        elif isinstance(recorded, list) and isinstance(present, list):
            for one, other in pair_items(recorded, present):
                self.learn(one, other, name)
        elif isinstance(recorded, str) and isinstance(present, str) and may_be_id(name, recorded):
            self._ids.setdefault(recorded, present)

    def translate(self, value: Any) -> Any:
        """A request with the ids of now."""
        if isinstance(value, Mapping):
            return {name: self.translate(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.translate(item) for item in value]
        if isinstance(value, str):
            return self._translate_text(value)
        return value

    def _translate_text(self, text: str) -> str:
        if text in self._ids:
            return self._ids[text]
        if text.startswith("/"):
            return "/".join(self._ids.get(step, step) for step in text.split("/"))
        return ",".join(self._ids.get(part, part) for part in text.split(",")) if "," in text else text

    def translate_path(self, path: str) -> str:
        """A path with the ids of now, quoted."""
        return "/".join(quote(self._ids.get(step, step), safe="") for step in path.split("/"))


def pair_items(recorded: list[Any], present: list[Any]) -> list[tuple[Any, Any]]:
    """The items of two lists that stand for the same: rates by their service, others by their place."""
    if not all(isinstance(item, Mapping) and item.get("service") for item in [*recorded, *present]):
        return list(zip(recorded, present, strict=False))
    offers: dict[tuple[Any, ...], Any] = {}
    for item in reversed(present):
        offers[(item.get("carrier_name"), item["service"])] = item
    pairs = [(item, offers.get((item.get("carrier_name"), item["service"]))) for item in recorded]
    return [(item, offer) for item, offer in pairs if offer is not None]
