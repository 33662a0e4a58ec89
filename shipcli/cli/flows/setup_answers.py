"""The answers that options give to `shipcli setup`, read and checked before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shipcli import config as settings
from shipcli.carrier import registry
from shipcli.cli.arguments.bodies import check_body
from shipcli.cli.arguments.credentials import ask_credentials, gather_credentials
from shipcli.cli.console.list_views import format_person
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.settings_flow import check_setting
from shipcli.cli.usage_errors import Usage
from shipcli.features.admin.setup import SetupPlan, find_connection, find_shipper
from shipcli.features.book.addresses import list_problems
from shipcli.features.paper.printing.printers import Printer, check_printer
from shipcli.models import Address, AddressData, ConnectionData, Invalid

Answers = Mapping[str, Any]
SETTINGS = ("mode", "weight_unit", "size_unit")
# Of each option, the one without which it says nothing.
WITH = {
    "to": "printer", "format": "to", "carrier_id": "carrier", "credentials_file": "carrier",
    "data": "carrier", "rate_sheet": "carrier",
}  # fmt: skip
NEEDED = {"address_line1": "line1", "city": "city", "country_code": "country"}


def read_plan(answers: Answers, address: Answers) -> SetupPlan:
    """The plan that the options describe; `address` are the shipper's fields that they give.

    Errors: Usage naming a missing option; Invalid and NotFound for wrong values.
    """
    for option, other in WITH.items():
        if option in answers and other not in answers:
            raise Usage(f"{name_flag(option)} needs {name_flag(other)}")
    plan = SetupPlan(_read_settings(answers))
    return SetupPlan(
        plan.settings,
        _read_shipper(answers, address),
        _read_connection(answers, plan) if "carrier" in answers else None,
        _read_printer(answers) if "to" in answers else None,
    )


def name_flag(name: str) -> str:
    """The option of a name, as it is typed."""
    return f"--{name.replace('_', '-')}"


def _read_settings(answers: Answers) -> dict[str, Any]:
    values = {key: settings.read(key, answers[key], name_flag(key)) for key in SETTINGS if key in answers}
    if settings.SHIPPER in answers:
        values[settings.SHIPPER] = check_setting(settings.SHIPPER, answers[settings.SHIPPER])
    if settings.PRINTER in answers and "to" not in answers:
        values[settings.PRINTER] = check_setting(settings.PRINTER, answers[settings.PRINTER])
    return values


def _read_shipper(answers: Answers, address: Answers) -> AddressData | None:
    if not address:
        return None
    if settings.SHIPPER in answers:
        raise Usage("--shipper names a stored address; say that, or the fields of one")
    body = read_shipper_fields() | dict(address)
    missing = [name_flag(option) for name, option in NEEDED.items() if not body.get(name)]
    if not (body.get("person_name") or body.get("company_name")):
        missing.insert(0, "--name or --company")
    if missing:
        first, *others = [f"{option}: is required" for option in missing]
        raise Usage(first, more=others)
    return check_shipper(body)


def read_shipper_fields() -> dict[str, Any]:
    """The present default shipper, field by field; empty if there is none."""
    held = find_shipper(get_run().local_app) or {}
    return {name: held[name] for name in AddressData.model_fields if held.get(name) is not None}


def check_shipper(body: Mapping[str, Any]) -> AddressData:
    """The address, if it fits the postal rules of its country.

    Errors: Invalid naming every wrong field.
    """
    read = check_body(AddressData, body)
    problems = list_problems(Address.model_validate(read.model_dump()))
    if problems:
        raise Invalid.many(problems)
    return read


def _read_connection(answers: Answers, plan: SetupPlan) -> ConnectionData:
    slug = answers["carrier"]
    kind = registry.get(slug)
    name = answers.get("carrier_id") or slug
    held = find_connection(plan.mode_of(get_run().local_app), name)
    parts = (answers.get(option) for option in ("credentials_file", "data", "rate_sheet"))
    credentials = gather_credentials(kind, *parts)
    if held is None:
        credentials |= ask_credentials(kind, credentials)
        kind.read_credentials(credentials)
    return ConnectionData(carrier_name=slug, carrier_id=name, credentials=credentials)


def _read_printer(answers: Answers) -> Printer:
    if "format" not in answers:
        raise Usage("--format: is required for a new printer: ZPL, PDF or PNG")
    return check_printer(Printer(answers["printer"], answers["to"], answers["format"].upper()))


def describe_plan(plan: SetupPlan) -> dict[str, Any]:
    """What would be set up, part by part."""
    shown = dict(plan.settings)
    if plan.shipper:
        shown[settings.SHIPPER] = format_person(plan.shipper.model_dump())
    if plan.connection:
        shown["carrier"] = f"{plan.connection.carrier_id} ({plan.connection.carrier_name})"
    if plan.printer:
        shown[settings.PRINTER] = plan.printer.name
    return shown
