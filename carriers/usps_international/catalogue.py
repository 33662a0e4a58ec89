"""What the Postal Service sells to other countries, and its words for it.

Source: International Prices and International Labels APIs, version 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from shipcli.carrier import CatalogueRow, Option, OptionTable, RowTable, Service, ServiceTable

SERVICES = ServiceTable(
    [
        Service(
            slug="usps_first_class_package_international_service",
            code="FIRST-CLASS_PACKAGE_INTERNATIONAL_SERVICE",
        ),
        Service(slug="usps_priority_mail_international", code="PRIORITY_MAIL_INTERNATIONAL"),
        Service(slug="usps_priority_mail_express_international", code="PRIORITY_MAIL_EXPRESS_INTERNATIONAL"),
        Service(slug="usps_global_express_guaranteed", code="GLOBAL_EXPRESS_GUARANTEED"),
        Service(slug="usps_all", code="ALL"),
    ]
)

OPTIONS = OptionTable(
    [
        Option(slug="usps_hazardous_materials_class_7_radioactive_materials", code="813"),
        Option(slug="usps_hazardous_materials_class_9_unmarked_lithium_batteries", code="820"),
        Option(slug="usps_hazardous_materials_division_6_2_biological_materials", code="826"),
        Option(slug="usps_hazardous_materials", code="857"),
        Option(slug="usps_insurance_below_500", code="930", type=Decimal, aliases=("insurance",)),
        Option(slug="usps_insurance_above_500", code="931", type=Decimal),
        Option(slug="usps_return_receipt", code="955"),
        Option(slug="usps_facility_id", code="facilityId", type=str),
        Option(slug="usps_machinable", code="machinable"),
        Option(
            slug="usps_price_type",
            code="priceType",
            type=str,
            values=("RETAIL", "COMMERCIAL", "COMMERCIAL_BASE", "COMMERCIAL_PLUS", "CONTRACT"),
        ),
        Option(slug="usps_hold_for_pickup", code="holdForPickup", aliases=("hold_at_location",)),
        Option(slug="usps_carrier_release", code="carrierRelease"),
        Option(slug="usps_processing_category", code="processingCategory", type=str),
        Option(
            slug="usps_rate_indicator",
            code="rateIndicator",
            type=str,
            values=(
                "E4",
                "E6",
                "FA",
                "FB",
                "FE",
                "FP",
                "FS",
                "PA",
                "PL",
                "SP",
                "EP",
                "HA",
                "HB",
                "HE",
                "HL",
                "HP",
                "HS",
                "LE",
            ),
        ),
        Option(slug="usps_physical_signature_required", code="physicalSignatureRequired"),
    ]
)

PACKAGING = RowTable(
    [
        CatalogueRow(
            slug="usps_priority_mail_express_international_flat_rate_envelope",
            code="E4",
            aliases=("envelope",),
        ),
        CatalogueRow(slug="usps_priority_mail_express_legal_flat_rate_envelope", code="E6"),
        CatalogueRow(slug="usps_legal_flat_rate_envelope", code="FA"),
        CatalogueRow(
            slug="usps_medium_flat_rate_box_large_flat_rate_bag", code="FB", aliases=("medium_box",)
        ),
        CatalogueRow(slug="usps_flat_rate_envelope", code="FE"),
        CatalogueRow(slug="usps_padded_flat_rate_envelope", code="FP"),
        CatalogueRow(slug="usps_small_flat_rate_box", code="FS", aliases=("small_box",)),
        CatalogueRow(slug="usps_priority_mail_express_international_single_piece", code="PA"),
        CatalogueRow(slug="usps_large_flat_rate_box", code="PL", aliases=("pallet",)),
        CatalogueRow(
            slug="usps_single_piece",
            code="SP",
            aliases=(
                "pak",
                "tube",
            ),
        ),
        CatalogueRow(slug="usps_ecomp_single_piece", code="EP"),
        CatalogueRow(slug="usps_ecomp_legal_flat_rate_envelope", code="HA"),
        CatalogueRow(slug="usps_ecomp_medium_flat_rate_box", code="HB"),
        CatalogueRow(slug="usps_ecomp_flat_rate_envelope", code="HE"),
        CatalogueRow(slug="usps_ecomp_large_flat_rate_box", code="HL"),
        CatalogueRow(slug="usps_ecomp_padded_flat_rate_envelope", code="HP"),
        CatalogueRow(slug="usps_ecomp_small_flat_rate_box", code="HS"),
        CatalogueRow(slug="usps_single_piece_parcel", code="LE", aliases=("your_packaging",)),
    ]
)

# What is inside, by our word and its older spellings.
CONTENT_TYPES: Mapping[str, str] = {
    "merchandise": "MERCHANDISE",
    "gift": "GIFT",
    "document": "DOCUMENT",
    "commercial_sample": "COMMERCIAL_SAMPLE",
    "returned_goods": "RETURNED_GOODS",
    "other": "OTHER",
    "humanitarian_donations": "HUMANITARIAN_DONATIONS",
    "dangerous_goods": "DANGEROUS_GOODS",
    "cremated_remains": "CREMATED_REMAINS",
    "non_negotiable_document": "NON_NEGOTIABLE_DOCUMENT",
    "medical_supplies": "MEDICAL_SUPPLIES",
    "pharmaceuticals": "PHARMACEUTICALS",
    "documents": "DOCUMENT",
    "sample": "COMMERCIAL_SAMPLE",
    "return_merchandise": "RETURNED_GOODS",
}
OTHER_CONTENT = "OTHER"
