"""`shipcli addresses`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from shipcli import config, models
from shipcli.carrier import registry
from shipcli.cli.arguments.bodies import Data, File, check_bodies, check_body, read_bodies, read_body
from shipcli.cli.arguments.listing import Every, Limit, Offset, Paging, Sort, show_page
from shipcli.cli.arguments.rate_options import read_country
from shipcli.cli.arguments.selectors import Id, select, select_one
from shipcli.cli.commands.files.import_file import FileName, ImportOptions
from shipcli.cli.commands.files.import_run import ImportCommand, Outputs, carry_out
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed, store_each
from shipcli.cli.flows.settings_flow import change_or_show_setting
from shipcli.cli.gateway import ask
from shipcli.cli.help_pages import say_field
from shipcli.cli.stored_noun_table import ADDRESSES
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.book import addresses, nicknames
from shipcli.features.connections import address_checks
from shipcli.features.files import engine
from shipcli.gateway import where
from shipcli.models.address_check import AddressCheck, AddressCheckData, AddressFinding
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.json import dumps
from shipcli.models.basics.text import count_text
from shipcli.models.parts.address import PLACE
from shipcli.workflows import address_book

if TYPE_CHECKING:
    from shipcli.models import Address, AddressData
    from shipcli.models.basics.problems import Problem

COLUMNS = ADDRESSES.columns
PROBLEM_COLUMNS = ("field", "reason")
CHECK_COLUMNS = ("valid", "problems", "corrected", "candidates", "residential")


verb = Verbs()

Text = str | None
Nickname = Annotated[
    Text,
    typer.Option("--nickname", metavar="WORD", help="A short name on this machine, such as dock."),
]


@dataclass(frozen=True)
class PlaceOptions:
    """Who is where."""

    person_name: Annotated[Text, typer.Option("--name", help="Name of a person.")] = None
    company_name: Annotated[Text, typer.Option("--company", help=say_field("company_name"))] = None
    address_line1: Annotated[Text, typer.Option("--line1", help=say_field("address_line1"))] = None
    address_line2: Annotated[Text, typer.Option("--line2", help=say_field("address_line2"))] = None
    city: Annotated[Text, typer.Option("--city", help=say_field("city"))] = None
    state_code: Annotated[Text, typer.Option("--state", help="State or province, by code or name.")] = None
    postal_code: Annotated[Text, typer.Option("--postal-code", help="Postal code.")] = None
    country_code: Annotated[Text, typer.Option("--country", help="Country, by code or name.")] = None
    phone_number: Annotated[Text, typer.Option("--phone", help=say_field("phone_number"))] = None
    email: Annotated[Text, typer.Option("--email", help=say_field("email"))] = None

    def list_fields(self) -> dict[str, Any]:
        """The fields by name, None for those not given; codes are taken in any case."""
        return {**asdict(self), "country_code": read_country(self.country_code)}


@dataclass(frozen=True)
class AddressOptions(PlaceOptions):
    """The fields of an address."""

    residential: Annotated[
        bool | None, typer.Option("--residential/--business", help="A home or a business.")
    ] = None
    validate_location: Annotated[
        bool | None, typer.Option("--validate", help="Refuse an address that the validation service rejects.")
    ] = None


@verb
def find(
    words: Annotated[
        list[str],
        typer.Argument(metavar="WORDS...", help="Text anywhere in name, street, city or postal code."),
    ],
    limit: Limit = 20,
    offset: Offset = 0,
    every: Every = False,
    sort: Sort = None,
) -> None:
    """Find addresses by any text in them.

    Examples:
    shipcli addresses find boston
    shipcli addresses find ada harbor --ids
    """
    show_page("address", where.select_standalone(words), COLUMNS, Paging(limit, offset, every, sort))


@verb
def create(
    address: AddressOptions,
    nickname: Nickname = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Store an address, or every address of a file.

    Examples:
    shipcli addresses create --name "Ida Lund" --city Seattle --country US
    shipcli addresses create -d person_name="Ida Lund" -d country_code=US --json
    shipcli addresses create --from-file addresses.csv --ids
    """
    bodies = check_bodies(models.AddressData, read_bodies(address.list_fields(), data, from_file))
    if nickname and len(bodies) != 1:
        raise Usage("--nickname is for one address")
    if nickname:
        nicknames.check_nickname(nickname)

    def create_one(body: models.AddressData) -> Address:
        made = ask(addresses.create_address, body)
        if nickname:
            nicknames.save_nickname(get_run().local_app, nickname, str(made.id))
        return made

    store_each("address", bodies, create_one, COLUMNS, name=_name_address)


def _name_address(body: AddressData) -> str:
    return body.person_name or body.company_name or "an address"


@verb
def update(
    id: Id,
    address: AddressOptions,
    nickname: Nickname = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Change fields of an address.

    Examples:
    shipcli addresses update @last --phone "+1 617-555-0123"
    shipcli addresses update @last --line2 "Flat 3" --residential
    """
    patch = check_body(models.AddressPatch, read_body(address.list_fields(), data, from_file))
    chosen = select_one("address", id)
    changes = [*patch.model_dump(exclude_unset=True), *(["nickname"] if nickname else [])]
    if would(f"change {', '.join(changes) or 'nothing'} of address {chosen}"):
        return
    if nickname:
        nicknames.save_nickname(get_run().local_app, nickname, chosen)
    show(ask(addresses.update_address, chosen, patch))


@verb
def default(
    id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="An address; without one the present default is shown."),
    ] = None,
) -> None:
    """Make an address the default sender, or show which one is (setting `shipper`).

    Examples:
    shipcli addresses default              # which one it is
    shipcli addresses default @last
    """
    change_or_show_setting(config.SHIPPER, id)


@verb("import")
def import_addresses(file: FileName, options: ImportOptions) -> None:
    """Import an address book from a file with columns such as Name, Address 1, City, Country.

    Headings are guessed, and `--map` names columns. An address that is stored already, however it is spelt,
    is left alone.

    Examples:
    shipcli addresses import addresses.csv --check
    shipcli addresses import addresses.csv --set country=US
    """
    table = options.open_table("addresses", file)
    plan = engine.ImportPlan(keep_good=options.rejects is not None)
    carry_out(
        table,
        plan,
        ImportCommand("addresses", Outputs(options.rejects, options.summary)),
        only_check=options.check,
    )


@verb("duplicates")
def show_duplicates(
    merge: Annotated[
        bool, typer.Option("--merge", help="Merge each pair: the address that goes gives what only it says.")
    ] = False,
) -> None:
    """List addresses that are stored more than once, in whatever spelling, each with the one that stays.

    The default sender stays, else an address with a nickname, else the oldest. Pairs of which a field
    differs, such as the phone, are never merged: delete one of them.

    Examples:
    shipcli addresses duplicates
    shipcli addresses duplicates --merge --dry-run
    shipcli addresses duplicates --json=id,same_as,unmerged
    """
    gateway, app = get_run().gateway, get_run().local_app
    pairs = list(address_book.find_duplicates(gateway, app))
    mergeable = [pair for pair in pairs if not pair.reasons]
    if not merge:
        show_list([pair.to_dict() for pair in pairs], (*COLUMNS, "same_as", "unmerged"))
        if mergeable:
            note(f"merge {count_text(len(mergeable), 'pair')}: shipcli addresses duplicates --merge")
        return
    if mergeable and is_agreed(f"merge {count_text(len(mergeable), 'pair')} of addresses"):
        for pair in mergeable:
            address_book.merge_pair(gateway, app, pair)
    show_list([pair.to_dict() for pair in mergeable], (*COLUMNS, "same_as"))


@verb
def validate(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="Stored addresses.")] = None,
    data: Data = None,
    from_file: File = None,
    carrier: Annotated[
        str | None,
        typer.Option("--carrier", metavar="NAME", help="Ask this carrier about those that keep the rules."),
    ] = None,
) -> None:
    """Check an address against the postal rules of its country, then with a carrier.

    A carrier also says how it writes the place, what an ambiguous address may be, and whether it is a home.

    Examples:
    shipcli addresses validate @last
    shipcli addresses validate --from-file addresses.csv
    shipcli addresses validate @last --carrier usps
    """
    if ids:
        bodies = [
            ask(addresses.get_address, address_id).model_dump() for address_id in select("address", ids)
        ]
    else:
        bodies = read_bodies({}, data, from_file)
    if carrier:
        _check_with_carrier(bodies, carrier)
    several = len(bodies) > 1
    rows = [
        {**({"row": row} if several else {}), "field": problem.field, "reason": problem.reason}
        for row, body in enumerate(bodies, 1)
        for problem in list_address_problems(body)
    ]
    _tell(rows, ("row", *PROBLEM_COLUMNS) if several else PROBLEM_COLUMNS)
    raise typer.Exit(Invalid.exit_code if rows else 0)


def _check_with_carrier(bodies: Sequence[Mapping[str, Any]], carrier: str) -> NoReturn:
    """Show what a carrier says of each address; exits with 6 if one of them is wrong."""
    checks = [_ask_carrier(body, carrier) for body in bodies]
    if get_run().options.format and len(checks) == 1:
        show(checks[0])
    elif get_run().options.format:
        show_list([check.model_dump() for check in checks], CHECK_COLUMNS)
    else:
        _show_checks(checks)
    raise typer.Exit(0 if all(check.valid for check in checks) else Invalid.exit_code)


def _show_checks(checks: Sequence[AddressCheck]) -> None:
    several = len(checks) > 1
    rows = [
        {**({"row": row} if several else {}), **problem.model_dump()}
        for row, check in enumerate(checks, 1)
        for problem in check.problems
    ]
    _tell(rows, ("row", *PROBLEM_COLUMNS) if several else PROBLEM_COLUMNS)
    for row, check in enumerate(checks, 1):
        _tell_places(check, f"row {row}: " if several else "")


def _ask_carrier(body: Mapping[str, Any], carrier: str) -> AddressCheck:
    """By the slug of a carrier, else by the name of a connection; what can't be read is not asked about."""
    try:
        address = check_body(models.AddressData, body)
    except Invalid as error:
        problems = [AddressFinding(field=problem.field, reason=problem.reason) for problem in error.problems]
        return AddressCheck(valid=False, problems=problems)
    is_slug = carrier in registry.list_slugs()
    names = {"carrier_name": carrier} if is_slug else {"carrier_id": carrier}
    return ask(address_checks.check_address, AddressCheckData(address=address, **names))


def _tell_places(check: AddressCheck, where: str) -> None:
    if check.corrected:
        note(f"{where}{check.carrier_id} writes it {_write_place(check.corrected)}")
    for candidate in check.candidates:
        note(f"{where}it may be {_write_place(candidate)}")
    if check.residential is not None:
        note(f"{where}{'a home' if check.residential else 'a business'}")


def _write_place(place: Mapping[str, Any]) -> str:
    return ", ".join(str(place[name]) for name in PLACE if place.get(name))


def _tell(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
    if rows or get_run().options.format:
        show_list(rows, columns, head=f'{{"valid":{dumps(not rows)},"problems":[', tail="]}")
    else:
        note("valid")


def list_address_problems(address: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with an address: fields that can't be read, else what the rules of the country say."""
    try:
        read = check_body(models.AddressData, address)
    except Invalid as error:
        return list(error.problems)
    return addresses.list_problems(models.Address.model_validate(read.model_dump()))
