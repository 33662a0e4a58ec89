"""`shipcli parcels`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments import bodies as inputs
from shipcli.cli.arguments.bodies import Data, File, check_bodies, check_body, read_bodies, read_body
from shipcli.cli.arguments.selectors import Id, select_one
from shipcli.cli.arguments.shipment_options import Reference
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import store_each
from shipcli.cli.gateway import ask
from shipcli.cli.help_pages import say_field
from shipcli.cli.stored_noun_table import PARCELS
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.book import boxes as parts_boxes
from shipcli.features.book import parcels
from shipcli.features.connections import catalog
from shipcli.features.rules import service as rules_service
from shipcli.models.parts import goods

if TYPE_CHECKING:
    pass

COLUMNS = PARCELS.columns
PRESET_COLUMNS = ("carrier_name", "preset", "length", "width", "height", "dimension_unit", "weight",
                  "weight_unit", "max_weight", "max_weight_unit", "price", "currency")  # fmt: skip


verb = Verbs()

Text = str | None


@dataclass(frozen=True)
class ParcelOptions:
    """The fields of a parcel."""

    weight: Annotated[Text, typer.Option("--weight", metavar="WEIGHT", help="2.3kg, 20oz, 1lb 4oz.")] = None
    size: Annotated[Text, typer.Option("--size", metavar="LxWxH", help="30x20x10cm, 12x8x4in.")] = None
    package_preset: Annotated[
        Text, typer.Option("--preset", metavar="PRESET", help="A carrier's box: shipcli parcels presets.")
    ] = None
    packaging_type: Annotated[Text, typer.Option("--packaging", help="Type of packaging.")] = None
    description: Annotated[Text, typer.Option("--description", help=say_field("Box.description"))] = None
    reference_number: Reference = None
    is_document: Annotated[bool | None, typer.Option("--document/--goods", help="Documents or goods.")] = None

    def list_fields(self) -> dict[str, Any]:
        """The fields by name, None for those not given."""
        others = {name: value for name, value in asdict(self).items() if name not in ("weight", "size")}
        return others | inputs.read_weight(self.weight) | inputs.read_size(self.size)


@verb
def create(
    parcel: ParcelOptions,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Store a parcel, or every parcel of a file.

    Examples:
    shipcli parcels create --weight 2lb6oz --size 12x8x4in --description Middle
    shipcli parcels create --preset ups_small_express_box --weight 1kg --ids
    """
    bodies = check_bodies(models.ParcelData, read_bodies(parcel.list_fields(), data, from_file))
    store_each(
        "parcel",
        bodies,
        lambda body: ask(parcels.create_parcel, body),
        COLUMNS,
        name=lambda body: body.description or "a parcel",
    )


@verb
def update(
    id: Id,
    parcel: ParcelOptions,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Change fields of a parcel.

    Examples:
    shipcli parcels update @last --weight 2.5lb
    shipcli parcels update @last -d description="Middle box" --size 14x10x6in
    """
    patch = check_body(models.ParcelPatch, read_body(parcel.list_fields(), data, from_file))
    chosen = select_one("parcel", id)
    if not would(f"change {', '.join(patch.model_dump(exclude_unset=True)) or 'nothing'} of parcel {chosen}"):
        show(ask(parcels.update_parcel, chosen, patch))


@verb
def presets(
    action: Annotated[
        str, typer.Argument(metavar="[list|add|remove]", help="What to do with boxes.")
    ] = "list",
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Your name for a box.")] = None,
    sizes: Annotated[str | None, typer.Argument(metavar="[LxWxH]", help="Its size: 12x8x4in.")] = None,
    tare: Annotated[
        str | None, typer.Option("--tare", metavar="WEIGHT", help="Weight of the empty box: 3oz.")
    ] = None,
    max_weight: Annotated[
        str | None, typer.Option("--max-weight", metavar="WEIGHT", help="What it may hold: 40lb.")
    ] = None,
    price: Annotated[
        str | None, typer.Option("--price", metavar="AMOUNT", help="What the box costs: 0.45USD.")
    ] = None,
    carrier: Annotated[
        str | None, typer.Option("--carrier", metavar="CARRIER", help="Only boxes of this carrier.")
    ] = None,
) -> None:
    """List the carriers' boxes and your own; add or remove your own.

    Your boxes are stored on this machine; use their names with --box. The weight of the empty box counts
    where a parcel is not weighed: for orders, whose lines have weights.

    With --box auto the smallest of your boxes is chosen that holds the pieces of an order, by the sizes of
    products, or several boxes.

    Examples:
    shipcli parcels presets add M 12x8x4in --max-weight 40lb --price 0.45USD
    shipcli parcels presets --carrier usps
    shipcli parcels presets remove M
    """
    if action == "list" and not (name or sizes or tare):
        show_list(_list_boxes(carrier), PRESET_COLUMNS, view=VIEWS["preset"])
    elif action == "add" and name and sizes:
        _add_box(name, inputs.read_size(sizes) | inputs.read_weight(tare) | _read_limits(max_weight, price))
    elif action == "remove" and name and not (sizes or tare):
        _remove_box(name)
    else:
        raise Usage("say list, add NAME LxWxH, or remove NAME",
                    hint="shipcli parcels presets add M 12x8x4in --tare 3oz")  # fmt: skip


def _list_boxes(carrier: str | None) -> list[dict[str, Any]]:
    boxes: dict[str | None, Mapping[str, Any]] = {**ask(catalog.get_reference, "package_presets")}
    if carrier:
        slug = ask(catalog.get_carrier, carrier).carrier_name
        boxes = {slug: boxes.get(slug, {})}
    else:
        boxes = {None: parts_boxes.list_boxes(get_run().local_app), **boxes}
    return [
        {"carrier_name": slug, "preset": name, **box}
        for slug, presets in boxes.items()
        for name, box in presets.items()
    ]


def _read_limits(max_weight: str | None, price: str | None) -> dict[str, Any]:
    """What a box may hold, and what it costs."""
    most = {f"max_{name}": value for name, value in inputs.read_weight(max_weight).items()}
    worth = goods.parse_value(price) if price else {}
    return most | ({"price": worth["value_amount"], "currency": worth["value_currency"]} if worth else {})


def _add_box(name: str, box: Mapping[str, Any]) -> None:
    parts_boxes.check_name(name)
    if not would(f"keep the box {name}"):
        parts_boxes.save_box(get_run().local_app, name, box)
        show({"carrier_name": None, "preset": name, **box}, PRESET_COLUMNS)


def _remove_box(name: str) -> None:
    app = get_run().local_app
    parts_boxes.check_box(app, name)
    if would(f"remove the box {name}"):
        return
    parts_boxes.remove_box(app, name)
    note(f"there is no box {name} any more")
    if naming := rules_service.list_naming_box(app, name):
        warn(f"parcels get no box by {', '.join(map(repr, naming))}: shipcli rules delete or add")
