"""The options that describe a shipment or a price request: what is shipped, from where to where."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from shipcli.carrier import catalogue_rows
from shipcli.cli.arguments.addresses import make_conflict_error, paste_address, use_stored_address
from shipcli.cli.arguments.bodies import (
    Data,
    File,
    read_bodies,
    read_pairs,
    read_size,
    read_value,
    read_weight,
)
from shipcli.cli.arguments.rate_options import read_code, read_country
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.features.connections import option_names
from shipcli.features.shipments import shorthand
from shipcli.models.basics.decimals import convert_decimal_comma
from shipcli.models.basics.text import find_nearest
from shipcli.models.parts import goods as parts_goods

Text = str | None
From = Annotated[
    Text, typer.Option("--from", metavar="ADDRESS", help="Stored sender address: name, nickname or id.")
]
To = Annotated[
    Text, typer.Option("--to", metavar="ADDRESS", help="Stored recipient address; - to paste one.")
]
Each = list[str] | None
Weight = Annotated[
    Each,
    typer.Option("--weight", metavar="WEIGHT", help="2.3kg, 2lb6oz, or scale; repeat it for more parcels."),
]
Size = Annotated[
    Each, typer.Option("--size", metavar="LxWxH", help="30x20x10cm, 12x8x4in; one for each weight.")
]
Box = Annotated[
    Each, typer.Option("--box", metavar="BOX", help="Your box or a carrier's: shipcli parcels presets.")
]
Goods = Annotated[
    Each,
    typer.Option(
        "--goods",
        metavar="GOODS",
        help="What is in it, for customs: Mug:2:12.50USD:6912.00:CN, or SKU:2 of a product; repeat it.",
    ),
]
Piece = Annotated[
    Each,
    typer.Option("--piece", metavar="WEIGHT:SIZE", help="A whole parcel: 2lb:12x8x4in or 2lb:M; repeat it."),
]
Reference = Annotated[Text, typer.Option("--reference", help="Your own reference, such as an order number.")]
LabelType = Annotated[Text, typer.Option("--label-type", metavar="TYPE", help="PDF, ZPL or PNG.")]
Option = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="A shipping option, such as insurance=100."),
]
Metadata = Annotated[
    list[str] | None,
    typer.Option("--metadata", metavar="KEY=VALUE", help="Your own key and value; no sensitive data."),
]

PASTED = "-"
LOOKS_LIKE_SIZE = re.compile(r"[\d.,]+ *[x×*]")


@dataclass(frozen=True)
class RouteOptions:
    """Where a shipment goes, and from where."""

    to: To = None
    to_name: Annotated[Text, typer.Option("--to-name", help="Recipient's name.")] = None
    to_company: Annotated[Text, typer.Option("--to-company", help="Recipient's company.")] = None
    to_line1: Annotated[Text, typer.Option("--to-line1", help="Street and number.")] = None
    to_line2: Annotated[Text, typer.Option("--to-line2", help="Second address line.")] = None
    to_city: Annotated[Text, typer.Option("--to-city", help="City.")] = None
    to_state: Annotated[Text, typer.Option("--to-state", help="State or province, by code or name.")] = None
    to_postal_code: Annotated[Text, typer.Option("--to-postal-code", help="Postal code.")] = None
    to_country: Annotated[
        Text, typer.Option("--to-country", help="Country, by code or name; the shipper's by default.")
    ] = None
    to_phone: Annotated[Text, typer.Option("--to-phone", help="Phone number.")] = None
    to_email: Annotated[Text, typer.Option("--to-email", help="E-mail address.")] = None
    from_: From = None

    def names_recipient(self) -> bool:
        """Whether anything is given about the recipient."""
        return any(value for name, value in vars(self).items() if name != "from_")

    def find_recipient(self, data: Sequence[str] | None) -> Mapping[str, str] | None:
        """A stored address by its name, one that is pasted (`--to -`), or the fields that are given.

        Errors: NotFound; Usage listing the candidates, or for fields beside a name; Invalid for a text that
        is no address.
        """
        flags = {
            "person_name": self.to_name, "company_name": self.to_company, "address_line1": self.to_line1,
            "address_line2": self.to_line2, "city": self.to_city, "state_code": self.to_state,
            "postal_code": self.to_postal_code, "country_code": read_country(self.to_country),
            "phone_number": self.to_phone, "email": self.to_email,
        }  # fmt: skip
        fields = {name: value for name, value in flags.items() if value is not None}
        if self.to and self.to != PASTED and fields:
            raise make_conflict_error("--to")
        if self.to != PASTED:
            return use_stored_address("--to", self.to, "recipient", data) or fields
        home = None if self.from_ else get_run().ship_defaults.shipper().get("country_code")
        return paste_address(fields, home)


@dataclass(frozen=True)
class PieceOptions:
    """What is shipped: the first parcel has the first value of each option, and so on."""

    weight: Weight = None
    size: Size = None
    box: Box = None
    goods: Goods = None
    piece: Piece = None

    def list_parcels(self) -> list[dict[str, Any]]:
        """The fields of parcels.

        Errors: Usage if one option is given for more parcels than another.
        """
        options = {"box": self.box, "weight": self.weight, "size": self.size}
        filled = {name: values for name, values in options.items() if values}
        if self.piece:
            if filled:
                raise Usage(f"--piece says it all; leave out {' and '.join(f'--{name}' for name in filled)}")
            return [_read_piece(text) for text in self.piece]
        counts = {name: len(values) for name, values in filled.items()}
        if len(set(counts.values())) > 1:
            summary = " and ".join(f"{count} --{name}" for name, count in counts.items())
            raise Usage(f"{summary}: say each once for every parcel")
        return [_make_parcel(**{name: values[at] for name, values in filled.items()})
                for at in range(max(counts.values(), default=0))]  # fmt: skip

    def list_goods(self) -> list[dict[str, Any]]:
        """The goods, completed from the product if one begins with its SKU.

        Errors: Invalid.
        """
        unit = get_run().config["weight_unit"] or None
        articles = (parts_goods.parse_goods(text, unit) for text in self.goods or ())
        return [
            parts_goods.use_product(article, get_run().ship_defaults.product(article["title"]))
            for article in articles
        ]


@dataclass(frozen=True)
class DetailOptions:
    """Further fields of a shipment."""

    reference: Reference = None
    label_type: LabelType = None
    option: Option = None
    metadata: Metadata = None

    def list_fields(self) -> dict[str, Any]:
        """The fields of a body; empty ones are left out when they are merged.

        Errors: Usage for an option that no carrier knows.
        """
        return {
            "reference": self.reference,
            "label_type": read_code(self.label_type),
            "options": read_options(self.option),
            "metadata": read_pairs(self.metadata, "--metadata"),
        }


@dataclass(frozen=True)
class ShipmentDescription:
    """A shipment, or several of a file, as a command describes it; missing fields are filled in.

    Shapes: `services` and `carriers` are those to get prices for.
    """

    route: RouteOptions
    pieces: PieceOptions
    details: DetailOptions
    data: Data = None
    from_file: File = None
    services: Sequence[str] = ()
    carriers: Sequence[str] = ()

    def make_bodies(self, label_type: str | None = None) -> list[dict[str, Any]]:
        """The bodies that file, `-d` and options describe.

        Shapes: `label_type` is the usual label format, if the command implies another than the stored one.
        Errors: Usage; Invalid for a weight or size that cannot be read; NotFound for an address.
        """
        flags, parcels, goods = self._list_fields(), self.pieces.list_parcels(), self.pieces.list_goods()
        bodies = read_bodies({}, self.data, self.from_file)
        defaults = get_run().ship_defaults
        defaults = replace(defaults, label_type=label_type or defaults.label_type)
        complete = (shorthand.complete_body(defaults, merge_flags(body, flags), parcels) for body in bodies)
        loaded = (shorthand.add_goods(defaults, body, goods) if goods else body for body in complete)
        return [shorthand.choose_own_boxes(defaults, body) for body in loaded]

    def _list_fields(self) -> dict[str, Any]:
        fields = {
            "shipper": use_stored_address("--from", self.route.from_, "shipper", self.data),
            "recipient": self.route.find_recipient(self.data),
            **self.details.list_fields(),
            "services": list(self.services),
            "carrier_ids": list(self.carriers),
        }
        return {key: value for key, value in fields.items() if value}


def merge_flags(body: Mapping[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    """Merge flags into a body; objects keep the keys that no flag names."""
    merged = dict(body)
    for key, value in flags.items():
        inner = merged.get(key)
        if isinstance(inner, dict) and isinstance(value, dict) and "id" not in value:
            value = {**inner, **value}
        merged[key] = value
    return merged


def read_options(words: Sequence[str] | None) -> dict[str, Any]:
    """Shipping options by name; unknown ones can be given with `-d options.NAME=VALUE`.

    Errors: Usage for a name that no carrier knows, naming the nearest.
    """
    options = {
        name: read_value(convert_decimal_comma(value))
        if name in catalogue_rows.MONEY and isinstance(value, str)
        else value
        for name, value in read_pairs(words, "--option").items()
    }
    names = option_names.list_option_names() if options else set()
    for name, value in options.items():
        if wrong := option_names.find_wrong_value(name, value):
            raise Usage(f"--option {name}: {wrong}")
        if name not in names:
            near = _suggest_option(name, names)
            suggestion = f"; did you mean {near}?" if near else ""
            raise Usage(f"--option {name}: no carrier has such an option{suggestion}",
                        hint="shipcli carriers options CARRIER")  # fmt: skip
    return options


def _suggest_option(word: str, names: Collection[str]) -> str | None:
    """An option of all carriers that begins so, or the nearest of any, or one of a carrier that begins so."""
    shared = [name for name in option_names.list_shared_names() if name.startswith(word)]
    own = [name for name in names if name.startswith(word)]
    return min(shared, default=None) or find_nearest(word, names) or min(own, default=None)


def _read_piece(text: str) -> dict[str, Any]:
    """`2lb:12x8x4in` or `2lb:M`: a weight, and the sizes or the box."""
    weight, _, remainder = text.partition(":")
    if not weight:
        raise Usage(f"--piece {text}: write a weight, and sizes or a box: 2lb:12x8x4in, 2lb:M")
    measured = LOOKS_LIKE_SIZE.match(remainder)
    return _make_parcel(
        remainder if remainder and not measured else None, weight, remainder if measured else None
    )


def _make_parcel(box: Text = None, weight: Text = None, size: Text = None) -> dict[str, Any]:
    return ({"package_preset": box} if box else {}) | read_weight(weight) | read_size(size)


def take_only(parcels: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The fields of the only parcel of a stored draft.

    Errors: Usage if there are several parcels.
    """
    if len(parcels) > 1:
        raise Usage("a stored draft takes one --weight, --size and --box",
                    hint="shipcli parcels update ID changes a parcel of a draft")  # fmt: skip
    return parcels[0] if parcels else {}
