"""The United States Postal Service to other countries: the domestic service with other paths and bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from carriers.usps import Usps
from carriers.usps import wire as domestic
from carriers.usps.account import UspsConfig
from carriers.usps.wire import Piece, given
from carriers.usps_international.catalogue import OPTIONS, PACKAGING, SERVICES
from carriers.usps_international.wire import write_customs, write_recipient
from shipcli.carrier import DESTINATION_NOT_SERVICED, Flow
from shipcli.models import Quote, RateRequest, ShipmentRequest


class UspsInternationalConfig(UspsConfig):
    """The domestic settings, and the price list asked for where a request names none."""

    price_type: Literal["RETAIL", "COMMERCIAL", "COMMERCIAL_BASE", "COMMERCIAL_PLUS", "CONTRACT"] | None = (
        None
    )


class UspsInternational(Usps):
    slug = "usps_international"
    name = "USPS International"
    Config = UspsInternationalConfig
    config: UspsInternationalConfig
    services, options, packaging = SERVICES, OPTIONS, PACKAGING
    also_reads = frozenset({"usps_restriction_type", "usps_restriction_comments"})
    price_path = "/international-prices/v3/total-rates/search"
    label_path = "/international-labels/v3/international-label"
    lists_extras = False

    def check_route(self, request: RateRequest | ShipmentRequest) -> None:
        self.check_origin(request)
        if request.recipient.country_code == "US":
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver inside the US")

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """Prices of the services asked for.

        One mail class can be named to the carrier; for several all are asked for, and the others dropped.
        """
        found = yield from super().rate(request)
        wanted = self.wanted(request)
        return [one for one in found if self.services.code(one.service or "") in wanted] if wanted else found

    def wanted(self, request: RateRequest) -> list[str]:
        """The mail classes asked for when they are several."""
        codes = [row.code for row in self.services.chosen(request.services)]
        return codes if len(codes) > 1 and "ALL" not in codes else []

    def price_body(self, request: RateRequest, piece: Piece) -> dict[str, Any]:
        chosen = self.services.chosen(request.services)
        recipient, customs = request.recipient, request.customs
        goods = piece.parcel.items or (customs.commodities if customs else ())
        price_type = piece.option("usps_price_type") or self.config.price_type
        return domestic.write_price(piece, self.payer()) | given(
            foreignPostalCode=recipient.postal_code,
            destinationCountryCode=recipient.country_code,
            mailClass=chosen[0].code if len(chosen) == 1 else "ALL",
            itemValue=domestic.goods_value(goods),
            priceType=price_type,
        )

    def label_body(
        self, request: ShipmentRequest, piece: Piece, kind: str, package: Mapping[str, Any]
    ) -> dict[str, Any]:
        shipper = domestic.write_address(request.shipper)
        return given(
            imageInfo={"imageType": kind, "labelType": "4X6LABEL"},
            toAddress=write_recipient(request.recipient),
            fromAddress=shipper,
            senderAddress=shipper,
            packageDescription=package,
            customsForm=write_customs(piece),
        )

    def label_reference(self, reference: str | None, index: int) -> dict[str, Any]:
        """References of this product have no say in whether they are printed."""
        said = super().label_reference(reference, index)
        return {"referenceNumber": said["referenceNumber"]}
