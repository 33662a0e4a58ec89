"""What DPD Global is told of people."""

from __future__ import annotations

from typing import Any

import pytest
from shipcli.carriers.dpd_meta import DpdMeta

from shipcli.models import Address
from tests.carriers.bench import Bench, said
from tests.carriers.tap import Tap


def order(**recipient: Any) -> tuple[Any, str]:
    """The recipient of an order that goes out, and what is said of it."""
    bench = Bench(DpdMeta, ("DE", "DE"))
    tap, request = Tap(bench), bench.request()
    there = Address.model_validate({**request.recipient.model_dump(), **recipient})
    outcome = bench.ask("ship", request.model_copy(update={"recipient": there}))
    bench.close()
    bodies = [body for sent in tap.sent if "/shipment?" in sent.url for body in sent.json]
    return (bodies[0]["receiver"] if bodies else None), str(said(outcome))


@pytest.mark.parametrize("name", ["person_name", "company_name"])
def test_a_name_in_another_alphabet_alone_is_refused_by_its_field(name: str) -> None:
    sent, text = order(**{name: "Петров"})
    assert (sent, f"recipient.{name}" in text) == (None, True)
    assert order(**{name: "Петров (Petrov)"})[0]


def test_an_email_address_goes_out_whole_or_not_at_all() -> None:
    whole, long = "bo@example.com", f"{'bo' * 50}@example.com"
    assert [order(email=email)[0]["contact"].get("email") for email in (whole, long)] == [whole, None]
