"""Sandboxes for the tests of programs that ship: what the pytest plugin hands out, also without pytest.

`shipping_sandbox` is the fixture; see docs/sandbox.md.
"""

from shipcli.testing.sandbox import (
    SandboxFailure,
    SandboxServer,
    ShippingSandbox,
    make_shipment_body,
    open_in_process,
    serve_sandbox,
)

__all__ = [
    "SandboxFailure",
    "SandboxServer",
    "ShippingSandbox",
    "make_shipment_body",
    "open_in_process",
    "serve_sandbox",
]
