"""Shipments and orders to make documents of, and eyes for what was made."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.models import Order, Shipment

PORTO = {
    "id": "adr_1", "company_name": "Olaria São João, Lda.", "person_name": "Conceição Araújo",
    "address_line1": "Rua das Flores 12", "city": "Barcelos", "postal_code": "4750-123", "country_code": "PT",
    "phone_number": "+351 253 000 000", "federal_tax_id": "PT501234567",
}  # fmt: skip
BERLIN = {
    "id": "adr_2", "company_name": "Zażółć & Gęślą Jaźń GmbH", "person_name": "Zoë Müller",
    "address_line1": "Pariser Platz 1", "city": "Berlin", "postal_code": "10117", "country_code": "DE",
}  # fmt: skip
RIYADH = {
    "id": "adr_3", "company_name": "شركة الشحن السريع", "person_name": "محمد عبد الله",
    "address_line1": "شارع الملك فهد", "city": "الرياض", "postal_code": "11564", "country_code": "SA",
}  # fmt: skip
BEIJING = {
    "id": "adr_4", "company_name": "北京远洋国际贸易有限公司", "person_name": "王小明",
    "address_line1": "朝阳区建国路88号", "city": "北京", "postal_code": "100022", "country_code": "CN",
}  # fmt: skip
LONG = {
    "id": "adr_5",
    "person_name": "Maximiliane-Friederike von Hohenstein-Wittgenstein 🎁",
    "company_name": "Internationale Handelsgesellschaft für handgefertigte Keramik mbH & Co. KG",
    "address_line1": "Donaudampfschifffahrtsgesellschaftskapitänsstraße 1234",
    "city": "Garmisch-Partenkirchen",
    "postal_code": "82467",
    "country_code": "DE",
}
IDS = {
    "aes": "X20310507123456",
    "eel_pfc": "NOEEI 30.37(a)",
    "license_number": "L-77",
    "certificate_number": "C-12",
    "nip_number": "5260001246",
    "eori_number": "PT123456789000",
    "vat_registration_number": "PT999999990",
}


def items(count: int, **changes: Any) -> list[dict[str, Any]]:
    return [
        {
            "id": f"cdt_{at}",
            "title": f"Stoneware bowl, size {at}",
            "quantity": 1 + at % 3,
            "sku": f"BOWL-{at:03}",
            "hs_code": "6912.00",
            "weight": Decimal("0.45"),
            "weight_unit": "KG",
            "value_amount": Decimal("12.50"),
            "value_currency": "EUR",
            "origin_country": "PT",
            **changes,
        }
        for at in range(count)
    ]


def shipment(count: int = 3, **changes: Any) -> Shipment:
    goods = items(count)
    parcel = {
        "id": "pcl_1",
        "weight": Decimal("12.4"),
        "weight_unit": "KG",
        "length": 40,
        "width": 30,
        "height": 20,
        "dimension_unit": "CM",
        "items": goods,
    }
    customs = {
        "id": "cst_1", "content_type": "merchandise", "incoterm": "DDP", "invoice": "INV-42",
        "invoice_date": "2031-05-07", "signer": "Conceição Araújo", "certify": True, "commodities": goods,
        "duty": {"paid_by": "sender", "currency": "EUR", "declared_value": Decimal("400")}, "options": IDS,
    }  # fmt: skip
    return Shipment.model_validate(
        {
            "id": "shp_1",
            "status": "purchased",
            "tracking_number": "1Z999AA10123456784",
            "carrier_name": "ups",
            "service": "ups_worldwide_express",
            "reference": "SO-1042",
            "shipper": PORTO,
            "recipient": BERLIN,
            "parcels": [parcel],
            "customs": customs,
            **changes,
        }
    )


def order(count: int = 2, **changes: Any) -> Order:
    lines = [{**item, "unfulfilled_quantity": 1} for item in items(count)]
    return Order.model_validate(
        {"id": "ord_1", "order_id": "SO-1042", "shipping_to": BERLIN, "line_items": lines, **changes}
    )


def texts(pdf: bytes) -> list[str]:
    """The text of every page."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as book:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in book]


def codes(pdf: bytes, page: int = 0, scale: float = 4.0) -> dict[str, str]:
    """What a scanner reads on a page: text to symbology identifier."""
    import pypdfium2
    import zxingcpp

    with pypdfium2.PdfDocument(pdf) as book:
        picture = book[page].render(scale=scale).to_pil()
    return {found.text: found.symbology_identifier for found in zxingcpp.read_barcodes(picture)}


def pictures(pdf: bytes) -> int:
    """How many pictures a file holds."""
    import pypdfium2
    import pypdfium2.raw as raw

    with pypdfium2.PdfDocument(pdf) as book:
        return sum(1 for page in book for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))
