"""The United States Postal Service to other countries: the domestic service with other paths and bodies."""

from __future__ import annotations

from typing import Literal

from shipcli.carrier import DESTINATION_NOT_SERVICED, Carrier, Flow
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Quote, RateRequest, ShipmentRequest

from ..usps import Usps, UspsConfig
from ..usps.parts import HOME, Piece
from . import wire


class UspsInternationalConfig(UspsConfig):
    """The domestic settings, and the price list asked for where a request names none."""

    price_type: Literal["RETAIL", "COMMERCIAL", "COMMERCIAL_BASE", "COMMERCIAL_PLUS", "CONTRACT"] | None = (
        None
    )


class UspsInternational(Usps):
    """USPS International."""

    slug = "usps_international"
    name = "USPS International"
    tells_payer = False
    goods_currencies = ("USD",)
    option_currency = "USD"
    Config = UspsInternationalConfig
    config: UspsInternationalConfig
    catalogue = wire.CATALOGUE
    also_reads = Usps.also_reads | {"usps_restriction_type", "usps_restriction_comments"}
    price_path = "/international-prices/v3/total-rates/search"
    label_path = "/international-labels/v3/international-label"
    find_locations = Carrier.find_locations  # of offices that USPS itself is asked for
    estimate_transit = Carrier.estimate_transit  # no mail class has a commitment abroad
    ship_return = Carrier.ship_return  # returns are labels inside the United States
    reprint_path = "/international-labels/v3/international-label-reprint"

    def check_recipient(self, country: str | None) -> None:
        if country == HOME:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver inside the US")

    def price_type(self, piece: Piece) -> str | None:
        return super().price_type(piece) or self.config.price_type

    def write_rate(self, request: RateRequest, piece: Piece) -> Json:
        return wire.write_rate(request, piece, self.price_type(piece), self.payer)

    def write_label(self, request: ShipmentRequest, piece: Piece, image: str, reference: Json) -> Json:
        return wire.write_label(request, piece, self.find_mail_class(request.service), image, reference)

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """Prices of the services asked for: of several all are asked for, and the others dropped."""
        quotes = yield from super().rate(request)
        chosen = {row.slug for row in self.services.list_chosen(request.services)}
        several = len(chosen) > 1 and "usps_all" not in chosen
        return [quote for quote in quotes if quote.service in chosen] if several else quotes
