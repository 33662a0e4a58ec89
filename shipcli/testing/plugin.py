"""The pytest plugin `shipping_sandbox`: sandboxes of carriers as fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.testing.sandbox import SandboxServer, ShippingSandbox, open_in_process, serve_sandbox

CARRIERS = "shipping_sandbox_carriers"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings of the plugin."""
    text = "Connections of the sandbox: carriers such as ups,fedex; none; or all (the default)."
    parser.addini(CARRIERS, text, default="all")


@pytest.fixture(scope="session")
def shipping_sandbox_server(request: pytest.FixtureRequest) -> Iterator[SandboxServer]:
    """A sandbox server on a free port, one for each process of pytest."""
    with serve_sandbox(request.config.getini(CARRIERS)) as server:
        yield server


@pytest.fixture
def shipping_sandbox(shipping_sandbox_server: SandboxServer) -> Iterator[ShippingSandbox]:
    """A sandbox for this test alone: a workspace of the server."""
    with shipping_sandbox_server.open_workspace() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def _shipping_sandbox_start(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home that sandboxes in this process begin as."""
    from shipcli.bootstrap import open_app

    home = tmp_path_factory.mktemp("shipping-sandbox") / "home"
    open_app(home, sandbox=True, environ={}, carriers=request.config.getini(CARRIERS)).close()
    return home


@pytest.fixture
def shipping_sandbox_in_process(_shipping_sandbox_start: Path) -> Iterator[ShippingSandbox]:
    """A sandbox for this test alone, without a port; its client calls the API in this process."""
    with open_in_process(start=_shipping_sandbox_start) as sandbox:
        yield sandbox
