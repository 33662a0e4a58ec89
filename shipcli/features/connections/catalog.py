"""The carriers, what they offer, and the reference maps, all read from the carriers' own catalogues.

A rate sheet in a file says what an account offers instead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.carrier.index import CarrierFacts
from shipcli.carrier.sheet_rows import read_sheet
from shipcli.features.connections.accounts import list_accounts
from shipcli.models import CarrierDetails, NotFound, reference
from shipcli.models.basics.text import find_nearest

if TYPE_CHECKING:
    from pathlib import Path

    from shipcli.carrier.registry import AnyCarrier
    from shipcli.features.core.app import App

API_VERSION = "2024.12.6"
HIDDEN_WHEN_REDUCED = ("weight_units", "dimension_units")

PACKAGING: Mapping[str, str] = {
    "envelope": "Small Envelope",
    "pak": "Pak",
    "tube": "Tube",
    "pallet": "Pallet",
    "small_box": "Small Box",
    "medium_box": "Medium Box",
    "your_packaging": "Your Packaging",
}

UNIVERSAL_OPTIONS: Mapping[str, tuple[str, str]] = {
    "currency": ("currency", "string"),
    "is_return": ("is_return", "boolean"),
    "insurance": ("insurance", "float"),
    "cash_on_delivery": ("COD", "float"),
    "shipment_note": ("shipment_note", "string"),
    "dangerous_good": ("dangerous_good", "boolean"),
    "declared_value": ("declared_value", "float"),
    "paperless_trade": ("paperless_trade", "boolean"),
    "sms_notification": ("sms_notification", "boolean"),
    "email_notification": ("email_notification", "boolean"),
    "email_notification_to": ("email_notification_to", "string"),
    "signature_confirmation": ("signature_confirmation", "boolean"),
    "saturday_delivery": ("saturday_delivery", "boolean"),
    "sunday_delivery": ("sunday_delivery", "boolean"),
    "doc_files": ("doc_files", "object"),
    "doc_references": ("doc_references", "object"),
    "hold_at_location": ("hold_at_location", "boolean"),
    "hold_at_location_address": ("hold_at_location_address", "Address"),
    "shipment_date": ("shipment_date", "string"),
    "shipping_date": ("shipping_date", "string"),
}


def make_details(facts: CarrierFacts) -> CarrierDetails:
    return CarrierDetails(
        carrier_name=facts.slug,
        display_name=facts.name,
        capabilities=facts.capabilities,
        connection_fields=facts.connection_fields,
        config_fields=facts.config_fields,
        integration_status=facts.integration_status,
        held_against=facts.held_against or None,
        held_on=facts.held_on,
    )


def list_carriers(app: App) -> list[CarrierDetails]:
    """Return all carriers that can be loaded."""
    return [make_details(facts) for facts in registry.list_facts()]


def get_carrier(app: App, slug: str) -> CarrierDetails:
    """Errors: NotFound, suggesting the nearest name."""
    return make_details(registry.get_facts(slug))


def find_facts(slug: str) -> CarrierFacts | None:
    """Return the facts of a carrier, or None if it is not installed."""
    return registry.get_facts(slug) if slug in registry.list_slugs() else None


def find_moving_carrier(carrier_name: str | None, meta: Mapping[str, Any] | None) -> str:
    """Return the carrier that moves a shipment: the one behind a hub, if it is one of ours."""
    provider = str((meta or {}).get("rate_provider") or "").lower()
    return provider if find_facts(provider) else str(carrier_name)


def list_secret_fields(slug: str) -> Collection[str]:
    """Return the names of a carrier's secret credentials; empty if it is not installed."""
    facts = find_facts(slug)
    return facts.secret_fields if facts else ()


def explain_credentials(slug: str) -> dict[str, str]:
    """Return where people find each credential of a carrier; empty if it is not installed."""
    if slug not in registry.list_slugs():
        return {}
    kind = registry.get(slug)
    return {field: kind.explain_credential(field) for field in kind.connection_fields()}


def get_services(app: App, slug: str) -> dict[str, str | None]:
    """Return carrier codes by service slug; empty for a carrier whose services the references leave out.

    Errors: NotFound.
    """
    return list_published_services(registry.get(slug))


def list_published_services(kind: AnyCarrier) -> dict[str, str | None]:
    """Return the services of a carrier that are in the references."""
    return kind.services.codes() if kind.references_services else {}


def list_known_services(slug: str) -> dict[str, str | None]:
    """Return the services of a carrier, in the references or not; empty if it is not installed."""
    return registry.get(slug).services.codes() if slug in registry.list_slugs() else {}


def get_options(app: App, slug: str) -> dict[str, dict[str, str]]:
    """Return code and type of value by option slug, as in the references.

    Errors: NotFound.
    """
    return list_published_options(registry.get(slug))


def list_published_options(kind: AnyCarrier) -> dict[str, dict[str, str]]:
    """Return the options of a carrier that are in the references."""
    rows = {row.slug for row in kind.options if row.listed} if kind.references_options else set()
    return {slug: option for slug, option in list_options(kind).items() if slug in rows}


def list_known_options(slug: str) -> dict[str, dict[str, str]]:
    """Return the options of a carrier, in the references or not; empty if it is not installed."""
    return list_options(registry.get(slug)) if slug in registry.list_slugs() else {}


def list_options(kind: AnyCarrier) -> dict[str, dict[str, str]]:
    return {row.slug: {"code": row.code, "type": row.type_name} for row in kind.options}


def get_presets(app: App, slug: str) -> dict[str, dict[str, Any]]:
    """Return the package presets of a carrier with their sizes, in the references or not.

    Errors: NotFound, suggesting the nearest name.
    """
    return registry.get_facts(slug).presets


def list_references(app: App, *, reduced: bool = True) -> dict[str, Any]:
    """Return the reference maps; `reduced` leaves out only the units, as the contract requires the rest."""
    return {**list_shared_maps(reduced=reduced), "custom_carriers": list_custom_carriers(app)}


def list_shared_maps(*, reduced: bool) -> dict[str, Any]:
    """Return the reference maps that come from the carriers' code alone, the same for all callers."""
    hidden = HIDDEN_WHEN_REDUCED if reduced else ()
    return {name: value for name, value in _make_maps().items() if name not in hidden}


def get_reference(app: App, name: str) -> Any:
    """Return one reference map.

    Errors: NotFound, suggesting the nearest name.
    """
    return find_map(list_references(app, reduced=False), name)


def find_map(maps: Mapping[str, Any], name: str) -> Any:
    """Return one of these maps, by name.

    Errors: NotFound, suggesting the nearest name.
    """
    if name not in maps:
        near = find_nearest(name, maps)
        hint = f" Did you mean {near}?" if near else f" Known: {', '.join(maps)}."
        raise NotFound("reference", name, message=f"There is no reference map {name!r}.{hint}")
    return maps[name]


def list_custom_carriers(app: App) -> dict[str, str]:
    """Return the custom carriers of the mode: name to display name."""
    accounts = (account for account in list_accounts(app) if account.shown_name != account.slug)
    return {account.shown_name: account.connection["display_name"] for account in accounts}


def name_carrier(app: App, slug: str) -> str:
    """The name of a carrier for people; that of your own is said by its connection."""
    facts = find_facts(slug)
    return facts.name if facts else list_custom_carriers(app).get(slug, slug)


@cache
def _make_maps() -> dict[str, Any]:
    kinds = registry.list_working()
    services = {kind.slug: published for kind in kinds if (published := list_published_services(kind))}
    universal = {name: {"code": code, "type": kind} for name, (code, kind) in UNIVERSAL_OPTIONS.items()}
    options = {"universal": universal} | {
        kind.slug: published_options for kind in kinds if (published_options := list_published_options(kind))
    }
    return {
        "ADDRESS_AUTO_COMPLETE": {"is_enabled": False},
        **list_reference_maps(),
        "carriers": {kind.slug: kind.name for kind in kinds},
        "carrier_hubs": {kind.slug: kind.name for kind in kinds if kind.hub},
        "services": services,
        "service_names": {kind.slug: kind.services.names() for kind in kinds if kind.slug in services},
        "options": options,
        "option_names": {
            owner: {name: name.replace("_", " ").upper() for name in rows} for owner, rows in options.items()
        },
        "connection_fields": {kind.slug: kind.connection_fields() for kind in kinds},
        "connection_configs": {kind.slug: fields for kind in kinds if (fields := kind.config_fields())},
        "carrier_capabilities": {kind.slug: kind.capabilities() for kind in kinds},
        "packaging_types": {"universal": {name: PACKAGING[name] for name in reference.list_packaging_types()}}
        | {
            kind.slug: {row.slug: row.code for row in kind.packaging}
            for kind in kinds
            if kind.references_packaging and len(kind.packaging)
        },
        "package_presets": {
            kind.slug: {row.slug: row.to_dict() for row in kind.presets}
            for kind in kinds
            if kind.references_presets and len(kind.presets)
        },
        "service_levels": {kind.slug: levels for kind in kinds if (levels := list_service_levels(kind))},
        "integration_status": {kind.slug: kind.integration_status for kind in kinds},
    }


def list_service_levels(kind: AnyCarrier) -> list[dict[str, Any]]:
    """Return the ready-made rate sheet of a carrier; empty if the references have none."""
    return [level.model_dump() for level in kind.service_levels] if kind.references_levels else []


def list_reference_maps() -> dict[str, Any]:
    """Return the maps that belong to no carrier."""
    return {
        "countries": reference.list_countries(),
        "currencies": reference.list_currencies(),
        "weight_units": reference.list_weight_units(),
        "dimension_units": reference.list_dimension_units(),
        "states": reference.list_states(),
        "payment_types": reference.list_payment_types(),
        "customs_content_type": reference.list_content_types(),
        "incoterms": reference.list_incoterms(),
    }


def read_rate_sheet(path: Path) -> list[dict[str, Any]]:
    """Return the services in a CSV file or a spreadsheet, as a connection stores them.

    Errors: NotFound if there is no such file; Invalid listing every wrong cell.
    """
    from shipcli.readers.tables import DataFile

    return [level.model_dump() for level in read_sheet([row.cells for row in DataFile.open(path)])]
