"""`shipcli parcels`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from shipcli.cli.arguments import bodies as inputs
from shipcli.cli.arguments.bodies import Data, File, all_checked, bodies, body, check_body
from shipcli.cli.arguments.selectors import Id, remember, select_one
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show, show_each, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.gateway import ask
from shipcli.cli.stored_nouns import Removal, StoredNoun, make_commands

COLUMNS = ("id", "weight", "weight_unit", "length", "width", "height", "dimension_unit", "packaging_type",
           "package_preset", "reference_number")  # fmt: skip
PRESET_COLUMNS = (
    "carrier_name",
    "preset",
    "length",
    "width",
    "height",
    "dimension_unit",
    "weight",
    "weight_unit",
)


PARCELS = StoredNoun(
    "parcels", "parcel", COLUMNS, ("", "--sort -weight --columns id,weight,weight_unit"),
    "features.parts.parcels.get_parcel", Removal("features.parts.parcels.discard_parcel"),
    alone="gateway.where.standing_alone",
)  # fmt: skip
verb = Verbs(make_commands(PARCELS))

Weight = Annotated[str | None, typer.Option("--weight", metavar="WEIGHT", help="2.3kg, 20oz, 1lb 4oz.")]
Size = Annotated[str | None, typer.Option("--size", metavar="LxWxH", help="30x20x10cm, 12x8x4in.")]
Preset = Annotated[str | None, typer.Option("--preset", help="A box of a carrier; see parcels presets.")]
Packaging = Annotated[str | None, typer.Option("--packaging", help="Packaging type.")]
Description = Annotated[str | None, typer.Option("--description", help="What is in it.")]
Reference = Annotated[str | None, typer.Option("--reference", help="Reference number.")]
Document = Annotated[bool | None, typer.Option("--document/--goods", help="Documents or goods.")]

FIELDS = {"preset": "package_preset", "packaging": "packaging_type", "description": "description",
          "reference": "reference_number", "document": "is_document"}  # fmt: skip


def flags(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the flags that were given."""
    found = {FIELDS[name]: value for name, value in given.items() if name in FIELDS}
    return found | inputs.weight(given["weight"]) | inputs.size(given["size"])


@verb
def create(
    weight: Weight = None,
    size: Size = None,
    preset: Preset = None,
    packaging: Packaging = None,
    description: Description = None,
    reference: Reference = None,
    document: Document = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Store a parcel, or every parcel of a file."""
    from shipcli.features.parts.parcels import create_parcel
    from shipcli.models import ParcelData

    given = all_checked(ParcelData, bodies(flags(locals()), data, from_file))
    if would(f"store {len(given)} parcel{'s' * (len(given) != 1)}"):
        return
    made = [ask(create_parcel, one) for one in given]
    remember("parcel", *(str(one.id) for one in made))
    show_each(made, COLUMNS)


@verb
def update(
    id: Id,
    weight: Weight = None,
    size: Size = None,
    preset: Preset = None,
    packaging: Packaging = None,
    description: Description = None,
    reference: Reference = None,
    document: Document = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Change fields of a parcel."""
    from shipcli.features.parts.parcels import update_parcel
    from shipcli.models import ParcelPatch

    patch = check_body(ParcelPatch, body(flags(locals()), data, from_file))
    chosen = select_one("parcel", id)
    if not would(f"change {', '.join(patch.given()) or 'nothing'} of parcel {chosen}"):
        show(ask(update_parcel, chosen, patch))


@verb
def presets(
    carrier: Annotated[
        str | None, typer.Option("--carrier", metavar="SLUG", help="Only this carrier's.")
    ] = None,
) -> None:
    """List the boxes of the carriers."""
    from shipcli.features.connections.catalog import get_carrier, get_reference

    boxes: dict[str, dict[str, Any]] = ask(get_reference, "package_presets")
    wanted = [ask(get_carrier, carrier).carrier_name] if carrier else list(boxes)
    rows = [
        {"carrier_name": slug, "preset": name, **box}
        for slug in wanted
        for name, box in boxes.get(slug, {}).items()
    ]
    show_list(rows, PRESET_COLUMNS, view=VIEWS["preset"])
