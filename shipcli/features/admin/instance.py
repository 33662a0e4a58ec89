"""The metadata of this installation: version, addresses, which features are on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from shipcli.features.admin.retention import is_on
from shipcli.features.connections.catalog import API_VERSION, list_custom_carriers, list_shared_maps
from shipcli.models import json

if TYPE_CHECKING:
    from shipcli.features.core.app import App

NAME = "shipcli"
OFF = (
    "AUDIT_LOGGING", "ALLOW_SIGNUP", "ALLOW_ADMIN_APPROVED_SIGNUP", "ALLOW_MULTI_ACCOUNT", "ADMIN_DASHBOARD",
    "MULTI_ORGANIZATIONS", "APPS_MANAGEMENT", "WORKFLOW_MANAGEMENT",
)  # fmt: skip
# What is removed after some time, and the setting that says when.
RETAINED = {
    "ORDER_DATA_RETENTION": "order_retention_days",
    "TRACKER_DATA_RETENTION": "tracker_retention_days",
    "SHIPMENT_DATA_RETENTION": "shipment_retention_days",
    "API_LOGS_DATA_RETENTION": "log_retention_days",
}
ON = ("ORDERS_MANAGEMENT", "DOCUMENTS_MANAGEMENT", "DATA_IMPORT_EXPORT", "CUSTOM_CARRIER_DEFINITION")


def describe(app: App, *, host: str) -> dict[str, Any]:
    """Return the metadata of the instance; `host` is the base URL of the request, with a trailing slash."""
    return {
        "VERSION": API_VERSION,
        "APP_NAME": NAME,
        "APP_WEBSITE": host,
        "HOST": host,
        "ADMIN": f"{host}admin",
        "GRAPHQL": f"{host}graphql",
        "OPENAPI": f"{host}openapi",
        **dict.fromkeys(ON, True),
        "PERSIST_SDK_TRACING": bool(app.config["tracing"]),
        **dict.fromkeys(OFF, False),
        **{name: is_on(app, setting) for name, setting in RETAINED.items()},
    }


def list_references(app: App, *, host: str, reduced: bool = True, signed_in: bool = False) -> dict[str, Any]:
    """Return the metadata and the reference maps; custom carriers are included for known callers only."""
    return {
        **describe(app, host=host),
        **{name: json.embed_text(text) for name, text in _write_maps(reduced).items()},
        "custom_carriers": list_custom_carriers(app) if signed_in else {},
    }


@cache
def _write_maps(reduced: bool) -> Mapping[str, bytes]:
    """Return the maps that are the same for all callers, as JSON, written once per process."""
    return {name: json.dump_bytes(value) for name, value in list_shared_maps(reduced=reduced).items()}
