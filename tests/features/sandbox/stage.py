"""One sandbox for a whole matrix: every carrier, a clock that stands still, drafts that carriers can sell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.carrier.simulation.scenarios import Scenario, list_scenarios
from shipcli.features.core.app import App
from shipcli.features.sandbox.scenario_matrix import list_carriers
from shipcli.features.shipments import service as shipments
from shipcli.models import Refused, Shipment, ShipmentData, ShipmentPurchaseData
from tests.carriers.bench import AnyCarrier, Bench, lane, parcel
from tests.homes import copy_sandbox

WEDNESDAY = datetime(2031, 5, 7, 14, 30, tzinfo=UTC)


def open_stage(clock: Callable[[], datetime] = lambda: WEDNESDAY, **settings: Any) -> App:
    """A sandbox in test mode, whose clock stands still unless another is given."""
    home = copy_sandbox(Path(mkdtemp(prefix="shipcli-stage-")) / "home")
    flags = {"tracing": False, **settings}
    return open_app(home, sandbox=True, test_mode=True, environ={}, clock=clock, flags=flags)


def list_cells(*names: str, kind: str = "") -> list[tuple[str, str]]:
    """Scenario and carrier of every cell of the matrix, of some scenarios or of a kind."""
    rows = list_scenarios().values()
    return [
        (row.name, slug)
        for row in rows
        if row.name in names or row.kind == kind
        for slug in list_carriers(row)
    ]


def scenario(name: str) -> Scenario:
    return list_scenarios()[name]


@cache
def _plain_body(slug: str, count: int) -> Mapping[str, Any]:
    """What the carrier's own tests send."""
    kind: AnyCarrier = registry.get(slug)
    bench = Bench(kind, lane(kind))
    try:
        return bench.shipment(*(parcel() for _ in range(count)))
    finally:
        bench.close()


def body(
    slug: str, count: int = 1, *, line: str | None = None, weight: Any = None, **changes: Any
) -> ShipmentData:
    """A shipment that a carrier sells: of some parcels, to a magic address, of a magic weight."""
    plain = _plain_body(slug, count)
    recipient = _drop_empty(plain["recipient"].model_dump())
    parcels = [_drop_empty(one.model_dump()) for one in plain["parcels"]]
    if line:
        recipient["address_line1"] = line
    if weight:
        parcels = [{**one, "weight": weight} for one in parcels]
    if reference := changes.pop("reference_number", None):
        parcels[0]["reference_number"] = reference
    values = {
        "shipper": _drop_empty(plain["shipper"].model_dump()),
        "recipient": recipient,
        "parcels": parcels,
        "options": {"shipment_date": f"{WEDNESDAY:%Y-%m-%d}"},
        "carrier_ids": [slug],
    }
    if plain["customs"]:
        values["customs"] = plain["customs"]
    return ShipmentData.model_validate({**values, **changes})


def _drop_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _drop_empty(item) for key, item in value.items() if item not in (None, "", [], {})}
    return [_drop_empty(item) for item in value] if isinstance(value, list) else value


def buy(app: App, draft: Shipment) -> Shipment:
    """The draft, bought at its first rate."""
    chosen = ShipmentPurchaseData(selected_rate_id=draft.rates[0].id)
    return shipments.purchase_shipment(app, draft.id, chosen)


def live_numbers(app: App, slug: str) -> Sequence[str]:
    """The labels that a carrier would bill."""
    rows = app.ledger.everything("label")
    return [number for owner, _, number, record in rows if owner == slug and not record["voided_at"]]


def text_of(refusal: Refused) -> str:
    return "; ".join(str(message.message) for message in refusal.messages)
