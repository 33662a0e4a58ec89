"""What the simulated DHL answers, as DHL writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import Booking, Priced, Refusal, Sale
from shipcli.carrier.json_paths import Json
from shipcli.carrier.price_list import arrival_day
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking
from shipcli.carrier.xml import Element, document

CATALOGUE = load_catalogue(__file__)
SUCCESS = {"ActionNote": "Success"}


def write_answer(root: str, body: Mapping[str, Any]) -> Element:
    return document(root, body, "http://www.dhl.com", "res")


def write_refusal(root: str, refusal: Refusal) -> Element:
    said = {"Condition": {"ConditionCode": refusal.code, "ConditionData": refusal.text}}
    if root == "DCTResponse":
        return write_answer(root, {"GetQuoteResponse": {"Note": said}})
    return write_answer(root, {"Response": {"Status": {"ActionStatus": "Error", **said}}})


# -- prices and labels -----------------------------------------------------------------------------


def write_prices(booking: Booking, offers: Sequence[Priced], now: datetime) -> Element:
    products = [_write_product(booking, one, now) for one in offers]
    answer = {"BkgDetails": {"QtdShp": products}, "Note": {"ActionStatus": "Success"}}
    return write_answer("DCTResponse", {"GetQuoteResponse": answer})


def _write_product(booking: Booking, priced: Priced, now: datetime) -> Json:
    name = CATALOGUE.table("products")[priced.offer.code][1]
    start = booking.ship_date or now.date()
    names, known = ("SpecialServiceType", "LocalServiceTypeName", "ChargeValue"), CATALOGUE.surcharges
    extras = [(known[word].code, word.upper(), amount) for word, amount in priced.extras.items()]
    lines = [("FF", "FUEL SURCHARGE", priced.offer.fuel), *extras]
    return {
        "GlobalProductCode": priced.offer.code,
        "LocalProductCode": priced.offer.code,
        "LocalProductName": name,
        "PickupDate": start,
        "CurrencyCode": priced.currency,
        "WeightCharge": priced.offer.base,
        "TotalTransitDays": priced.offer.days,
        "DeliveryDate": {"DlvyDateTime": f"{arrival_day(start, priced.offer.days)} 23:59:00"},
        "QtdShpExChrg": [dict(zip(names, line, strict=True)) for line in lines],
        "PricingDate": start,
        "ShippingCharge": priced.total,
    }


def write_sale(sale: Sale, order: Json, label: str, invoice: str | None) -> Element:
    booking, price = sale.booking, sale.priced
    mark = CATALOGUE.table("products")[booking.service][0]
    money = {"CurrencyCode": price.currency, "CurrencyRoleTypeCode": "BILLC"}
    form = {"DocName": "CustomInvoiceImage", "DocFormat": "PDF", "DocImageVal": invoice}
    image = {
        "OutputFormat": order["LabelImageFormat"],
        "OutputImage": label,
        "MultiLabels": {"MultiLabel": form} if invoice else None,
    }
    answer = {
        "RegionCode": order.get("RegionCode", "AM"),
        "Note": SUCCESS,
        "AirwayBillNumber": sale.identifier,
        "CurrencyCode": price.currency,
        "Rated": "Y",
        "ShippingCharge": price.total,
        "Piece": len(sale.numbers),
        "GlobalProductCode": booking.service,
        "ProductContentCode": mark,
        "Pieces": {"Piece": [{"DataIdentifier": "J", "LicensePlate": plate} for plate in sale.numbers]},
        "QtdSInAdCur": {**money, "PackageCharge": price.offer.base, "ShippingCharge": price.total},
        "LabelImage": image,
    }
    return write_answer("ShipmentResponse", answer)


# -- tracking, collections, routes -----------------------------------------------------------------


def write_trackings(found: Sequence[tuple[str, SimulatedTracking | None, Json]]) -> Element:
    return write_answer("TrackingResponse", {"AWBInfo": [_write_waybill(*one) for one in found]})


def _write_waybill(number: str, seen: SimulatedTracking | None, label: Json) -> Json:
    if seen is None:
        text = f"No Shipments Found for AWBNumber {number}"
        status = {"ConditionCode": "103", "ConditionData": text}
        return {"AWBNumber": "", "Status": {"ActionStatus": "No Shipments Found", "Condition": status}}
    due, country = seen.estimated, seen.scans[0].country
    place = {"CountryCode": label.get("destination"), "PostalCode": label.get("recipient_postal_code")}
    return {
        "AWBNumber": number,
        "Status": {"ActionStatus": "success"},
        "ShipmentInfo": {
            "ConsigneeName": label.get("recipient_name"),
            "ShipmentDate": f"{seen.scans[0].at:%Y-%m-%dT%H:%M:%S}",
            "Weight": str(label["weight_kg"]) if "weight_kg" in label else None,
            "WeightUnit": "K" if "weight_kg" in label else None,
            "EstDlvyDate": f"{due:%Y-%m-%d %H:%M:%S} GMT+00:00" if due else None,
            "Shipper": {"CountryCode": label.get("origin") or country},
            "Consignee": place,
            "ShipmentEvent": [_write_scan(scan) for scan in seen.scans],
        },
    }


def _write_scan(scan: Scan) -> Json:
    code = CATALOGUE.table("scans").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    return {
        "Date": f"{scan.at:%Y-%m-%d}",
        "Time": f"{scan.at:%H:%M:%S}",
        "ServiceEvent": {"EventCode": code, "Description": scan.description},
        "Signatory": "S. AMPLE" if scan.status == "delivered" else "",
        "ServiceArea": {"Description": f"{scan.city.upper()}-{scan.country}"},
    }


def write_pickup(root: str, booked: Mapping[str, Any]) -> Element:
    answer = {
        "RegionCode": "AM",
        "Note": SUCCESS,
        "ConfirmationNumber": booked["number"],
        "ReadyByTime": booked.get("ready"),
        "NextPickupDate": booked.get("day"),
        "CallInTime": booked.get("closes"),
        "OriginSvcArea": booked.get("area"),
    }
    return write_answer(root, answer)


def write_route(asked: Json) -> Element:
    area = {"ServiceAreaCode": asked["City"][:3].upper(), "Description": asked["City"]}
    answer = {"Note": SUCCESS, "RegionCode": asked["RegionCode"], "ServiceArea": area}
    return write_answer("RouteResponse", answer)
