"""An assistant buys on a server; what it spent is counted in the store of this machine."""

from __future__ import annotations

import pytest

from shipcli.assistants.daily_budget import DailyBudget
from shipcli.assistants.purchases import Purchases, read_order
from shipcli.features.core.app import App
from shipcli.features.sandbox.ledger_rows import list_ledger_rows
from shipcli.gateway.client import RemoteServer
from shipcli.gateway.http import HttpGateway
from shipcli.gateway.remote_versions import VERSIONS
from shipcli.models import LimitReached
from shipcli.testing import serve_sandbox
from tests.assistants.conftest import SHIPMENT


def test_a_label_is_bought_once_on_a_server_within_the_limit_here(app: App) -> None:
    with serve_sandbox("ups") as sandbox:
        server = RemoteServer(sandbox.url, sandbox.api_key)
        gateway = HttpGateway(server, VERSIONS, app.config, lambda: app)
        try:
            purchases = Purchases(gateway, DailyBudget(app, "20USD", sandbox.url))
            quote = purchases.quote(read_order({"shipment": SHIPMENT}))
            bought = [purchases.buy(quote["confirmation"]) for _ in range(2)]
            with pytest.raises(LimitReached):
                purchases.quote(read_order({"shipment": SHIPMENT}))
            assert bought[0].id == bought[1].id
            assert len(gateway.ask(list_ledger_rows)) == 1
        finally:
            gateway.close()
    assert list_ledger_rows(app) == []
