"""The questions of `shipcli setup` at a terminal; an empty answer keeps the present value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from shipcli import config as settings
from shipcli.carrier import registry
from shipcli.carrier.fields import COUNTRY
from shipcli.cli.arguments.credentials import ask_credentials
from shipcli.cli.console.list_views import format_address
from shipcli.cli.console.progress import show_progress
from shipcli.cli.console.prompts import BACK, StepBack, allow_steps_back, ask
from shipcli.cli.console.stderr import note, write
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.settings_flow import check_setting
from shipcli.cli.flows.setup_answers import check_shipper, describe_plan, read_shipper_fields
from shipcli.cli.usage_errors import Declined
from shipcli.features.admin.setup import SetupPlan, find_connection
from shipcli.features.connections.catalog import read_rate_sheet
from shipcli.features.connections.service import try_connection
from shipcli.features.paper.printing import spooled_documents
from shipcli.features.paper.printing.printers import FORMATS, Printer, check_printer, list_printers
from shipcli.features.paper.printing.sheet import PrinterError
from shipcli.features.paper.printing.transports import complete_target
from shipcli.models import ConnectionData, Invalid, Refused
from shipcli.models.basics.phones import format_phone_number
from shipcli.models.basics.places import find_state_code
from shipcli.models.basics.postal import format_postal_code
from shipcli.models.basics.reference import list_states
from shipcli.models.parts.address import read_country_code

CLEAR = "-"
IMPERIAL = frozenset({"US", "LR", "MM"})
GENERIC = "generic"
YES_NO = ("y", "n")
UNANSWERED = frozenset({"unreachable", "timeout"})  # says nothing about the credentials


def ask_plan() -> SetupPlan:
    """Ask everything, one question after the other, and whether to store it; nothing is stored yet.

    Errors: Declined.
    """
    note(f"Enter keeps what stands in brackets, {CLEAR} empties it, {BACK} goes back.")
    note("Ctrl-C stops; nothing is written before the end.")
    plan, at = SetupPlan(), 0
    with allow_steps_back():
        while at < len(STEPS):
            try:
                plan = STEPS[at](plan)
                at += 1
            except StepBack:
                at = max(at - 1, 0)
    return plan


def _ask_mode(plan: SetupPlan) -> SetupPlan:
    return _with_settings(plan, mode=_ask_setting("mode", "test: nothing is paid; live: real labels", plan))


def _with_settings(plan: SetupPlan, **changes: str) -> SetupPlan:
    return replace(plan, settings={**plan.settings, **changes})


def _confirm_plan(plan: SetupPlan) -> SetupPlan:
    """Show what was said; Enter agrees.

    Errors: Declined.
    """
    write("this is stored:")
    address = plan.shipper.model_dump() if plan.shipper else {}
    details = {"shipper address": format_address(address), "phone": address.get("phone_number")}
    for name, value in {**describe_plan(plan), **details}.items():
        if value:
            write(f"  {name.replace('_', ' ')}: {value}")
    if ask("store it", default="y", choices=YES_NO) == "n":
        raise Declined
    return plan


# -- settings --------------------------------------------------------------------------------------


def _ask_setting(key: str, meaning: str, plan: SetupPlan, default: str = "") -> str:
    row = settings.find_setting(key)
    note(meaning)
    choices = ", ".join(filter(None, row.choices))
    check = partial(settings.read, key, where="given value")
    usual = plan.settings.get(key) or get_run().config[key] or default
    text = ask(f"{key.replace('_', ' ')} ({choices})", default=usual, check=check)
    return str(settings.read(key, text, "given value"))


def _ask_weight_unit(plan: SetupPlan) -> SetupPlan:
    unit = "LB" if _find_country(plan) in IMPERIAL else "KG"
    asked = _ask_setting("weight_unit", "the unit of a weight typed without one", plan, unit)
    return _with_settings(plan, weight_unit=asked)


def _ask_size_unit(plan: SetupPlan) -> SetupPlan:
    unit = "IN" if _find_country(plan) in IMPERIAL else "CM"
    asked = _ask_setting("size_unit", "the unit of a size typed without one", plan, unit)
    return _with_settings(plan, size_unit=asked)


def _find_country(plan: SetupPlan) -> str:
    return plan.shipper.country_code if plan.shipper else ""


# -- shipper ---------------------------------------------------------------------------------------


def _ask_shipper(plan: SetupPlan) -> SetupPlan:
    """Ask for an address that fits the rules of its country; wrong fields are asked again."""
    note("where parcels leave from: the shipper on every label")
    today = plan.shipper.model_dump(exclude_none=True) if plan.shipper else read_shipper_fields()
    body = today | _ask_fields(FIELDS, today)
    while True:
        try:
            return replace(plan, shipper=check_shipper(body))
        except Invalid as error:
            for problem in error.problems:
                note(f"{problem.field}: {problem.reason}")
            wrong = [name for name in FIELDS if name in {problem.field for problem in error.problems}]
            body |= _ask_fields(wrong or list(FIELDS), body)


def _ask_fields(names: Any, today: Mapping[str, Any]) -> dict[str, Any]:
    """The answers to a question for each field; `<` goes back to the field before.

    Errors: StepBack before the first.
    """
    answers, fields, at = dict[str, Any](), list(names), 0
    while at < len(fields):
        body, name = {**today, **answers}, fields[at]
        try:
            answers[name] = _ask_field(name, body.get(name), body, str(body.get("country_code") or ""))
            at += 1
        except StepBack:
            if at == 0:
                raise
            at -= 1
    return answers


def _ask_field(name: str, today: Any, body: Mapping[str, Any], country: str) -> str | None:
    label, read, required = FIELDS[name]
    needed = required or (name == "company_name" and not body.get("person_name"))
    text = ask(label, default=today, required=needed, check=lambda typed: _read(read, typed, country))
    return None if text in (None, CLEAR) else _read(read, str(text), country)


def _read(read: Callable[[str, str], str], text: str, country: str) -> str:
    return text if text == CLEAR else read(text, country)


def _read_country(text: str, _: str) -> str:
    return read_country_code(text)


def _read_state(text: str, country: str) -> str:
    """The code of a state; any text for countries without known states."""
    if not list_states().get(country):
        return text
    code = find_state_code(country, text)
    if code is None:
        raise ValueError(f"{text!r} is no state of {country}")
    return code


def _read_text(text: str, _: str) -> str:
    return text


# Each field of the shipper: what it is called, how it is read, whether every address has it.
FIELDS: Mapping[str, tuple[str, Callable[[str, str], str], bool]] = {
    "country_code": ("country (two letters)", _read_country, True),
    "person_name": ("person", _read_text, False),
    "company_name": ("company", _read_text, False),
    "address_line1": ("street and number", _read_text, True),
    "address_line2": ("second address line", _read_text, False),
    "city": ("city", _read_text, True),
    "state_code": ("state or province", _read_state, False),
    "postal_code": ("postal code", format_postal_code, False),
    "phone_number": ("phone", format_phone_number, False),
    "email": ("e-mail", _read_text, False),
}


# -- carrier ---------------------------------------------------------------------------------------


def _ask_account(plan: SetupPlan) -> SetupPlan:
    """Ask for a carrier's account until the carrier does not refuse it, or the user keeps it all the same."""
    while True:
        connection = _ask_connection(plan, _find_country(plan))
        if connection is None or _try_credentials(plan, connection):
            return replace(plan, connection=connection)


def _try_credentials(plan: SetupPlan, connection: ConnectionData) -> bool:
    """Whether to store an account: its carrier is asked whether it accepts the credentials."""
    try:
        with show_progress("trying the credentials"):
            is_asked = try_connection(plan.mode_of(get_run().local_app), connection)
    except Refused as error:
        if UNANSWERED.intersection(message.code for message in error.messages):
            note(f"{connection.carrier_name} could not be asked about the credentials: {error.message}")
            return True
        note(f"{connection.carrier_name} refuses the credentials: {error.message}")
        return ask("keep them all the same", default="n", choices=YES_NO) == "y"
    if is_asked:
        note(f"{connection.carrier_name} did not refuse the credentials")
    return True


def _ask_connection(plan: SetupPlan, country: str) -> ConnectionData | None:
    """Ask for a carrier's account; None if none is named."""
    app = plan.mode_of(get_run().local_app)
    held = [row["carrier_id"] for row in app.store.select("connections", {"test_mode": app.test_mode})]
    note(f"accounts with carriers: {', '.join(held[:8]) or 'none yet'}{', ...' if len(held) > 8 else ''}")
    note(f"such as ups, usps, fedex; {GENERIC} for prices of your own; all: shipcli carriers list")
    slug = ask("carrier to add or change", required=False, check=registry.get)
    if slug is None or slug == CLEAR:
        return None
    kind, today = registry.get(slug), find_connection(app, slug)
    stored = (today.credentials if today else None) or {}
    filled = {name: value for name, value in stored.items() if value is not None}
    usual = {name: country for name in kind.connection_fields() if COUNTRY.search(name)}
    credentials = ask_credentials(kind, {}, usual | filled)
    if "services" in kind.connection_fields():
        credentials |= _ask_prices()
    return ConnectionData(carrier_name=slug, carrier_id=slug, credentials=filled | credentials)


def _ask_prices() -> dict[str, Any]:
    note("a rate sheet says what its services cost: a .csv or .xlsx file; without one they cost nothing yet")
    file = ask("rate sheet", required=False, check=lambda name: read_rate_sheet(Path(name)))
    return {"services": read_rate_sheet(Path(file))} if file else {}


# -- printer ---------------------------------------------------------------------------------------


def _ask_label_printer(plan: SetupPlan) -> SetupPlan:
    printer = _ask_printer()
    if isinstance(printer, str):
        return _with_settings(replace(plan, printer=None), **{settings.PRINTER: printer})
    return replace(plan, printer=printer)


def _ask_printer() -> Printer | str | None:
    """Ask for a printer: a new or existing one, or a target; None for none. A test page is printed."""
    printers = {printer.name: printer for printer in list_printers(get_run().local_app)}
    note("the label printer: tcp://192.0.2.7, cups:QUEUE, windows:NAME, or the name of one that is known")
    while True:
        text = ask(
            "printer", default=get_run().config[settings.PRINTER] or None, required=False, check=_check_target
        )
        if text is None or text == CLEAR:
            return None
        target = complete_target(text)
        chosen = printers.get(target) or _ask_new_printer(target)
        if _try(chosen, "n" if target in printers else "y"):
            return target if target in printers else chosen


def _check_target(text: str) -> None:
    """Errors: NotFound naming the nearest printer; PrinterError for an invalid target."""
    if text != CLEAR:
        check_setting(settings.PRINTER, text)


def _ask_new_printer(target: str) -> Printer:
    name = ask(
        "a name for it", default="labels", check=lambda typed: check_printer(Printer(typed, target, "ZPL"))
    )
    usual = "ZPL" if target.startswith("tcp:") else "PDF"
    format = ask("what it speaks (ZPL, PDF, PNG)", default=usual, check=_check_format)
    return check_printer(Printer(str(name), target, str(format).upper()))


def _check_format(text: str) -> None:
    if text.upper() not in FORMATS:
        raise ValueError(f"{text!r} is not one of {', '.join(FORMATS)}")


def _try(printer: Printer, default: str) -> bool:
    """Whether a printer is the right one; a test page is printed unless the user declines."""
    if ask("print a test page now", default=default, choices=YES_NO) == "n":
        return True
    try:
        spooled_documents.print_trial_page(get_run().local_app, printer)
    except PrinterError as error:
        note(f"{error.message}; {error.hint}" if error.hint else error.message)
        return ask("keep this printer all the same", default="n", choices=YES_NO) == "y"
    return ask("did a page come out", default="y", choices=YES_NO) == "y"


STEPS: tuple[Callable[[SetupPlan], SetupPlan], ...] = (
    _ask_mode, _ask_shipper, _ask_weight_unit, _ask_size_unit, _ask_account, _ask_label_printer,
    _confirm_plan,
)  # fmt: skip
