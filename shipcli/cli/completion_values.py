"""The values that a parameter takes, by the name of the option or the word in its help, for completion.

A metavar such as `letter|a4|4x6` lists its values itself. What this machine's store knows is offered where
there is one; no server is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli import config
from shipcli.cli.current_run import get_run
from shipcli.cli.stored_nouns import load
from shipcli.documents import ready_made
from shipcli.features.book import boxes
from shipcli.features.connections import option_names
from shipcli.features.files import data_templates
from shipcli.features.paper.printing import printers
from shipcli.features.rules import service as rules
from shipcli.features.shops.sheets import OWN, SHEETS
from shipcli.models import customers
from shipcli.models.basics import enums, errors
from shipcli.store.query import flag

if TYPE_CHECKING:
    from typer.core import TyperArgument, TyperOption

    from shipcli.features.core.app import App

PRINTER = "printer"  # the setting
# What a carrier must be able to do for the commands of a noun.
NEEDED: Mapping[str, str] = {
    "pickups": "pickup", "pickup": "pickup", "manifests": "manifest", "manifest": "manifest",
    "track": "track", "trackers": "track", "tracker": "track",
}  # fmt: skip
_MOST_ADDRESSES = 200
Choice = tuple[str, str]
Values = Iterable[str | Choice]
Read = Callable[[str, Sequence[str]], Values]  # of the word so far and the words before it


def list_values(param: TyperArgument | TyperOption, word: str, before: Sequence[str]) -> list[Choice]:
    """The values that a parameter takes, with descriptions; empty if any value is allowed."""
    values = _find_values(param, word, before)
    return [(value, "") if isinstance(value, str) else value for value in values]


def _find_values(param: TyperArgument | TyperOption, word: str, before: Sequence[str]) -> Values:
    choices = [item.value for item in param.shell_complete(None, "") if item.type == "plain"]  # type: ignore[arg-type]  # no context is read
    if choices:
        return choices
    metavar = (param.metavar or "").strip("[].,")
    read = next((VALUES[name] for name in (*param.opts, metavar) if name in VALUES), None)
    if read:
        return read(word, before)
    return metavar.split("|") if "|" in metavar or metavar.islower() else []


# -- what the program knows ------------------------------------------------------------------------


def _list_carriers(word: str, before: Sequence[str]) -> Values:
    """The carriers, of a command that asks them for something those that can do it."""
    from shipcli.carrier import registry

    operation = next((NEEDED[noun] for noun in before if noun in NEEDED), None)
    if operation is None:
        return registry.list_slugs()
    return [facts.slug for facts in registry.list_facts() if operation in facts.operations]


def _list_services(word: str, before: Sequence[str]) -> Values:
    """The services of the carriers named with `--carrier`, else of those whose names fit the word."""
    from shipcli.carrier import registry

    slugs = registry.list_slugs()
    values = [value for option, value in pairwise(before) if option == "--carrier"]
    named = [slug for slug in ",".join(values).split(",") if slug in slugs]
    matching = [slug for slug in slugs if slug.startswith(word.partition("_")[0])]
    carriers = [registry.get(slug) for slug in named or matching or slugs]
    return [service for carrier in carriers for service in carrier.services.codes()]


def _list_options(word: str, before: Sequence[str]) -> Values:
    return sorted(f"{name}=" for name in option_names.list_option_names())


def _list_settings(word: str, before: Sequence[str]) -> Values:
    return config.BY_KEY


def _list_setting_values(word: str, before: Sequence[str]) -> Values:
    row = config.BY_KEY.get(before[-1])
    if row is None or row.key == PRINTER:
        return _read_store(_list_printers) if row else ()
    return ("true", "false") if isinstance(row.default, bool) else filter(None, row.choices)


def _list_statuses(word: str, before: Sequence[str]) -> Values:
    of = {"orders": enums.ORDER_STATUSES, "shipments": enums.SHIPMENT_STATUSES,
          "trackers": enums.TRACKER_STATUSES}  # fmt: skip
    return next((of[noun] for noun in before if noun in of), ())


def _list_presets(word: str, before: Sequence[str]) -> Iterator[str | Choice]:
    from shipcli.carrier import registry

    yield from _read_store(_list_own_boxes)
    yield from (name for facts in registry.list_facts() for name in facts.presets)


def _offer_words(constant: str) -> Read:
    """Offer the words of a constant below `shipcli`."""

    def read(word: str, before: Sequence[str]) -> Values:
        words: Values = load(constant)
        return words

    return read


# -- what the store knows --------------------------------------------------------------------------


def _read_store(read: Callable[[App], Values]) -> Values:
    """What the store of this machine knows; nothing if there is none, or it can't be opened."""
    run = get_run()
    if run.api_url:
        return ()
    place = run.store_place
    if isinstance(place, Path) and not place.exists():
        return ()
    try:
        return list(read(run.app))
    except errors.ShipcliError:
        return ()


def _offer_stored(read: Callable[[App], Values]) -> Read:
    return lambda word, before: _read_store(read)


def _list_own_boxes(app: App) -> Values:
    return boxes.list_boxes(app)


def _list_rules(app: App) -> Values:
    return [(str(row["name"]), str(row["condition"])) for row in rules.read_rows(app.store)]


def _list_printers(app: App) -> Values:
    return [(printer.name, printer.target) for printer in printers.list_printers(app)]


def _list_templates(app: App) -> Values:
    return [*(str(template["slug"]) for template in app.store.each("template")), *ready_made.READY_MADE]


def _list_data_templates(app: App) -> Values:
    return [template.slug for template in data_templates.list_templates(app)]


def _list_addresses(app: App) -> Values:
    """Nicknames, then the newest names of stored addresses, each with its city."""
    names = [*_list_nicknames(app)]
    newest = islice(app.store.each("address", [flag("attached", False)]), _MOST_ADDRESSES)
    for address in newest:
        name = address.get("company_name") or address.get("person_name")
        if name:
            names.append((str(name), str(address.get("city") or "")))
    return list(dict(reversed(names)).items())[::-1]


def _list_nicknames(app: App) -> Iterable[Choice]:
    return [(row["name"], "nickname") for row in app.store.select("nicknames", (), "name")]


def _list_ids(word: str, before: Sequence[str]) -> Values:
    """What stands for an id: of addresses a nickname; ids themselves are more than anybody types."""
    return _read_store(_list_nicknames) if "addresses" in before else ()


def _list_maps(word: str, before: Sequence[str]) -> Values:
    """Forms of shops for numbers, templates of columns for files that are read."""
    return (*SHEETS, OWN) if "tracking" in before else _read_store(_list_data_templates)


def _list_events(word: str, before: Sequence[str]) -> Values:
    """What customers can be told of, or what webhooks are sent."""
    names = customers.MAIL_EVENTS if "setup" in before else enums.EVENT_NAMES
    return [*names, *(("all", "none") if "setup" in before else ())]


VALUES: Mapping[str, Read] = {
    "CARRIER": _list_carriers,
    "SERVICE": _list_services,
    "--option": _list_options,
    "SETTING": _list_settings,
    "value": _list_setting_values,
    "--status": _list_statuses,
    "PRESET": _list_presets,
    "BOX": _list_presets,
    "RULE": _offer_stored(_list_rules),
    "PRINTER": _offer_stored(_list_printers),
    "TEMPLATE": _offer_stored(_list_templates),
    "ID": _list_ids,
    "ADDRESS": _offer_stored(_list_addresses),
    "--map": _list_maps,
    "--like": _offer_stored(_list_data_templates),
    "slug": _offer_stored(_list_data_templates),
    "--ready": _offer_words("documents.ready_made.READY_MADE"),
    "--label-type": _offer_words("models.basics.enums.LABEL_TYPES"),
    "--weight-unit": _offer_words("models.basics.enums.WEIGHT_UNITS"),
    "--size-unit": _offer_words("models.basics.enums.DIMENSION_UNITS"),
    "--capability": _offer_words("models.basics.enums.CAPABILITIES"),
    "--related-object": _offer_words("models.basics.enums.RELATED_OBJECTS"),
    "DOCUMENT_TYPE": _offer_words("models.basics.enums.DOCUMENT_TYPES"),
    "TYPE": _offer_words("models.basics.enums.BATCH_RESOURCE_TYPES"),
    "--events": _list_events,
    "MAIL_EVENT": _offer_words("models.customers.MAIL_EVENTS"),
    "--security": _offer_words("models.customers.MAIL_SECURITIES"),
    "--kinds": _offer_words("features.paper.printing.printers.KINDS"),
    "--on-duplicate": _offer_words("cli.commands.files.import_file.DUPLICATES"),
    "--buy": _offer_words("cli.commands.files.import_shipments.RULES"),
    "KIND": _offer_words("cli.commands.papers.documents.KINDS"),
    "WHAT": _offer_words("cli.commands.papers.documents.FILES"),
    "SHELL": _offer_words("cli.commands.home.completion.SHELLS"),
    "FILE|-": lambda word, before: (),
}
