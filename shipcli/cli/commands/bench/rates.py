"""`shipcli rates` and `shipcli quote`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from shipcli import models
from shipcli.cli.arguments import shipment_options
from shipcli.cli.arguments.bodies import Data, File, check_body
from shipcli.cli.arguments.rate_options import (
    Carriers,
    Currency,
    ExchangeRates,
    Service,
    describe_parcels,
    read_code,
    set_exchange_rates,
    show_messages,
    split_values,
)
from shipcli.cli.arguments.shipment_options import (
    DetailOptions,
    PieceOptions,
    RouteOptions,
    ShipmentDescription,
)
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show_list
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.models.basics.json import dumps
from shipcli.workflows import ship

if TYPE_CHECKING:
    from shipcli.models import RateRequestData, RateResponse

verb = Verbs()
COLUMNS = ("service", "carrier_id", "total_charge", "currency", "transit_days")
PostalCode = Annotated[str | None, typer.Argument(metavar="[POSTAL_CODE]", help="Destination postal code.")]
Country = Annotated[
    str | None,
    typer.Option("--country", metavar="CODE", help="Destination country; the shipper's by default."),
]


@verb
def quote(
    pieces: PieceOptions,
    postal_code: PostalCode = None,
    country: Country = None,
    from_: shipment_options.From = None,
    to: shipment_options.To = None,
    service: Service = None,
    carrier: Carriers = None,
    currency: Currency = None,
    rate: ExchangeRates = None,
    option: shipment_options.Option = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Ask all carriers for prices, without storing anything.

    Examples:
    shipcli quote 02134 --weight 1.2kg
    shipcli quote --to "Ada Brooks" --piece 2lb6oz:M --piece 5lb:12x8x4in
    shipcli quote 10117 --country DE --weight 900g --currency USD
    """
    set_exchange_rates(rate)
    if not (postal_code or to or data or from_file):
        raise Usage("say where it goes: a postal code, --to ADDRESS or --from-file FILE",
                    hint="shipcli quote 02134 --weight 1.2kg")  # fmt: skip
    route = RouteOptions(to=to, to_postal_code=postal_code, to_country=country, from_=from_)
    services, carriers = [service] if service else [], split_values(carrier)
    details = DetailOptions(option=option)
    made = ShipmentDescription(route, pieces, details, data, from_file, services, carriers).make_bodies()
    if len(made) != 1:
        raise Usage(f"{from_file} holds {len(made)} requests; this command takes one")
    request = check_body(models.RateRequestData, made[0])
    answer = ship.quote(get_run().gateway, request, read_code(currency))
    _echo_parcels(request)
    show_rates(answer)


def _echo_parcels(request: RateRequestData) -> None:
    """Say for which weights and sizes the prices are: a setting may have given their unit."""
    parcels = [parcel for parcel in request.parcels if isinstance(parcel, models.ParcelData)]
    if parcels and get_run().options.format is None:
        note(f"prices for {describe_parcels(parcels)}")


def show_rates(answer: RateResponse) -> None:
    """Rates as a table, what carriers said beside them as notes; with `--json` both."""
    messages = dumps([message.model_dump() for message in answer.messages])
    if get_run().options.format != "json":
        show_messages(answer.messages)
        currencies = sorted({str(rate.currency) for rate in answer.rates})
        if len(currencies) > 1:
            note(f"prices are in {' and '.join(currencies)}; compare them in one with --currency")
    show_list(answer.rates, COLUMNS, head=f'{{"messages":{messages},"rates":[', tail="]}", view=VIEWS["rate"])
