"""A purchase whose outcome is unknown, resolved by a line through the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.features.shipments.service import create_shipment, get_shipment, purchase_shipment
from shipcli.models import OutcomeUnknown, ShipmentData, ShipmentPurchaseData
from tests.factories import body
from tests.gateway.conftest import Line, Served


def test_a_purchase_is_resolved_through_the_server(there: Line, served: Served, tmp_path: Path) -> None:
    app, file = served.app, tmp_path / "label.zpl"
    file.write_bytes(b"^XA^FO1,1^XZ")
    made = create_shipment(app, ShipmentData.model_validate(body(reference="DOUBT-1", carrier_ids=["fedex"])))
    chosen = {"selected_rate_id": made.rates[0].id, "metadata": {"sandbox_scenario": "closed"}}
    with pytest.raises(OutcomeUnknown):
        purchase_shipment(app, made.id, ShipmentPurchaseData.model_validate(chosen))
    line = ("shipments", "resolve", made.id, "--bought", "779017972697")
    assert there("shipments", "resolve", made.id, "--bought", "7790").code == 6
    assert there(*line, "--label", str(file)).code == 0
    found = get_shipment(app, made.id)
    assert (found.status, found.tracking_number, found.label_type) == ("purchased", line[-1], "ZPL")
