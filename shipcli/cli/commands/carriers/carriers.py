"""`shipcli carriers`.

As JSON the answers are the API's own. For people, and line by line, what this program knows of the carrier
stands beside them: all its operations, how many services it has, what is known of its API.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.cli.arguments.selectors import CarrierName
from shipcli.cli.console.cells import show_cell
from shipcli.cli.console.list_views import VIEWS, ListColumn, make_words_view
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.tables import measure_terminal
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.connections import catalog

if TYPE_CHECKING:
    from shipcli.carrier.index import CarrierFacts
    from shipcli.models import CarrierDetails

verb = Verbs()
COLUMNS = ("carrier_name", "display_name", "operations", "api", "services", "held_on", "held_against")
FIELD_COLUMNS = ("name", "type", "required", "default", "enum", "secret", "of", "where")
PRESET_COLUMNS = ("preset", "length", "width", "height", "dimension_unit", "weight", "weight_unit")
Row = dict[str, Any]

SHORT = {"rating": "rate", "shipping": "ship", "tracking": "track", "paperless": "document"}


@verb("list")
def list_all() -> None:
    """List the carriers.

    Examples:
    shipcli carriers list
    shipcli carriers list --json=carrier_name,operations
    """
    carriers, options = ask(catalog.list_carriers), get_run().options
    names_fields = options.format == "json" and options.expression  # those of the table as well
    is_whole = _is_for_programs() and not names_fields
    show_list(
        carriers if is_whole else [_summarise_carrier(carrier) for carrier in carriers],
        COLUMNS,
        view=VIEWS["carrier"],
    )


@verb
def get(carrier: CarrierName) -> None:
    """Show what a carrier offers and what a connection to it needs.

    Examples:
    shipcli carriers get ups
    shipcli carriers get ups --json=capabilities,connection_fields
    """
    details = ask(catalog.get_carrier, carrier)
    show(details if _is_for_programs() else _describe_carrier(details))


@verb
def services(carrier: CarrierName) -> None:
    """List the services of a carrier.

    Examples:
    shipcli carriers services ups
    shipcli carriers services usps --csv
    """
    _show_map(
        ask(catalog.get_services, carrier) or catalog.list_known_services(carrier), "service", ("code",)
    )


@verb
def options(carrier: CarrierName) -> None:
    """List the shipping options of a carrier.

    Examples:
    shipcli carriers options ups
    shipcli carriers options fedex --columns option,type
    """
    _show_map(
        ask(catalog.get_options, carrier) or catalog.list_known_options(carrier), "option", ("code", "type")
    )


@verb
def presets(carrier: CarrierName) -> None:
    """List the boxes of a carrier with their sizes.

    Examples:
    shipcli carriers presets usps
    shipcli carriers presets usps --json
    """
    _show_map(ask(catalog.get_presets, carrier), "preset", PRESET_COLUMNS[1:], view=VIEWS["preset"])


@verb
def fields(carrier: CarrierName) -> None:
    """List the fields of a connection, and where to find their values.

    Examples:
    shipcli carriers fields ups
    shipcli carriers fields ups --columns name,required,where
    """
    details = ask(catalog.get_carrier, carrier).model_dump()
    where = catalog.explain_credentials(carrier)
    secret = catalog.list_secret_fields(carrier)
    rows = [
        {
            **row,
            "secret": row["name"] in secret,
            "of": "credentials",
            "where": where.get(row["name"]),
        }
        for row in details["connection_fields"].values()
    ]
    rows += [{**row, "secret": False, "of": "config"} for row in details["config_fields"].values()]
    show_list(rows, FIELD_COLUMNS, view=VIEWS["connection field"])


def _is_for_programs() -> bool:
    """Whether a program reads the answer as a whole."""
    return get_run().options.format in ("json", "yaml", "pick", "jq")


def _summarise_carrier(details: CarrierDetails) -> Row:
    """A carrier in a line."""
    facts, row = catalog.find_facts(details.carrier_name), details.model_dump()
    row["operations"] = [SHORT.get(capability, capability) for capability in details.capabilities]
    return {**row, "api": facts.api_state, "services": facts.service_count} if facts else row


def _describe_carrier(details: CarrierDetails) -> Row:
    """A carrier in full."""
    facts, secret = catalog.find_facts(details.carrier_name), catalog.list_secret_fields(details.carrier_name)
    fields = {
        "credentials": {
            name: _describe_field(field, secret=name in secret)
            for name, field in details.connection_fields.items()
        },
        "config": {name: _describe_field(field) for name, field in details.config_fields.items()},
    }
    return {
        **{name: getattr(details, name) for name in ("carrier_name", "display_name", "integration_status")},
        **(_show_facts(facts) if facts else {"operations": details.capabilities}),
        **_show_held(details),
        **{of: rows for of, rows in fields.items() if rows},
    }


def _show_held(details: CarrierDetails) -> Row:
    """The published documents that a carrier was compared with, and when."""
    return {"held_against": details.held_against, "held_on": details.held_on} if details.held_on else {}


def _show_facts(facts: CarrierFacts) -> Row:
    since = f" since {facts.api_since}" if facts.api_since else ""
    successor = f"; its successor is {facts.successor}" if facts.successor else ""
    return {
        "operations": facts.operations,
        "services": facts.service_count,
        "api": f"{facts.api_state}{since}{successor}",
        "label_formats": facts.label_formats,
        "recovers_purchases": facts.recovers,
        "tracking_link": facts.tracking_link,
    }


def _describe_field(field: Mapping[str, Any], *, secret: bool = False) -> str:
    """What a field takes: `string, required, secret`, `string, default en`, `string: PDF_4x6, ZPL_4x6`."""
    default = field.get("default")
    words = [
        field["type"],
        *["required"] * bool(field["required"]),
        *["secret"] * secret,
        *[f"default {show_cell(default)}"] * (default not in (None, [], {})),
    ]
    choices = field.get("enum") or ()
    return ", ".join(words) + (f": {', '.join(map(str, choices))}" if choices else "")


def _show_map(
    entries: Mapping[str, Any], title: str, columns: tuple[str, ...], view: Sequence[ListColumn] = ()
) -> None:
    """A map as the API gives it, or as rows where it is read by people and line by line."""
    if _is_for_programs():
        show(entries)
        return
    rows = [
        {title: name, **(value if isinstance(value, dict) else {"code": value})}
        for name, value in entries.items()
    ]
    longest = max(map(len, entries), default=0)
    show_list(rows, (title, *columns), view=view or make_words_view(title, longest, measure_terminal()))
