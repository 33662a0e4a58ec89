"""Writers and readers of shipments: the order of a label, its customs declaration, what comes back. Pure.

Source: shipment.xsd of the Canada Post web services (v8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP
from typing import Any

from lxml.etree import _Element

from carriers.canadapost.catalogue import (
    LABEL_ALIASES,
    LABEL_FORMS,
    NON_DELIVERY,
    OPTIONS,
    PAYMENT_METHODS,
    RETURN_AT_SENDERS_EXPENSE,
    SERVICES,
    LabelForm,
)
from carriers.canadapost.wire import (
    CURRENCY,
    GRAM,
    LINE,
    NO_PHONE,
    Account,
    address_details,
    characteristics,
    extras,
    mailing_date,
    postal,
    written,
)
from shipcli.carrier import ChosenOption
from shipcli.carrier.xml import element, every, find
from shipcli.models import Address, Commodity, Customs, Parcel, ShipmentRequest

SPACE = "http://www.canadapost.ca/ws/shipment-v8"


def label_form(request: ShipmentRequest, configured: str | None) -> LabelForm:
    """The label asked for, else the connection's, else PDF at 4 x 6 inches."""
    names = (request.label_type, configured, "PDF")
    found = (LABEL_FORMS.get(LABEL_ALIASES.get(name, name)) for name in names if name)
    return next(form for form in found if form)


def write_shipment(
    account: Account, request: ShipmentRequest, parcel: Parcel, request_id: str, form: LabelForm
) -> _Element:
    """The order of one label; `request_id` finds it again."""
    body = {
        "customer-request-id": request_id,
        "group-id": account.group,
        "transmit-shipment": "" if account.group is None else None,
        "requested-shipping-point": postal(request.shipper.postal_code),
        "expected-mailing-date": mailing_date(request.options),
        "provide-pricing-info": True,
        "delivery-spec": _delivery(account, request, parcel, form),
    }
    return element("shipment", body, SPACE)


def _delivery(account: Account, request: ShipmentRequest, parcel: Parcel, form: LabelForm) -> dict[str, Any]:
    references = {
        "cost-centre": OPTIONS.value("canadapost_cost_center", request.options) or account.cost_centre,
        "customer-ref-1": request.reference[:35] if request.reference else None,
    }
    return {
        "service-code": SERVICES.code(request.service),
        "sender": _sender(request.shipper),
        "destination": _addressee(request.recipient),
        "options": written(_shipment_options(request, parcel)),
        "parcel-characteristics": characteristics(parcel),
        "notification": _notification(request, parcel),
        "print-preferences": {"output-format": form.size, "encoding": form.encoding},
        "preferences": {
            "show-packing-instructions": False,
            "show-postage-rate": True,
            "show-insured-value": True,
        },
        "references": references if any(references.values()) else None,
        "customs": _customs(request) if request.customs and _abroad(request) else None,
        "settlement-info": _settlement(account, request),
    }


def _abroad(request: ShipmentRequest) -> bool:
    return request.recipient.country_code not in (None, "CA")


def _shipment_options(request: ShipmentRequest, parcel: Parcel) -> list[ChosenOption]:
    """A shipment abroad must say what happens when it cannot be delivered: by default it comes back."""
    chosen = extras(request, parcel)
    if not _abroad(request) or any(one.code in NON_DELIVERY for one in chosen):
        return chosen
    return [*chosen, *OPTIONS.chosen({RETURN_AT_SENDERS_EXPENSE: True})]


def _sender(shipper: Address) -> dict[str, Any]:
    return {
        "name": _text(shipper.person_name),
        "company": _text(shipper.company_name or shipper.person_name),
        "contact-phone": (shipper.phone_number or NO_PHONE)[:25],
        "address-details": address_details(shipper),
    }


def _addressee(recipient: Address) -> dict[str, Any]:
    return {
        "name": _text(recipient.person_name),
        "company": _text(recipient.company_name),
        "client-voice-number": (recipient.phone_number or NO_PHONE)[:25],
        "address-details": address_details(recipient),
    }


def _text(value: str | None) -> str | None:
    return value[:LINE] if value else None


def _notification(request: ShipmentRequest, parcel: Parcel) -> dict[str, Any] | None:
    options = {**request.options, **parcel.options}
    wanted = request.recipient.email if options.get("email_notification") else None
    email = options.get("email_notification_to") or wanted
    if not email:
        return None
    return {"email": email, "on-shipment": True, "on-exception": True, "on-delivery": True}


def _settlement(account: Account, request: ShipmentRequest) -> dict[str, Any]:
    payment = request.payment
    return {
        "paid-by-customer": (payment and payment.account_number) or account.customer,
        "contract-id": account.contract,
        "intended-method-of-payment": PAYMENT_METHODS.get(payment.paid_by) if payment else None,
    }


def _customs(request: ShipmentRequest) -> dict[str, Any]:
    """The declaration. Only amounts fit `duties-and-taxes-prepaid`, so no account number goes there."""
    customs = request.customs
    assert customs is not None
    return {
        "currency": _customs_currency(request, customs),
        "reason-for-export": "OTH",
        "other-reason": (customs.content_type or "other")[:44],
        "sku-list": {"item": [_sku(item, request.shipper.state_code) for item in _goods(request, customs)]},
        "certificate-number": _short(customs.options.get("certificate_number")),
        "licence-number": _short(customs.options.get("license_number")),
        "invoice-number": _short(customs.invoice),
    }


def _goods(request: ShipmentRequest, customs: Customs) -> Sequence[Commodity]:
    return customs.commodities or [item for parcel in request.parcels for item in parcel.items]


def _customs_currency(request: ShipmentRequest, customs: Customs) -> str:
    duty = customs.duty.currency if customs.duty else None
    items = (item.value_currency for item in _goods(request, customs))
    return request.options.get("currency") or duty or next((one for one in items if one), CURRENCY)


def _short(value: Any) -> str | None:
    return str(value)[:10] if value else None


def _sku(item: Commodity, province: str | None) -> dict[str, Any]:
    """One kind of goods; the province of origin is the sender's where the goods are Canadian."""
    weight = item.weight_in("KG")
    return {
        "customs-number-of-units": item.quantity,
        "customs-description": (item.title or item.description or "item")[:35],
        "sku": item.sku[:15] if item.sku else None,
        "hs-tariff-code": _tariff_code(item.hs_code),
        "unit-weight": max(weight.quantize(GRAM, ROUND_HALF_UP), GRAM) if weight else None,
        "customs-value-per-unit": item.value_amount,
        "country-of-origin": item.origin_country,
        "province-of-origin": province if item.origin_country in (None, "CA") else None,
    }


def _tariff_code(code: str | None) -> str | None:
    """610910 as 6109.10, the only spelling the schema allows; anything that is no such code is passed on."""
    digits = "".join(one for one in code or "" if one.isdigit())
    if len(digits) not in (4, 6, 8, 10):
        return code or None
    return ".".join([digits[:4], *(digits[at : at + 2] for at in range(4, len(digits), 2))])


@dataclass(frozen=True, slots=True)
class Link:
    """Where something of a reply is to be had, and as what."""

    rel: str
    href: str
    media_type: str


def read_links(node: _Element, rel: str) -> list[Link]:
    """The links of one relation, in the order of the reply."""
    found = (
        Link(one.get("rel", ""), one.get("href", ""), one.get("media-type", ""))
        for one in every(node, "link")
    )
    return [link for link in found if link.rel == rel and link.href]


@dataclass(frozen=True, slots=True)
class Sold:
    """A shipment at the carrier. `pin` may be missing where the service is not tracked."""

    id: str
    pin: str
    transmitted: bool
    labels: tuple[Link, ...]
    invoices: tuple[Link, ...]
    details: tuple[Link, ...]


def read_sold(root: _Element) -> Sold:
    """What the carrier knows of a shipment.

    Errors: LookupError when the reply holds none.
    """
    info = next(iter(every(root, "shipment-info")), None)
    number = find(info, "shipment-id") if info is not None else None
    if info is None or number is None:
        raise LookupError("no shipment-id")
    return Sold(
        number,
        find(info, "tracking-pin") or number,
        find(info, "shipment-status") == "transmitted",
        tuple(read_links(info, "label")),
        tuple(read_links(info, "commercialInvoice")),
        tuple(read_links(info, "details")),
    )


def write_refund(email: str) -> _Element:
    """The request to take a transmitted shipment back."""
    return element("shipment-refund-request", {"email": email}, SPACE)
