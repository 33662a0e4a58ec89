"""Custom carrier: the user's own service levels, labels drawn here, nothing sent to anyone."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from shipcli.carrier import (
    FIELD_ERROR,
    Carrier,
    CarrierConfig,
    CarrierError,
    Credentials,
    Flow,
    Reply,
    load_catalogue,
)
from shipcli.carrier.printable import explain_unprintable
from shipcli.carrier.ratesheet import explain_rejections, list_quotes, price_by_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
)

from .shipments import Look, Piece, colour, make, template_of

CATALOGUE = load_catalogue(__file__)
FORMATS = ("PDF", "ZPL", "PNG")
DIGITS = 16
LONGEST_NUMBER = 35


def _checked_template(value: dict[str, Any] | None) -> dict[str, Any] | None:
    template_of(value)
    return value


def _checked_colour(value: str | None) -> str | None:
    if value:
        colour(value)
    return value


Colour = Annotated[str | None, AfterValidator(_checked_colour)]
Template = Annotated[dict[str, Any] | None, AfterValidator(_checked_template)]


class GenericAccount(Credentials):
    display_name: str
    custom_carrier_name: Annotated[str, Field(pattern="^[a-z0-9_]+$")]
    account_country_code: str | None = None
    account_number: str | None = None
    label_template: Template = None
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class GenericConfig(CarrierConfig):
    text_color: Colour = None
    brand_color: Colour = None


class Drawn(Label):
    """A label with the request it answers, for the sandbox's ledger; the plain form leaves it out."""

    request: ShipmentRequest = Field(exclude=True, repr=False)
    key: str = Field(exclude=True, repr=False)


class Voided(Confirmation):
    """A confirmation with the request it answers, likewise."""

    request: CancelRequest = Field(exclude=True, repr=False)


class Generic(Carrier[GenericAccount, GenericConfig]):
    slug = "generic"
    name = "Custom Carrier"
    Credentials, Config = GenericAccount, GenericConfig
    catalogue = CATALOGUE
    # Its name is the slug, so that a sandbox shows one name for it; it ships from any country.
    sample_account = {
        "display_name": "Sandbox Courier",
        "custom_carrier_name": "generic",
        "services": CATALOGUE.table("sample_sheet"),
    }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return ()

    # -- verbs: none of them calls anybody -----------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        yield from ()
        quotes = self.quotes(request)
        if not quotes:
            raise CarrierError(explain_rejections(self.levels(), request, self.home))
        return quotes

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        yield from ()
        return self.drawn(request)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The label once more: it follows from the key and the request alone."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from ()
        return Voided(success=True, operation="Cancel Shipment", request=request)

    # -- what they are made of -----------------------------------------------------------------

    def quotes(self, request: RateRequest) -> list[Quote]:
        """Prices from the service levels, under the name the user gave the carrier."""
        return list_quotes(
            self.levels(),
            request,
            carrier_name=self.account.custom_carrier_name,
            carrier_id=self.context.carrier_id or None,
            home=self.home,
        )

    def drawn(self, request: ShipmentRequest) -> Drawn:
        """The label of a purchase.

        Errors: CarrierError for a format, number or text that can't be printed.
        """
        file_format, numbers = self._format(request), self._numbers(request)
        pieces = [
            Piece(parcel, number, position, len(numbers))
            for position, (parcel, number) in enumerate(zip(request.parcels, numbers, strict=True), 1)
        ]
        content, label_type = self._file(request, pieces, file_format)
        several = {"tracking_numbers": numbers, "shipment_identifiers": numbers} if len(numbers) > 1 else {}
        return Drawn(
            tracking_number=numbers[0],
            shipment_identifier=numbers[0],
            label_type=label_type,
            docs={"label": base64.b64encode(content).decode()},
            selected_rate=self.price(request, request.parcels),
            meta={"service_name": self.service_name(request.service), **several},
            request=request,
            key=self.context.key,
        )

    def price(self, request: ShipmentRequest, parcels: Sequence[Parcel]) -> Quote | None:
        """What some parcels of a purchase cost; None for a service the sheet does not price there."""
        return price_by_sheet(self, request, parcels, self.account.custom_carrier_name)

    def service_name(self, code: str) -> str:
        return next((level.service_name for level in self.levels() if level.service_code == code), code)

    def _file(
        self, request: ShipmentRequest, pieces: Sequence[Piece], file_format: str | None
    ) -> tuple[bytes, str]:
        look, name = self._look(), self.service_name(request.service)
        day = self.today_at(request.shipper).isoformat() if look.template is not None else ""
        try:
            return make(look, request, name, pieces, day, file_format)
        except ValueError as error:  # a character without a font, a text without room
            message = explain_unprintable(request, getattr(error, "character", None))
            raise CarrierError(message) if message else self.refuse(FIELD_ERROR, str(error)) from error

    def _look(self) -> Look:
        brand = self.config.brand_color
        return Look(
            carrier_name=self.account.display_name,
            account_number=self.account.account_number,
            accent=colour(brand) if brand else None,
            template=template_of(self.account.label_template),
            connection=self.context.metadata,
            sample=self.context.sample,
        )

    def _format(self, request: ShipmentRequest) -> str | None:
        file_format = request.label_type.upper() if request.label_type else None
        if file_format and file_format not in FORMATS:
            raise self.refuse(FIELD_ERROR, f"label_type must be PDF, ZPL or PNG, not {request.label_type}")
        if not request.parcels:
            raise self.refuse(FIELD_ERROR, "A label needs a parcel")
        if file_format == "PNG" and len(request.parcels) > 1:
            raise self.refuse(FIELD_ERROR, "A PNG holds one label; several parcels come as PDF or ZPL")
        return file_format

    def _numbers(self, request: ShipmentRequest) -> list[str]:
        """A number for each parcel: its reference, or one made from the purchase's key; none twice."""
        reference = self.options.value("tracking_number_reference", request.options)
        parcel_numbers = [parcel.reference_number for parcel in request.parcels]
        parcel_numbers = [reference or parcel_numbers[0], *parcel_numbers[1:]]
        numbers: list[str] = []
        for index, number in enumerate(parcel_numbers):
            number = (number or "").strip()
            numbers.append(number if number and number not in numbers else self._digits(index))
        for number in numbers:
            self._check(number)
        return numbers

    def _check(self, number: str) -> None:
        if len(number) > LONGEST_NUMBER or not (number.isascii() and number.isprintable()):
            allowed = f"up to {LONGEST_NUMBER} letters, digits and signs of ASCII"
            raise self.refuse(FIELD_ERROR, f"{number!r} can't be a tracking number: {allowed}")

    def _digits(self, index: int) -> str:
        reference = f"{self.context.key}/{index}".encode()
        number = int.from_bytes(hashlib.blake2b(reference, digest_size=16).digest())
        return f"{number % 10**DIGITS:0{DIGITS}d}"
