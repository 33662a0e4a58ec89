"""`shipcli locations`: where carriers take parcels in and hand them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.arguments.rate_options import Carriers, read_country, show_messages, split_values
from shipcli.cli.console.location_view import LOCATION_VIEW
from shipcli.cli.console.output import show_list
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.connections.locations import find_locations
from shipcli.models import Invalid
from shipcli.models.basics.json import dumps
from shipcli.models.location import read_distance

if TYPE_CHECKING:
    from shipcli.models import LocationList

verb = Verbs()
COLUMNS = (
    "id", "carrier_id", "name", "kind", "distance", "distance_unit", "drop_off", "pick_up",
    "address.address_line1", "address.postal_code", "address.city", "address.country_code",
)  # fmt: skip
PostalCode = Annotated[str | None, typer.Argument(metavar="[POSTAL_CODE]", help="Near which postal code.")]
Country = Annotated[
    str | None,
    typer.Option("--country", metavar="CODE", help="Of the postal code; the shipper's by default."),
]
City = Annotated[str | None, typer.Option("--city", help="City; many carriers need only the postal code.")]
State = Annotated[str | None, typer.Option("--state", help="State or province, by code or name.")]
Street = Annotated[str | None, typer.Option("--line1", metavar="STREET", help="Street and number.")]
DropOff = Annotated[bool, typer.Option("--drop-off", help="Only where parcels are handed in.")]
PickUp = Annotated[bool, typer.Option("--pick-up", help="Only where parcels are held to be fetched.")]
Radius = Annotated[str | None, typer.Option("--within", metavar="DISTANCE", help="At most so far: 5km, 3mi.")]
Limit = Annotated[int, typer.Option("--limit", help="How many, up to 50.")]


@verb
def locations(
    postal_code: PostalCode = None,
    country: Country = None,
    city: City = None,
    state: State = None,
    line1: Street = None,
    carrier: Carriers = None,
    drop_off: DropOff = False,
    pick_up: PickUp = False,
    within: Radius = None,
    limit: Limit = 10,
) -> None:
    """Find where carriers take parcels in and hand them out, nearest first.

    A parcel is held at one of them with: shipcli ship --option hold_at_location=ID

    Examples:
    shipcli locations 10001
    shipcli locations 10001 --carrier ups --pick-up
    shipcli locations 10115 --country DE --drop-off --within 5km --json
    """
    if not (postal_code or city):
        raise Usage("say near which postal code", hint="shipcli locations 10001 --carrier ups")
    if drop_off and pick_up:
        raise Usage("say --drop-off or --pick-up; without either, all places are listed")
    places = ask(
        find_locations,
        country_code=read_country(country) or find_home(),
        postal_code=postal_code,
        city=city,
        state_code=state,
        address_line1=line1,
        carrier_name=",".join(split_values(carrier)) or None,
        purpose="drop_off" if drop_off else "pick_up" if pick_up else None,
        limit=limit,
        radius_km=read_distance(within) if within else None,
    )
    show_places(places)


def find_home() -> str:
    """The country of the shipper.

    Errors: Usage if there is none.
    """
    try:
        home = get_run().ship_defaults.shipper().get("country_code")
    except Invalid:
        home = None
    if not home:
        raise Usage("say in which country: --country US", hint="shipcli locations 10001 --country US")
    return str(home)


def show_places(places: LocationList) -> None:
    """Places as a table, what carriers said beside them as notes; with `--json` both."""
    messages = dumps([message.model_dump() for message in places.messages])
    if get_run().options.format != "json":
        show_messages(places.messages)
    head = f'{{"messages":{messages},"locations":['
    show_list(places.locations, COLUMNS, head=head, tail="]}", view=LOCATION_VIEW)
    held = next((place for place in places.locations if place.pick_up and place.id), None)
    if held and get_run().options.format is None:
        note(f"hold a parcel there with: shipcli ship --option hold_at_location={held.id}")
