"""USPS Web Tools to other countries: the domestic service with other documents, one kind for each product.

The platform has been off since 25 January 2026; it works in the sandbox.
"""

from __future__ import annotations

from shipcli.carrier import DESTINATION_NOT_SERVICED, Call, Reply
from shipcli.carrier.wire import xml
from shipcli.models import Quote, RateRequest, ShipmentRequest

from ..usps_wt import HOME, UspsWt
from . import rates, shipments
from .shipments import CATALOGUE


class UspsWtInternational(UspsWt):
    """USPS Web Tools International."""

    slug = "usps_wt_international"
    name = "USPS Web Tools International"
    tells_tax_number = False
    tells_payer = False
    goods_currencies = ("USD",)
    option_currency = "USD"
    retired = "usps_international"
    catalogue = CATALOGUE
    cancel_api = "eVSICancel"

    def check_recipient(self, country: str | None) -> None:
        if country == HOME:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver inside the US")

    def rate_call(self, request: RateRequest) -> Call:
        packages = [
            rates.write_package(request, at, options, self.now)
            for at, options in enumerate(self.options_of_each(request))
        ]
        return self.call("IntlRateV2", "IntlRateV2Request", {"Revision": 2, "Package": packages})

    def read_rates(self, reply: Reply, request: RateRequest) -> list[list[Quote]]:
        names = rates.price_names(request)
        day = self.options_of(request).ship_date() or self.today_at(request.shipper)
        pairs = zip(xml.every(reply.xml, "Package"), request.parcels, strict=False)
        return [
            rates.read_package(node, self.options_of(request, parcel), names, day) for node, parcel in pairs
        ]

    def label_call(self, request: ShipmentRequest, at: int) -> Call:
        options, api = self.options_of_each(request)[at], shipments.label_api(request.service)
        shipments.check_product(api, options)
        fields = shipments.write_fields(request, at, options, self.ship_day(request))
        body = shipments.pick_fields(api, {**fields, **self.mailer})
        return self.call(self.certified(api), f"{api}Request", body, repeatable=False)
