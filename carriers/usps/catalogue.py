"""What the Postal Service sells inside the United States, and its words for it.

Source: Prices, Labels and Tracking APIs, version 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from shipcli.carrier import CatalogueRow, Option, OptionTable, RowTable, Service, ServiceTable

SERVICES = ServiceTable(
    [
        Service(slug="usps_standard_service", code="USPS Standard Service"),
        Service(slug="usps_parcel_select", code="PARCEL_SELECT"),
        Service(slug="usps_parcel_select_lightweight", code="PARCEL_SELECT_LIGHTWEIGHT"),
        Service(slug="usps_priority_mail_express", code="PRIORITY_MAIL_EXPRESS"),
        Service(slug="usps_priority_mail", code="PRIORITY_MAIL"),
        Service(slug="usps_first_class_package_service", code="FIRST-CLASS_PACKAGE_SERVICE"),
        Service(slug="usps_library_mail", code="LIBRARY_MAIL"),
        Service(slug="usps_media_mail", code="MEDIA_MAIL"),
        Service(slug="usps_bound_printed_matter", code="BOUND_PRINTED_MATTER"),
        Service(slug="usps_connect_local", code="USPS_CONNECT_LOCAL"),
        Service(slug="usps_connect_mail", code="USPS_CONNECT_MAIL"),
        Service(slug="usps_connect_next_day", code="USPS_CONNECT_NEXT_DAY"),
        Service(slug="usps_connect_regional", code="USPS_CONNECT_REGIONAL"),
        Service(slug="usps_connect_same_day", code="USPS_CONNECT_SAME_DAY"),
        Service(slug="usps_ground_advantage", code="USPS_GROUND_ADVANTAGE"),
        Service(slug="usps_retail_ground", code="USPS_RETAIL_GROUND"),
        Service(slug="usps_all", code="ALL"),
    ]
)

OPTIONS = OptionTable(
    [
        Option(slug="usps_label_delivery_service", code="415"),
        Option(slug="usps_tracking_plus_6_months", code="480"),
        Option(slug="usps_tracking_plus_1_year", code="481"),
        Option(slug="usps_tracking_plus_3_years", code="482"),
        Option(slug="usps_tracking_plus_5_years", code="483"),
        Option(slug="usps_tracking_plus_7_years", code="484"),
        Option(slug="usps_tracking_plus_10_years", code="485"),
        Option(slug="usps_tracking_plus_signature_3_years", code="486"),
        Option(slug="usps_tracking_plus_signature_5_years", code="487"),
        Option(slug="usps_tracking_plus_signature_7_years", code="488"),
        Option(slug="usps_tracking_plus_signature_10_years", code="489"),
        Option(slug="usps_hazardous_materials_air_eligible_ethanol", code="810"),
        Option(slug="usps_hazardous_materials_class_1_toy_propellant_safety_fuse_package", code="811"),
        Option(slug="usps_hazardous_materials_class_3_flammable_and_combustible_liquids", code="812"),
        Option(slug="usps_hazardous_materials_class_7_radioactive_materials", code="813"),
        Option(slug="usps_hazardous_materials_class_8_air_eligible_corrosive_materials", code="814"),
        Option(slug="usps_hazardous_materials_class_8_nonspillable_wet_batteries", code="815"),
        Option(slug="usps_hazardous_materials_class_9_lithium_battery_marked_ground_only", code="816"),
        Option(slug="usps_hazardous_materials_class_9_lithium_battery_returns", code="817"),
        Option(slug="usps_hazardous_materials_class_9_marked_lithium_batteries", code="818"),
        Option(slug="usps_hazardous_materials_class_9_dry_ice", code="819"),
        Option(slug="usps_hazardous_materials_class_9_unmarked_lithium_batteries", code="820"),
        Option(slug="usps_hazardous_materials_class_9_magnetized_materials", code="821"),
        Option(
            slug="usps_hazardous_materials_division_4_1_mailable_flammable_solids_and_safety_matches",
            code="822",
        ),
        Option(slug="usps_hazardous_materials_division_5_1_oxidizers", code="823"),
        Option(slug="usps_hazardous_materials_division_5_2_organic_peroxides", code="824"),
        Option(slug="usps_hazardous_materials_division_6_1_toxic_materials", code="825"),
        Option(slug="usps_hazardous_materials_division_6_2_biological_materials", code="826"),
        Option(slug="usps_hazardous_materials_excepted_quantity_provision", code="827"),
        Option(slug="usps_hazardous_materials_ground_only_hazardous_materials", code="828"),
        Option(slug="usps_hazardous_materials_air_eligible_id8000_consumer_commodity", code="829"),
        Option(slug="usps_hazardous_materials_lighters", code="830"),
        Option(slug="usps_hazardous_materials_limited_quantity_ground", code="831"),
        Option(slug="usps_hazardous_materials_small_quantity_provision_markings_required", code="832"),
        Option(slug="usps_hazardous_materials", code="857"),
        Option(slug="usps_certified_mail", code="910"),
        Option(slug="usps_certified_mail_restricted_delivery", code="911"),
        Option(slug="usps_certified_mail_adult_signature_required", code="912"),
        Option(slug="usps_certified_mail_adult_signature_restricted_delivery", code="913"),
        Option(slug="usps_collect_on_delivery", code="915", type=Decimal, aliases=("cash_on_delivery",)),
        Option(slug="usps_collect_on_delivery_restricted_delivery", code="917"),
        Option(slug="usps_tracking_electronic", code="920"),
        Option(slug="usps_signature_confirmation", code="921", aliases=("signature_confirmation",)),
        Option(slug="usps_adult_signature_required", code="922"),
        Option(slug="usps_adult_signature_restricted_delivery", code="923"),
        Option(slug="usps_signature_confirmation_restricted_delivery", code="924"),
        Option(slug="usps_priority_mail_express_merchandise_insurance", code="925"),
        Option(slug="usps_insurance_below_500", code="930", type=Decimal, aliases=("insurance",)),
        Option(slug="usps_insurance_above_500", code="931", type=Decimal),
        Option(slug="usps_insurance_restricted_delivery", code="934"),
        Option(slug="usps_registered_mail", code="940"),
        Option(slug="usps_registered_mail_restricted_delivery", code="941"),
        Option(slug="usps_return_receipt", code="955"),
        Option(slug="usps_return_receipt_electronic", code="957"),
        Option(
            slug="usps_signature_requested_priority_mail_express_only",
            code="981",
            aliases=(
                "usps_sunday_delivery",
                "sunday_delivery",
            ),
        ),
        Option(slug="usps_parcel_locker_delivery", code="984"),
        Option(slug="usps_po_to_addressee_priority_mail_express_only", code="986"),
        Option(slug="usps_facility_id", code="facilityId", type=str),
        Option(slug="usps_machinable", code="machinable"),
        Option(slug="usps_hold_for_pickup", code="holdForPickup", aliases=("hold_at_location",)),
        Option(slug="usps_processing_category", code="processingCategory", type=str),
        Option(slug="usps_carrier_release", code="carrierRelease"),
        Option(slug="usps_physical_signature_required", code="physicalSignatureRequired"),
        Option(slug="usps_rate_indicator", code="rateIndicator", type=str, values=("DN", "DR", "SP")),
        Option(
            slug="usps_price_type", code="priceType", type=str, values=("RETAIL", "COMMERCIAL", "CONTRACT")
        ),
    ]
)

PACKAGING = RowTable(
    [
        CatalogueRow(slug="usps_3_digit", code="3D"),
        CatalogueRow(slug="usps_3_digit_dimensional_rectangular", code="3N"),
        CatalogueRow(slug="usps_3_digit_dimensional_nonrectangular", code="3R"),
        CatalogueRow(slug="usps_5_digit", code="5D"),
        CatalogueRow(slug="usps_basic", code="BA"),
        CatalogueRow(slug="usps_mixed_ndc", code="BB"),
        CatalogueRow(slug="usps_ndc", code="BM"),
        CatalogueRow(slug="usps_cubic_pricing_tier_1", code="C1"),
        CatalogueRow(slug="usps_cubic_pricing_tier_2", code="C2"),
        CatalogueRow(slug="usps_cubic_pricing_tier_3", code="C3"),
        CatalogueRow(slug="usps_cubic_pricing_tier_4", code="C4"),
        CatalogueRow(slug="usps_cubic_pricing_tier_5", code="C5"),
        CatalogueRow(slug="usps_cubic_parcel", code="CP"),
        CatalogueRow(slug="usps_connect_local", code="CM"),
        CatalogueRow(slug="usps_non_presorted", code="NP"),
        CatalogueRow(slug="usps_full_tray_box", code="O1"),
        CatalogueRow(slug="usps_half_tray_box", code="O2"),
        CatalogueRow(slug="usps_emm_tray_box", code="O3"),
        CatalogueRow(slug="usps_flat_tub_tray_box", code="O4"),
        CatalogueRow(slug="usps_surface_transported_pallet", code="O5"),
        CatalogueRow(slug="usps_half_pallet_box", code="O7"),
        CatalogueRow(slug="usps_oversized", code="OS"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_1", code="P5"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_2", code="P6"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_3", code="P7"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_4", code="P8"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_5", code="P9"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_6", code="Q6"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_7", code="Q7"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_8", code="Q8"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_9", code="Q9"),
        CatalogueRow(slug="usps_cubic_soft_pack_tier_10", code="Q0"),
        CatalogueRow(slug="usps_priority_mail_express_single_piece", code="PA"),
        CatalogueRow(slug="usps_large_flat_rate_box", code="PL", aliases=("pallet",)),
        CatalogueRow(slug="usps_large_flat_rate_box_apofpo", code="PM"),
        CatalogueRow(slug="usps_presorted", code="PR"),
        CatalogueRow(slug="usps_small_flat_rate_bag", code="SB"),
        CatalogueRow(slug="usps_scf_dimensional_nonrectangular", code="SN", aliases=("tube",)),
        CatalogueRow(slug="usps_scf_dimensional_rectangular", code="SR", aliases=("medium_box",)),
        CatalogueRow(
            slug="usps_single_piece",
            code="SP",
            aliases=(
                "envelope",
                "pak",
                "small_box",
                "your_packaging",
            ),
        ),
    ]
)

# Labels as the carrier makes them, by our word; a PNG is asked for as JPG and turned into one afterwards.
LABEL_TYPES: Mapping[str, str] = {
    "PDF": "PDF",
    "ZPL": "ZPL300DPI",
    "PNG": "JPG",
    "TIFF": "TIFF",
    "JPG": "JPG",
    "SVG": "SVG",
    "ZPL203DPI": "ZPL203DPI",
    "ZPL300DPI": "ZPL300DPI",
    "LABEL_BROKER": "LABEL_BROKER",
    "NONE": "NONE",
}

# Looked for in the status and its category, in this order and any case. The words after the first seven are
# categories that the tracking site shows besides.
STATUSES: Mapping[str, str] = {
    "on hold": "on_hold",
    "delivered": "delivered",
    "in transit": "in_transit",
    "delivery failed": "delivery_failed",
    "delivery delayed": "delivery_delayed",
    "out for delivery": "out_for_delivery",
    "ready for pickup": "ready_for_pickup",
    "available for pickup": "ready_for_pickup",
    "delivery attempt": "delivery_failed",
    "return to sender": "delivery_failed",
    "pre-shipment": "pending",
    "label created": "pending",
    "status not available": "unknown",
}
DEFAULT_STATUS = "in_transit"

PICKUP_PLACES = frozenset(
    {
        "FRONT_DOOR",
        "BACK_DOOR",
        "SIDE_DOOR",
        "KNOCK_ON_DOOR",
        "MAIL_ROOM",
        "OFFICE",
        "RECEPTION",
        "IN_MAILBOX",
        "OTHER",
    }
)
