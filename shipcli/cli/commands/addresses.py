"""`shipcli addresses`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import config, models
from shipcli.cli.arguments.bodies import Data, File, check_bodies, check_body, read_bodies, read_body
from shipcli.cli.arguments.listing import Every, Limit, Offset, Paging, Sort, show_page
from shipcli.cli.arguments.rate_options import read_country
from shipcli.cli.arguments.selectors import Id, select, select_one
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import store_each
from shipcli.cli.flows.settings_flow import change_or_show_setting
from shipcli.cli.gateway import ask
from shipcli.cli.stored_noun_table import ADDRESSES
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.book import addresses, nicknames
from shipcli.gateway import where
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.json import dumps

if TYPE_CHECKING:
    from shipcli.models import Address, AddressData
    from shipcli.models.basics.problems import Problem

COLUMNS = ADDRESSES.columns
PROBLEM_COLUMNS = ("field", "reason")


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
    company_name: Annotated[Text, typer.Option("--company", help="Name of a company.")] = None
    address_line1: Annotated[Text, typer.Option("--line1", help="Street and number.")] = None
    address_line2: Annotated[Text, typer.Option("--line2", help="Second address line.")] = None
    city: Annotated[Text, typer.Option("--city", help="City.")] = None
    state_code: Annotated[Text, typer.Option("--state", help="State or province, by code or name.")] = None
    postal_code: Annotated[Text, typer.Option("--postal-code", help="Postal code.")] = None
    country_code: Annotated[Text, typer.Option("--country", help="Country, by code or name.")] = None
    phone_number: Annotated[Text, typer.Option("--phone", help="Phone number.")] = None
    email: Annotated[Text, typer.Option("--email", help="E-mail address.")] = None

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


@verb
def validate(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="Stored addresses.")] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Check an address against the postal rules of its country.

    Examples:
    shipcli addresses validate @last
    shipcli addresses validate --from-file addresses.csv
    """
    if ids:
        bodies = [
            ask(addresses.get_address, address_id).model_dump() for address_id in select("address", ids)
        ]
    else:
        bodies = read_bodies({}, data, from_file)
    several = len(bodies) > 1
    rows = [
        {**({"row": row} if several else {}), "field": problem.field, "reason": problem.reason}
        for row, body in enumerate(bodies, 1)
        for problem in list_address_problems(body)
    ]
    _tell(rows, ("row", *PROBLEM_COLUMNS) if several else PROBLEM_COLUMNS)
    raise typer.Exit(Invalid.exit_code if rows else 0)


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
