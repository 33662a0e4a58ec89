"""`shipcli pickups`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.addresses import use_stored_address
from shipcli.cli.arguments.bodies import Data, File, check_body, read_body
from shipcli.cli.arguments.selectors import AddressOption, CarrierName, Id, Ids, remember, select, select_one
from shipcli.cli.console.output import show, show_each
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed, note_finished, run_each
from shipcli.cli.gateway import ask
from shipcli.cli.stored_noun_table import PICKUPS
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.pickups import bookings as pickup_bookings
from shipcli.features.pickups import service as pickups
from shipcli.features.pickups import shorthand
from shipcli.models.basics.text import count_text
from shipcli.workflows import pickups as pickups_workflow

if TYPE_CHECKING:
    from shipcli.models import Pickup

COLUMNS = PICKUPS.columns


verb = Verbs()

Text = str | None
At = Annotated[Text, typer.Option("--at", metavar="PLACE", help="Where the parcels are, such as 'Dock 2'.")]
Instruction = Annotated[Text, typer.Option("--instruction", help="Note for the driver.")]


@verb
def schedule(
    carrier: CarrierName,
    date: Annotated[
        Text, typer.Argument(metavar="DATE", help="today, tomorrow, a weekday or 2026-11-30.")
    ] = None,
    hours: Annotated[
        Text, typer.Argument(metavar="READY-CLOSE", help="When the parcels are ready, such as 14:00-17:00.")
    ] = None,
    at: At = None,
    address: AddressOption = None,
    instruction: Instruction = None,
    shipments: Annotated[
        list[str] | None,
        typer.Option("--shipments", metavar="ID", help="Shipments; by default all that wait for a pickup."),
    ] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Book a pickup for bought shipments.

    Examples:
    shipcli pickups schedule usps tomorrow 13:00-17:00 --at "Dock 2"
    shipcli pickups schedule usps friday 9:00-12:00 --shipments 1005
    """
    flags = _gather_flags(date, hours, at, instruction)
    flags["address"] = use_stored_address("--address", address, "address", data)
    flags["tracking_numbers"] = _choose_shipments(shipments) or None
    body = read_body(flags, data, from_file)
    if booked := pickups_workflow.find_booked(get_run().gateway, carrier, body):
        note_finished("booked", [booked.confirmation_number or booked.id])
        _show_booked(booked)
        return
    full, left_out = pickups_workflow.complete_pickup(get_run().gateway, carrier, body)
    pickup = check_body(models.PickupData, full)
    if left_out:
        note(f"{left_out} more of {carrier} at another place: they need a pickup of their own")
    count = len(pickup.tracking_numbers)
    what = f"book a {carrier} pickup of {count_text(count, 'shipment')} on {pickup.pickup_date}"
    what = f"{what}, {pickup.ready_time} to {pickup.closing_time}"
    if is_agreed(what):
        _show_booked(ask(pickups.schedule_pickup, carrier, pickup))


def _show_booked(pickup: Pickup) -> None:
    remember("pickup", pickup.id)
    show(pickup)


@verb
def update(
    id: Id,
    date: Annotated[Text, typer.Option("--date", metavar="DATE", help="New day.")] = None,
    hours: Annotated[Text, typer.Option("--hours", metavar="READY-CLOSE", help="New hours.")] = None,
    at: At = None,
    instruction: Instruction = None,
    add: Annotated[list[str] | None, typer.Option("--add", metavar="ID", help="Shipments to add.")] = None,
    drop: Annotated[
        list[str] | None, typer.Option("--drop", metavar="ID", help="Shipments to take out.")
    ] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Change a booked pickup, also with the carrier.

    Examples:
    shipcli pickups update @last --hours 13:00-16:00
    shipcli pickups update @last --at "Dock 3" --instruction "Ring twice"
    shipcli pickups update @last --drop 1005
    """
    chosen = select_one("pickup", id)
    flags = _gather_flags(date, hours, at, instruction)
    flags["tracking_numbers"] = _choose_shipments(add) or None
    leaving = _choose_shipments(drop)
    body = read_body(flags, data, from_file)
    address = ask(pickups.get_pickup, chosen).address.model_dump()
    patch = check_body(
        models.PickupUpdateData, shorthand.complete_change(get_run().ship_defaults.now, body, address)
    )
    changes = list(patch.model_dump(exclude_unset=True))
    what = ", ".join([*changes, *(["the shipments"] if leaving else [])])
    if would(f"change {what or 'nothing'} of pickup {chosen}"):
        return
    pickup = ask(pickups.update_pickup, chosen, patch) if changes or not leaving else None
    show(_drop(chosen, leaving) if leaving else pickup)


def _drop(pickup_id: str, shipment_ids: list[str]) -> Pickup:
    note_finished("taken out", pickups_workflow.list_in_none(get_run().gateway, shipment_ids))
    return ask(pickups.drop_shipments, pickup_id, models.PickupDropData(tracking_numbers=shipment_ids))


@verb
def cancel(
    ids: Ids,
    reason: Annotated[Text, typer.Option("--reason", help="Why; sent to the carrier.")] = None,
) -> None:
    """Cancel booked pickups; their shipments can be booked again.

    Examples:
    shipcli pickups cancel @last
    shipcli pickups cancel @last --reason "Nothing to collect"
    """
    chosen = select("pickup", ids)
    cancelled = pickups_workflow.find_cancelled(get_run().gateway, chosen)
    bookings = [cancelled.get(pickup_id) or ask(pickups.get_pickup, pickup_id) for pickup_id in chosen]
    note_finished("cancelled", [pickup.confirmation_number or pickup.id for pickup in cancelled.values()])
    left = [pickup for pickup in bookings if pickup.id not in cancelled]
    days = ", ".join(f"{pickup.confirmation_number} on {pickup.pickup_date}" for pickup in left)
    what = f"cancel the pickup{'s' * (len(left) != 1)} {days}"
    if left and not is_agreed(what):
        return
    reasoned = models.PickupCancelData(reason=reason)

    def cancel_one(pickup: Pickup) -> Pickup:
        if pickup.id in cancelled:
            return pickup
        over = ask(pickups.cancel_pickup, pickup.id, reasoned)
        return over.model_copy(update={"meta": {**(over.meta or {}), "status": "cancelled"}})

    run_each(
        bookings,
        cancel_one,
        lambda over: show_each(over, COLUMNS),
        name=lambda pickup: pickup.confirmation_number or pickup.id,
    )


@verb
def resolve(
    id: Annotated[str, typer.Argument(metavar="PICKUP", help="Id in the message that asked for this.")],
    booked: Annotated[
        Text, typer.Option("--booked", metavar="CONFIRMATION", help="It was booked, with this number.")
    ] = None,
    not_booked: Annotated[bool, typer.Option("--not-booked", help="It was not booked.")] = False,
) -> None:
    """Say what became of a pickup whose outcome is unknown.

    Check with the carrier first. If you gave a wrong answer, run the command again.

    Examples:
    shipcli pickups resolve pck_0123456789abcdef0123456789abcdef --booked WTC01
    shipcli pickups resolve pck_0123456789abcdef0123456789abcdef --not-booked
    """
    if bool(booked) == not_booked:
        raise Usage("say what the carrier told you: --booked CONFIRMATION or --not-booked")
    outcome = f"booked, number {booked}" if booked else "not booked"
    if not would(f"close the pickup {id}: {outcome}"):
        resolution = models.PickupResolveData(booked=not not_booked, confirmation_number=booked)
        show(ask(pickup_bookings.resolve_pickup, id, resolution))


def _gather_flags(date: Text, hours: Text, at: Text, instruction: Text) -> dict[str, Any]:
    return {
        "pickup_date": date,
        "hours": hours,
        "package_location": at,
        "instruction": instruction,
    }


def _choose_shipments(words: list[str] | None) -> list[str]:
    """Shipments by anything that names them; commas part them as well."""
    return select("shipment", [name for word in words or () for name in word.split(",")])
