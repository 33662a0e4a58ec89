"""The default columns of import and export files: field to header, in order.

Headers are matched by their exact text, in any order. The `*_MORE` columns are read where a
file has them and are not written by exports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import find_nearest

SHIPMENTS: Mapping[str, str] = {
    "id": "ID",
    "created_at": "Created at",
    "tracking_number": "Tracking number",
    "status": "Status",
    "shipper_id": "Shipper ID",
    "shipper_name": "Shipper name",
    "shipper_company": "Shipper Company",
    "shipper_phone": "Shipper phone",
    "shipper_email": "Shipper email",
    "shipper_address1": "Shipper address 1",
    "shipper_address2": "Shipper address 2",
    "shipper_city": "Shipper city",
    "shipper_state": "Shipper state",
    "shipper_postal_code": "Shipper postal code",
    "shipper_country": "Shipper country",
    "shipper_residential": "Shipper residential",
    "recipient_id": "Recipient ID",
    "recipient_name": "Recipient name",
    "recipient_company": "Recipient Company",
    "recipient_phone": "Recipient phone",
    "recipient_email": "Recipient email",
    "recipient_address1": "Recipient address 1",
    "recipient_address2": "Recipient address 2",
    "recipient_city": "Recipient city",
    "recipient_state": "Recipient state",
    "recipient_postal_code": "Recipient postal code",
    "recipient_country": "Recipient country",
    "recipient_residential": "Recipient residential",
    "parcel_width": "Parcel width",
    "parcel_height": "Parcel height",
    "parcel_length": "Parcel length",
    "parcel_dimension_unit": "Parcel dimension unit",
    "parcel_weight": "Parcel weight",
    "parcel_weight_unit": "Parcel weight unit",
    "parcel_package_preset": "Parcel package preset",
    "pieces": "Number of pieces",
    "service": "Service",
    "carrier": "Carrier",
    "rate": "Rate",
    "currency": "Currency",
    "paid_by": "Payor",
    "reference": "Reference",
    "options": "Options",
}

SHIPMENTS_MORE: Mapping[str, str] = {
    "shipper_address3": "Shipper address 3",
    "recipient_address3": "Recipient address 3",
    "goods": "Goods",
}

ORDERS: Mapping[str, str] = {
    "id": "ID",
    "order_id": "Order number",
    "order_date": "Order date",
    "order_source": "Order source",
    "order_status": "Status",
    "order_total": "Total",
    "order_currency": "Order Currency",
    "order_created_at": "Created at",
    "title": "Item title",
    "description": "Item Description",
    "quantity": "Item quantity",
    "sku": "Item sku",
    "hs_code": "HS tariff number",
    "value_amount": "Item price",
    "value_currency": "Item currency",
    "weight": "Item weight",
    "weight_unit": "Item weight unit",
    "shipping_to_name": "Shipping name",
    "shipping_to_company": "Shipping company",
    "shipping_to_address1": "Shipping address 1",
    "shipping_to_address2": "Shipping address 2",
    "shipping_to_city": "Shipping city",
    "shipping_to_state": "Shipping state",
    "shipping_to_postal_code": "Shipping postal code",
    "shipping_to_country": "Shipping country",
    "shipping_to_residential": "Shipping residential",
    "shipping_from_name": "From name",
    "shipping_from_company": "From company",
    "shipping_from_address1": "From address 1",
    "shipping_from_address2": "From address 2",
    "shipping_from_city": "From city",
    "shipping_from_state": "From state",
    "shipping_from_postal_code": "From postal code",
    "shipping_from_country": "From country",
    "shipping_from_residential": "From residential",
    "billing_name": "Billing name",
    "billing_company": "Billing company",
    "billing_address1": "Billing address 1",
    "billing_address2": "Billing address 2",
    "billing_city": "Billing city",
    "billing_state": "Billing state",
    "billing_postal_code": "Billing postal code",
    "billing_country": "Billing country",
    "metadata": "Item Metadata",
    "options": "Options",
}
ORDERS_MORE: Mapping[str, str] = {
    "variant": "Item variant",
    "items": "Items",
    "origin_country": "Item origin country",
    "shipping_to_address3": "Shipping address 3",
    "shipping_to_phone": "Shipping phone",
    "shipping_to_email": "Shipping email",
    "shipping_from_address3": "From address 3",
    "shipping_from_phone": "From phone",
    "shipping_from_email": "From email",
    "billing_address3": "Billing address 3",
    "billing_phone": "Billing phone",
    "billing_email": "Billing email",
    "billing_residential": "Billing residential",
    "order_metadata": "Order Metadata",
}

TRACKERS: Mapping[str, str] = {
    "id": "ID",
    "tracking_number": "Tracking Number",
    "status": "Status",
    "tracking_carrier": "Carrier",
    "options": "Options",
}

BILLING: Mapping[str, str] = {
    "tracking_number": "Tracking number",
    "carrier": "Carrier",
    "invoice_number": "Invoice number",
    "invoice_date": "Invoice date",
    "description": "Description",
    "amount": "Amount",
    "currency": "Currency",
}

# A list of goods that fills what orders leave out; its rows are found by the SKU.
PRODUCTS: Mapping[str, str] = {
    "sku": "SKU",
    "weight": "Weight",
    "weight_unit": "Weight unit",
    "hs_code": "HS tariff number",
    "origin_country": "Origin country",
    "title": "Title",
    "value_amount": "Value",
    "value_currency": "Value currency",
    "length": "Length",
    "width": "Width",
    "height": "Height",
    "dimension_unit": "Dimension unit",
    "barcode": "Barcode",
}

# An address book.
BOOK: Mapping[str, str] = {
    "address_name": "Name",
    "address_company": "Company",
    "address_phone": "Phone",
    "address_email": "Email",
    "address_address1": "Address 1",
    "address_address2": "Address 2",
    "address_address3": "Address 3",
    "address_city": "City",
    "address_state": "State",
    "address_postal_code": "Postal code",
    "address_country": "Country",
    "address_residential": "Residential",
}

# All that is read of a file, by resource type.
READ: Mapping[str, Mapping[str, str]] = {
    "orders": {**ORDERS, **ORDERS_MORE},
    "shipments": {**SHIPMENTS, **SHIPMENTS_MORE},
    "trackers": TRACKERS,
    "billing": BILLING,
    "products": PRODUCTS,
    "addresses": BOOK,
}

# What else the headings of files say, by field.
ALSO: Mapping[str, Mapping[str, Sequence[str]]] = {
    "products": {
        "barcode": ("EAN", "EAN-13", "GTIN", "UPC", "ISBN", "Item barcode", "Product barcode",
                    "Variant barcode", "Strichcode"),
        "sku": ("Item SKU", "Product SKU", "Variant SKU", "Seller SKU", "Custom label", "Article number",
                "Artikelnummer", "Part number"),
        "weight": ("Item weight", "Product weight", "Unit weight", "Variant weight", "Variant grams",
                   "Gewicht", "Weight each"),
        "weight_unit": ("Unit of weight", "Weight UOM", "Variant weight unit", "Item weight unit",
                        "Gewichtseinheit"),
        "hs_code": ("HS code", "HS", "HS number", "Tariff", "Tariff code", "Tariff number", "HTS", "HTS code",
                    "HTS number", "HTSUS", "HSN", "HSN code", "Harmonized code", "Harmonised code",
                    "Harmonized system code", "Harmonised system code", "Harmonized tariff code",
                    "Harmonized tariff number", "Customs tariff number", "Customs tariff code",
                    "Customs code", "Commodity code", "Zolltarifnummer", "Warennummer"),
        "origin_country": ("Origin", "Country of origin", "Country/Region of origin", "Item origin country",
                           "Country code of origin", "Made in", "Country of manufacture",
                           "Manufacturing country", "COO", "Ursprungsland", "Herkunftsland"),
        "title": ("Name", "Product name", "Product title", "Product", "Item name", "Item title",
                  "Customs description", "Bezeichnung", "Artikel", "Description"),
        "value_amount": ("Price", "Unit price", "Item price", "Variant price", "Unit value", "Item value",
                         "Customs value", "Declared value", "Regular price", "Preis", "Wert"),
        "value_currency": ("Currency", "Currency code", "Price currency", "Item currency", "Währung"),
        "length": ("Item length", "Product length", "Unit length", "Länge", "Longueur", "Largo"),
        "width": ("Item width", "Product width", "Unit width", "Breite", "Largeur", "Ancho"),
        "height": ("Item height", "Product height", "Unit height", "Höhe", "Hauteur", "Alto"),
        "dimension_unit": ("Dimensions unit", "Size unit", "Unit of size", "Item dimension unit",
                           "Length unit", "Maßeinheit"),
    },
    "addresses": {
        "address_name": ("Full name", "Person name", "Contact", "Contact name", "Contact person", "Attention",
                         "Attn", "Recipient", "Recipient name", "Ship to", "Ship to name",
                         "Customer", "Customer name", "Display name",
                         "Ansprechpartner", "Nom complet"),
        "address_company": ("Company name", "Organization", "Organisation", "Organization name",
                            "Organization 1 - Name", "Business", "Business name", "Default address company",
                            "Firma", "Unternehmen", "Société", "Empresa", "Raison sociale", "Ragione sociale",
                            "Razón social", "Nazwa firmy"),
        "address_phone": ("Phone number", "Telephone", "Telephone number", "Mobile", "Mobile phone", "Cell",
                          "Business phone", "Home phone", "Phone 1 - Value", "Default address phone",
                          "Telefon", "Telefonnummer"),
        "address_email": ("E-mail", "Mail", "Email address", "E-mail address", "E-mail 1 - Value",
                          "Email 1 - Value", "E-Mail-Adresse", "Adresse e-mail", "Indirizzo e-mail",
                          "E-mailadres"),
        "address_address1": ("Address", "Address line 1", "Street", "Street address", "Street 1",
                             "Address one", "Address 1 - Street", "Business street", "Home street",
                             "Default address address1", "Straße", "Straße und Hausnummer",
                             "Straße/Hausnummer", "Street and house number", "Street and number",
                             "Straat en huisnummer", "Anschrift", "Adresse", "Rue", "Dirección"),
        "address_address2": ("Address line 2", "Street 2", "Address two", "Apartment", "Apt", "Suite", "Unit",
                             "Business street 2", "Home street 2", "Default address address2",
                             "Adresszusatz", "Complément d'adresse", "Complemento"),
        "address_address3": ("Address line 3", "Street 3", "Address three", "Business street 3"),
        "address_city": ("Town", "Town/City", "City/Town", "Address 1 - City", "Business city", "Home city",
                         "Default address city", "Ort", "Stadt", "Ville", "Ciudad"),
        "address_state": ("State code", "State/Province", "State or province", "Province", "Province code",
                          "Region", "Address 1 - Region", "Business state", "Home state",
                          "Default address province code", "Bundesland"),
        "address_postal_code": ("Postcode", "Zip", "Zip code", "Zip/Postal code", "Postal/Zip code",
                                "Address 1 - Postal Code", "Business postal code", "Home postal code",
                                "Default address zip", "PLZ", "Postleitzahl", "Code postal",
                                "Código postal"),
        "address_country": ("Country code", "Country/Region", "Country name", "Address 1 - Country",
                            "Business country/region", "Home country/region", "Default address country code",
                            "Land", "Pays", "País"),
        "address_residential": ("Is residential", "Residential address", "Home address"),
    },
    "billing": {
        "tracking_number": ("Tracking no", "Tracking ID", "Express or Ground Tracking ID", "Shipment number",
                            "Waybill number", "AWB", "AWB number", "Sendungsnummer"),
        "carrier": ("Carrier name",),
        "invoice_number": ("Invoice no", "Invoice", "Bill number", "Rechnungsnummer"),
        "invoice_date": ("Bill date", "Rechnungsdatum"),
        "description": ("Charge description", "Charge", "Charge type", "Product name", "Leistung"),
        "amount": ("Net amount", "Net charge", "Net charge amount", "Charge amount", "Billed amount",
                   "Total amount (excl. VAT)", "Nettobetrag", "Betrag"),
        "currency": ("Currency code", "Invoice currency", "Invoice currency code", "Billing currency",
                     "Währung"),
    },
    "orders": {
        "hs_code": ("HS code", "Item HS code"),
        "origin_country": ("Country of origin",),
        "sku": ("SKU",),
        "variant": ("Variant", "Variation"),
    },
}  # fmt: skip


class MissingColumns(Invalid):
    """A file lacks columns: `fields` are those that they would fill, `headers` what the file has instead."""

    def __init__(self, file: str, reason: str, fields: Sequence[str], headers: Sequence[str]) -> None:
        super().__init__(file, reason)
        self.fields, self.headers = tuple(fields), tuple(headers)
        self.hint = ""


def find_columns(
    headers: Sequence[str],
    expected: Mapping[str, str],
    required: Sequence[str],
    file: str,
    label: Callable[[str], str] = str,
) -> dict[str, str]:
    """Field to header of the columns a file has; `label` says what the file itself calls a column.

    Errors: MissingColumns naming those that are missing and what the file has instead.
    """
    present = {field: header for field, header in expected.items() if header in headers}
    missing = [field for field in required if field not in present]
    if missing:
        reason = "; ".join(_describe_missing(label(expected[field]), headers) for field in missing)
        raise MissingColumns(file, reason, missing, headers)
    return present


def _describe_missing(header: str, headers: Sequence[str]) -> str:
    near = find_nearest(header, [name for name in headers if name])
    return f"The header lacks the column {header!r}" + (f" (it has {near!r})" if near else "")
