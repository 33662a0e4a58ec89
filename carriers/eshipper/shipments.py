"""Labels of eShipper: what a purchase says beside what was priced, and what was sold. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, read_cost
from shipcli.carrier.contents import holds_only_documents
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rounding import round_half_up
from shipcli.carrier.wire.rows import read_or_skip
from shipcli.models import Address, Commodity, Customs, Invalid, Label, ShipmentRequest

from .parts import CATALOGUE, Request, behind, write_address
from .rates import read_quote


def write_shipment(draft: Json, request: ShipmentRequest, options: RequestOptions) -> Json:
    """The priced draft with what only a purchase says."""
    customs = find_customs(request)
    extras = {
        "customsInformation": write_customs(request, customs, options) if customs else None,
        "cod": write_cash(request.recipient) if options.amount("eshipper_cod") else None,
        "thirdPartyBilling": write_third_party(request, options),
        "commodityType": customs.content_type if customs else None,
    }
    written: Json = drop_empty({**draft, **extras})
    return written


def find_customs(request: Request) -> Customs | None:
    """The declaration of a shipment; None for one that is not declared and stays in its country."""
    abroad = request.shipper.country_code != request.recipient.country_code
    return request.customs or (_undeclared(request) if abroad else None)


def has_gap(request: Request) -> bool:
    """Whether goods for customs lack a description or a quantity: eShipper prices and does not sell them."""
    customs = find_customs(request)
    items = [_item(commodity) for commodity in customs.commodities] if customs else []
    return bool(customs) and not (items and all(item["description"] and item["quantity"] for item in items))


def _undeclared(request: Request) -> Customs:
    """The declaration of a shipment that nobody declared: its items, else its parcels."""
    items = [item for parcel in request.parcels for item in parcel.items]
    parcels = [
        Commodity(sku=f"000{at}", description=parcel.content, quantity=1)
        for at, parcel in enumerate(request.parcels, 1)
    ]
    return Customs(commodities=items or parcels)


def write_cash(recipient: Address) -> Json:
    """Where cash is collected; how much stands with the packages."""
    address = {
        "company": recipient.company_name,
        "name": recipient.name,
        "addressLine1": recipient.street,
        "city": recipient.city,
        "province": recipient.state_code,
        "country": recipient.country_code,
        "zip": recipient.postal_code,
    }
    return {"codAddress": address, "paymentType": "Cash"}


def write_third_party(request: ShipmentRequest, options: RequestOptions) -> Json | None:
    """Who pays, if it is neither side.

    Errors: Invalid when it is not said which carrier bills whom: eShipper wants the id of its carrier.
    """
    payment, payer = request.payment, request.billing_address
    if payment is None or payment.paid_by != "third_party":
        return None
    carrier = options.amount("eshipper_carrier_id")
    if not (carrier and payer and payment.account_number):
        needed = "an account_number, a billing_address and options.eshipper_carrier_id"
        raise Invalid("payment.paid_by", f"eShipper bills a third party by {needed}")
    return {
        "carrier": int(carrier),
        "country": payer.country_code,
        "billToAccountNumber": payment.account_number,
        "billToPostalCode": payer.postal_code,
    }


# -- customs ---------------------------------------------------------------------------------------


def write_customs(request: ShipmentRequest, customs: Customs, options: RequestOptions) -> Json:
    """Source: eShipper API v2, customsInformation: the goods stand under `items/item`."""
    duty, payer = customs.duty, _duty_payer(request, customs)
    return {
        "contact": {
            "contactCompany": request.shipper.company_name,
            "contactName": request.shipper.name,
            "recipientTaxId": request.recipient.federal_tax_id or request.recipient.state_tax_id,
        },
        "items": {
            "currency": name_declared_currency(request, options),
            "item": [_item(item) for item in customs.commodities],
        },
        "dutiesTaxes": {
            "dutiable": not holds_only_documents(request.parcels),
            "billTo": payer.name,
            "accountNumber": duty.account_number if duty else None,
            "sedNumber": RequestOptions.of_customs(CATALOGUE, customs).text("sed_number"),
        },
        "billingAddress": {**write_address(payer), "residential": None},
    }


def _duty_payer(request: ShipmentRequest, customs: Customs) -> Address:
    recipient_pays = customs.duty is not None and customs.duty.paid_by == "recipient"
    return customs.duty_billing_address or (request.recipient if recipient_pays else request.shipper)


def _item(item: Commodity) -> Json:
    return {
        "hsnCode": item.hs_code,
        "description": item.title or item.description,
        "originCountry": item.origin_country,
        "quantity": item.quantity,
        "unitPrice": round_half_up(item.value_amount or Decimal(0)),
        "skuCode": item.sku,
    }


# -- what was sold ---------------------------------------------------------------------------------


def read_shipment(body: Json) -> Label:
    """Shapes: a label for each package, or one for all; `quote` is the price; papers may be null.

    The order names freight that has no number of its own.
    """
    order, price = body["order"], body.get("quote")
    papers = as_list(get_path(body, "labelData/label"))
    files = list_files(paper.get("data") for paper in papers)
    kind = str(papers[0].get("type") or "PDF").upper() if files else None
    invoice = get_path(body, "customsInvoice/data")
    numbers = [
        number for package in as_list(body.get("packages")) if (number := package.get("trackingNumber"))
    ]
    names = {"orderId": order["id"], "tracking_numbers": numbers, "transactionId": body.get("transactionId")}
    return Label(
        tracking_number=body.get("trackingNumber") or str(order["id"]),
        shipment_identifier=str(order["id"]),
        label_type=kind,
        docs=merge_papers({"label": files, "invoice": list_files([invoice])}, kind or "PDF"),
        selected_rate=read_cost(read_quote, price) if price else None,
        meta=drop_empty(
            {
                "carrier_tracking_link": body.get("trackingUrl"),
                **(read_or_skip(behind, body.get("carrier") or price or {}) or {}),
                **names,
                "billingReference": body.get("billingReference"),
            }
        ),
    )
