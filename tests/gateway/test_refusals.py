"""Purchases on a server after something went wrong: the cause mended, the same line goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.connections import accounts
from shipcli.features.connections import service as connections
from shipcli.features.orders.service import create_order
from shipcli.models import ConnectionPatch, OrderData, json
from tests.api.conftest import body
from tests.gateway.conftest import Line, Served
from tests.gateway.samples import HERE, SHIPMENTS, THERE, bought, table

PARIS = ["Dock", "1 Rue de Rivoli", "Paris", "", "75001", "FR"]
LYON = ["Ana", "2 Rue de Lyon", "Lyon", "", "69001", "FR"]
LINE = {"title": "Cup", "sku": "CUP", "quantity": 1, "weight": 1, "weight_unit": "KG"}


@contextmanager
def upset(served: Served, carrier_id: str) -> Iterator[None]:
    """A carrier has no time for anybody while the block runs."""
    (one,) = accounts.choose(served.app, "shipping", carrier_ids=[carrier_id])
    for scenario in ("rate_limited", None):
        patch = ConnectionPatch(config={"sandbox_scenario": scenario})
        connections.update_connection(served.app, one.id, patch)
        if scenario:
            yield


def rows(path: Path, reference: str, carrier: str, ends: tuple[list[str], list[str]]) -> str:
    return table(path, SHIPMENTS, [[*ends[0], *ends[1], "2", "KG", "", carrier, reference]])


@pytest.mark.parametrize(
    ("carrier", "ends", "reference"),
    [("colissimo", (PARIS, LYON), "SOLD-LATER"), ("ups", (HERE, THERE), "PRICED-LATER")],
)
def test_a_row_that_a_carrier_refused_is_bought_by_the_same_line(
    served: Served,
    there: Line,
    tmp_path: Path,
    carrier: str,
    ends: tuple[list[str], list[str]],
    reference: str,
) -> None:
    """The one has prices of its own and refuses the purchase, the other is not even rated."""
    line = ("import", "shipments", rows(tmp_path / "rows.csv", reference, carrier, ends),
            "--buy", "cheapest", "-y", "--json")  # fmt: skip
    with upset(served, carrier):
        for _ in range(2):
            failed = there(*line)
            assert (failed.code, failed.json["results"][0]["status"]) == (9, "failed")
    done = there(*line)
    assert (done.code, done.json["results"][0]["status"]) == (0, "purchased"), done.out
    assert len(bought(served.app, reference)) == 1


def ordered(served: Served, number: str) -> str:
    sender, recipient = (
        {"company_name": name, "person_name": name, "address_line1": street, "city": city,
         "postal_code": code, "country_code": country, "phone_number": "+33 1 42 00 00 00"}
        for name, street, city, _, code, country in (PARIS, LYON)
    )  # fmt: skip
    data = {"order_id": number, "source": "shop", "shipping_from": sender, "shipping_to": recipient,
            "line_items": [LINE]}  # fmt: skip
    return create_order(served.app, OrderData.model_validate(data)).id


def test_an_order_is_bought_with_another_carrier_when_the_first_refused(served: Served, there: Line) -> None:
    ordered(served, "OTHER-CARRIER")
    line = ("orders", "fulfil", "OTHER-CARRIER", "-y", "--json", "--carrier")
    with upset(served, "colissimo"):
        assert there(*line, "colissimo").code == 9
    done = there(*line, "generic")
    assert (done.code, [one["carrier"] for one in done.json]) == (0, ["generic"]), done.out + done.err


def test_a_day_to_arrive_by_means_the_same_on_a_server(here: Line, there: Line, tmp_path: Path) -> None:
    (tmp_path / "parcel.json").write_bytes(json.dump_bytes(body(carrier_ids=["generic"], reference=None)))
    line = ("ship", "--from-file", "parcel.json", "--by", "2099-01-05", "--dry-run")
    near, far = here(*line), there(*line)
    assert (near.code, far.code) == (0, 0), far.err
    assert far.err == near.err


def test_a_key_is_for_one_parcel_only(there: Line, tmp_path: Path) -> None:
    def ship(reference: str) -> Any:
        (tmp_path / "parcel.json").write_bytes(json.dump_bytes(body(reference=reference)))
        return there("ship", "--from-file", "parcel.json", "--cheapest", "-y", "--idempotency-key", "ONE-KEY",
                     "--pick", "tracking_number")  # fmt: skip

    first, other, again = ship("KEYED-1"), ship("KEYED-2"), ship("KEYED-1")
    assert (first.code, other.code, other.out) == (0, 5, "")
    assert again.out == first.out


@pytest.mark.parametrize("length", [36, 30])
def test_a_shipment_that_nobody_watches_yet_is_found_by_its_id_as_here(
    here: Line, there: Line, tmp_path: Path, length: int
) -> None:
    (tmp_path / "parcel.json").write_bytes(json.dump_bytes(body(carrier_ids=["generic"], reference=None)))
    bought = there("ship", "--from-file", "parcel.json", "--cheapest", "-y", "--json").json
    assert bought["tracker_id"] is None
    near, far = (way("track", bought["id"][:length]) for way in (here, there))
    assert "No active carrier connection" in near.err
    assert (far.code, far.err) == (near.code, near.err)
