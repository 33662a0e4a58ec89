"""Operations are found by their use-case; both gateways give what it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.shipments.service import create_shipment
from shipcli.gateway.local import LocalGateway
from shipcli.gateway.naming import LISTERS
from shipcli.models import Shipment, ShipmentData
from shipcli.models.basics.errors import IdempotencyConflict
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.steps import NAMED
from shipcli.operations.table import SERVED
from tests.api.conftest import body


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[LocalGateway]:
    app = open_app(tmp_path, sandbox=True, environ={})
    yield LocalGateway(app)
    app.close()


def wanted(reference: str) -> ShipmentData:
    return ShipmentData.model_validate(body(reference=reference))


def test_no_two_operations_share_a_use_case() -> None:
    shared = Counter(row.use for row in (*SERVED, *CONTROL))
    assert [use.__name__ for use, count in shared.items() if count > 1] == []


def test_words_are_found_of_every_kind_that_a_server_lists() -> None:
    assert set(NAMED) == set(LISTERS)


@pytest.mark.parametrize("key", ["bench-1", "auto"])
def test_an_operation_is_done_once_for_a_key_and_its_answer_is_read_again(
    gateway: LocalGateway, key: str
) -> None:
    made, again = (gateway.ask_once(key, create_shipment, wanted("ONCE-1")) for _ in range(2))
    assert isinstance(again, Shipment)
    assert (again.id, len(again.rates)) == (made.id, len(made.rates))
    assert gateway.ask_once(None, create_shipment, wanted("ONCE-1")).id != made.id


def test_a_key_serves_one_request_only(gateway: LocalGateway) -> None:
    gateway.ask_once("bench-2", create_shipment, wanted("ONCE-2"))
    with pytest.raises(IdempotencyConflict):
        gateway.ask_once("bench-2", create_shipment, wanted("ONCE-3"))
