"""What UPS sells and what its words are: services, options, packaging, presets, label sheets, surcharges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from shipcli.carrier.catalogue import (
    CatalogueRow,
    Option,
    OptionTable,
    Preset,
    RowTable,
    Service,
    ServiceTable,
    StatusMap,
)
from shipcli.models.reference import eu_countries

# Our slug, the name UPS shows, its code on the wire, and the origin where the code has that name.
LEVELS: tuple[tuple[str, str, str, str], ...] = (
    ("ups_standard", "UPS Standard", "11", "US"),
    ("ups_worldwide_express", "UPS Worldwide Express", "07", "US"),
    ("ups_worldwide_expedited", "UPS Worldwide Expedited", "08", "US"),
    ("ups_worldwide_express_plus", "UPS Worldwide Express Plus", "54", "US"),
    ("ups_worldwide_saver", "UPS Worldwide Saver", "65", "US"),
    ("ups_2nd_day_air", "UPS 2nd Day Air", "02", "US"),
    ("ups_2nd_day_air_am", "UPS 2nd Day Air A.M.", "59", "US"),
    ("ups_3_day_select", "UPS 3 Day Select", "12", "US"),
    ("ups_ground", "UPS Ground", "03", "US"),
    ("ups_next_day_air", "UPS Next Day Air", "01", "US"),
    ("ups_next_day_air_early", "UPS Next Day Air Early", "14", "US"),
    ("ups_next_day_air_saver", "UPS Next Day Air Saver", "13", "US"),
    ("ups_expedited_ca", "UPS Expedited CA", "02", "CA"),
    ("ups_express_saver_ca", "UPS Express Saver CA", "13", "CA"),
    ("ups_3_day_select_ca_us", "UPS 3 Day Select CA US", "12", "CA"),
    ("ups_access_point_economy_ca", "UPS Access Point Economy CA", "70", "CA"),
    ("ups_express_ca", "UPS Express CA", "01", "CA"),
    ("ups_express_early_ca", "UPS Express Early CA", "14", "CA"),
    ("ups_express_saver_intl_ca", "UPS Express Saver Intl CA", "65", "CA"),
    ("ups_standard_ca", "UPS Standard CA", "11", "CA"),
    ("ups_worldwide_expedited_ca", "UPS Worldwide Expedited CA", "08", "CA"),
    ("ups_worldwide_express_ca", "UPS Worldwide Express CA", "07", "CA"),
    ("ups_worldwide_express_plus_ca", "UPS Worldwide Express Plus CA", "54", "CA"),
    ("ups_express_early_ca_us", "UPS Express Early CA US", "54", ""),
    ("ups_access_point_economy_eu", "UPS Access Point Economy EU", "70", "EU"),
    ("ups_expedited_eu", "UPS Expedited EU", "08", "EU"),
    ("ups_express_eu", "UPS Express EU", "07", "EU"),
    ("ups_standard_eu", "UPS Standard EU", "11", "EU"),
    ("ups_worldwide_express_plus_eu", "UPS Worldwide Express Plus EU", "54", "EU"),
    ("ups_worldwide_saver_eu", "UPS Worldwide Saver EU", "65", "EU"),
    ("ups_access_point_economy_mx", "UPS Access Point Economy MX", "70", "MX"),
    ("ups_expedited_mx", "UPS Expedited MX", "08", "MX"),
    ("ups_express_mx", "UPS Express MX", "07", "MX"),
    ("ups_standard_mx", "UPS Standard MX", "11", "MX"),
    ("ups_worldwide_express_plus_mx", "UPS Worldwide Express Plus MX", "54", "MX"),
    ("ups_worldwide_saver_mx", "UPS Worldwide Saver MX", "65", "MX"),
    ("ups_access_point_economy_pl", "UPS Access Point Economy PL", "70", "PL"),
    ("ups_today_dedicated_courrier_pl", "UPS Today Dedicated Courrier PL", "83", "PL"),
    ("ups_today_express_pl", "UPS Today Express PL", "85", "PL"),
    ("ups_today_express_saver_pl", "UPS Today Express Saver PL", "86", "PL"),
    ("ups_today_standard_pl", "UPS Today Standard PL", "82", "PL"),
    ("ups_expedited_pl", "UPS Expedited PL", "08", "PL"),
    ("ups_express_pl", "UPS Express PL", "07", "PL"),
    ("ups_express_plus_pl", "UPS Express Plus PL", "54", "PL"),
    ("ups_express_saver_pl", "UPS Express Saver PL", "65", "PL"),
    ("ups_standard_pl", "UPS Standard PL", "11", "PL"),
    ("ups_2nd_day_air_pr", "UPS 2nd Day Air PR", "02", "PR"),
    ("ups_ground_pr", "UPS Ground PR", "03", "PR"),
    ("ups_next_day_air_pr", "UPS Next Day Air PR", "01", "PR"),
    ("ups_next_day_air_early_pr", "UPS Next Day Air Early PR", "14", "PR"),
    ("ups_worldwide_expedited_pr", "UPS Worldwide Expedited PR", "08", "PR"),
    ("ups_worldwide_express_pr", "UPS Worldwide Express PR", "07", "PR"),
    ("ups_worldwide_express_plus_pr", "UPS Worldwide Express Plus PR", "54", "PR"),
    ("ups_worldwide_saver_pr", "UPS Worldwide Saver PR", "65", "PR"),
    ("ups_express_12_00_de", "UPS Express 12:00 DE", "74", "DE"),
    ("ups_worldwide_express_freight", "UPS Worldwide Express Freight", "96", ""),
    ("ups_worldwide_express_freight_midday", "UPS Worldwide Express Freight Midday", "71", ""),
    ("ups_worldwide_economy_ddu", "UPS Worldwide Economy DDU", "17", ""),
    ("ups_worldwide_economy_ddp", "UPS Worldwide Economy DDP", "72", ""),
)

SERVICES = ServiceTable([Service(slug=slug, code=title) for slug, title, _, _ in LEVELS])
WIRE_CODES: Mapping[str, str] = {slug: code for slug, _, code, _ in LEVELS}
BY_ORIGIN: Mapping[tuple[str, str], str] = {(code, origin): slug for slug, _, code, origin in LEVELS}

# The one name of a wire code, whatever the origin: the description that goes out with it.
NAMES: Mapping[str, str] = {
    "07": "ups_express",
    "11": "ups_standard",
    "08": "ups_worldwide_expedited",
    "54": "ups_worldwide_express_plus",
    "65": "ups_worldwide_saver",
    "96": "ups_worldwide_express_freight",
    "71": "ups_worldwide_express_freight_midday",
    "17": "ups_worldwide_economy_ddu",
    "72": "ups_worldwide_economy_ddp",
    "02": "ups_2nd_day_air",
    "59": "ups_2nd_day_air_am",
    "12": "ups_3_day_select",
    "03": "ups_ground",
    "01": "ups_next_day_air",
    "14": "ups_next_day_air_early",
    "13": "ups_next_day_air_saver",
    "70": "ups_access_point_economy",
    "83": "ups_today_dedicated_courrier_pl",
    "85": "ups_today_express_pl",
    "86": "ups_today_express_saver_pl",
    "82": "ups_today_standard_pl",
    "74": "ups_express_12_00_de",
}

ELSEWHERE = "US"


def service_of(code: str, origin: str | None) -> str:
    """Our slug for a wire code: the origin's own name, then the union's, then the worldwide one."""
    for zone in _zones(origin or ""):
        if slug := BY_ORIGIN.get((code, zone)):
            return slug
    return NAMES.get(code, code)


def _zones(origin: str) -> tuple[str, ...]:
    # The reference table writes Greece as EL; addresses say GR.
    union = ("EU",) if origin in eu_countries() or origin == "GR" else ()
    return (origin, *union, ELSEWHERE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an option goes in a shipment that is priced, and in one that is bought; None: nowhere."""

    rate: str | None = None
    ship: str | None = None


def _both(path: str) -> Place:
    return Place(path, path)


SERVICE_OPTIONS = "ShipmentServiceOptions/"
RATING_OPTIONS = "ShipmentRatingOptions/"

OPTIONS = OptionTable(
    [
        Option(slug="ups_saturday_pickup_indicator", code="SaturdayPickupIndicator"),
        Option(
            slug="ups_saturday_delivery_indicator",
            code="SaturdayDeliveryIndicator",
            aliases=("saturday_delivery",),
        ),
        Option(slug="ups_sunday_delivery_indicator", code="SundayDeliveryIndicator"),
        Option(slug="ups_access_point_cod", code="AccessPointCOD", type=Decimal),
        Option(slug="ups_deliver_to_addressee_only_indicator", code="DeliverToAddresseeOnlyIndicator"),
        Option(slug="ups_direct_delivery_only_indicator", code="DirectDeliveryOnlyIndicator"),
        Option(slug="ups_cod", code="COD", type=Decimal, aliases=("cash_on_delivery",)),
        Option(slug="ups_return_of_document_indicator", code="ReturnOfDocumentIndicator"),
        Option(slug="ups_carbonneutral_indicator", code="UPScarbonneutralIndicator"),
        Option(slug="ups_certificate_of_origin_indicator", code="CertificateOfOriginIndicator", type=str),
        Option(slug="ups_shipper_export_declaration_indicator", code="ShipperExportDeclarationIndicator"),
        Option(slug="ups_commercial_invoice_removal_indicator", code="CommercialInvoiceRemovalIndicator"),
        Option(slug="ups_import_control", code="ImportControl"),
        Option(slug="ups_return_service", code="ReturnService"),
        Option(slug="ups_epra_indicator", code="EPRAIndicator"),
        Option(slug="ups_lift_gate_at_pickup_indicator", code="LiftGateAtPickupIndicator"),
        Option(slug="ups_lift_gate_at_delivery_indicator", code="LiftGateAtDeliveryIndicator"),
        Option(slug="ups_drop_off_at_ups_facility_indicator", code="DropOffAtUPSFacilityIndicator"),
        Option(slug="ups_master_carton_indicator", code="MasterCartonIndicator"),
        Option(slug="ups_exchange_forward_indicator", code="ExchangeForwardIndicator"),
        Option(
            slug="ups_hold_for_pickup_indicator", code="HoldForPickupIndicator", aliases=("hold_at_location",)
        ),
        Option(slug="ups_dropoff_at_ups_facility_indicator", code="DropoffAtUPSFacilityIndicator"),
        Option(slug="ups_lift_gate_for_pickup_indicator", code="LiftGateForPickupIndicator"),
        Option(slug="ups_lift_gate_for_delivery_indicator", code="LiftGateForDeliveryIndicator"),
        Option(slug="ups_sdl_shipment_indicator", code="SDLShipmentIndicator"),
        Option(slug="ups_item_disposal", code="ItemDisposal"),
        Option(
            slug="ups_available_services_option",
            code="AvailableServicesOption",
            type=str,
            values=("1", "2", "3"),
        ),
        Option(slug="ups_delivery_confirmation", code="DeliveryConfirmation", type=str, values=("1", "2")),
        Option(
            slug="ups_delivery_confirmation_level",
            code="DeliveryConfirmationLevel",
            type=str,
            values=("P", "S"),
        ),
        Option(slug="ups_inside_delivery", code="InsideDelivery", type=str, values=("01", "02", "03")),
        Option(slug="ups_restricted_articles", code="RestrictedArticles", aliases=("dangerous_good",)),
        Option(slug="ups_alcoholic_beverages_indicator", code="AlcoholicBeveragesIndicator"),
        Option(slug="ups_diagnostic_specimens_indicator", code="DiagnosticSpecimensIndicator"),
        Option(slug="ups_perishables_indicator", code="PerishablesIndicator"),
        Option(slug="ups_plants_indicator", code="PlantsIndicator"),
        Option(slug="ups_seeds_indicator", code="SeedsIndicator"),
        Option(slug="ups_special_exceptions_indicator", code="SpecialExceptionsIndicator"),
        Option(slug="ups_tobacco_indicator", code="TobaccoIndicator"),
        Option(slug="ups_negotiated_rates_indicator", code="NegotiatedRatesIndicator"),
        Option(slug="ups_frs_shipment_indicator", code="FRSShipmentIndicator"),
        Option(slug="ups_rate_chart_indicator", code="RateChartIndicator"),
        Option(slug="ups_user_level_discount_indicator", code="UserLevelDiscountIndicator"),
        Option(slug="ups_tpfc_negotiated_rates_indicator", code="TPFCNegotiatedRatesIndicator"),
        Option(slug="ups_access_point_pickup", code="01"),
        Option(slug="ups_access_point_delivery", code="02"),
    ]
)

# Wishes of every carrier's that UPS answers with members of its own.
WISHES = OptionTable(
    [
        Option(slug="signature_confirmation", code="DeliveryConfirmation"),
        Option(slug="email_notification", code="Notification"),
        Option(slug="declared_value", code="InvoiceLineTotal", type=Decimal),
    ]
)

# Lift gates are named as in the documented rating request.
PLACES: Mapping[str, Place] = {
    "ups_saturday_pickup_indicator": _both(SERVICE_OPTIONS + "SaturdayPickupIndicator"),
    "ups_saturday_delivery_indicator": _both(SERVICE_OPTIONS + "SaturdayDeliveryIndicator"),
    "ups_sunday_delivery_indicator": Place(rate=SERVICE_OPTIONS + "SundayDeliveryIndicator"),
    "ups_deliver_to_addressee_only_indicator": _both(SERVICE_OPTIONS + "DeliverToAddresseeOnlyIndicator"),
    "ups_direct_delivery_only_indicator": _both(SERVICE_OPTIONS + "DirectDeliveryOnlyIndicator"),
    "ups_return_of_document_indicator": _both(SERVICE_OPTIONS + "ReturnOfDocumentIndicator"),
    "ups_carbonneutral_indicator": _both(SERVICE_OPTIONS + "UPScarbonneutralIndicator"),
    "ups_certificate_of_origin_indicator": Place(rate=SERVICE_OPTIONS + "CertificateOfOriginIndicator"),
    "ups_shipper_export_declaration_indicator": Place(
        rate=SERVICE_OPTIONS + "ShipperExportDeclarationIndicator"
    ),
    "ups_commercial_invoice_removal_indicator": _both(SERVICE_OPTIONS + "CommercialInvoiceRemovalIndicator"),
    "ups_import_control": Place(ship=SERVICE_OPTIONS + "ImportControlIndicator"),
    "ups_epra_indicator": Place(SERVICE_OPTIONS + "EPRAIndicator", SERVICE_OPTIONS + "EPRAReleaseCode"),
    "ups_lift_gate_at_pickup_indicator": Place(
        rate=SERVICE_OPTIONS + "PickupOptions/LiftGateAtPickupIndicator"
    ),
    "ups_lift_gate_at_delivery_indicator": Place(
        rate=SERVICE_OPTIONS + "DeliveryOptions/LiftGateAtDeliveryIndicator"
    ),
    "ups_drop_off_at_ups_facility_indicator": Place(
        rate=SERVICE_OPTIONS + "DeliveryOptions/DropOffAtUPSFacilityIndicator"
    ),
    "ups_master_carton_indicator": Place(ship="MasterCartonIndicator"),
    "ups_exchange_forward_indicator": Place(ship=SERVICE_OPTIONS + "ExchangeForwardIndicator"),
    "ups_hold_for_pickup_indicator": Place(
        SERVICE_OPTIONS + "PickupOptions/HoldForPickupIndicator", SERVICE_OPTIONS + "HoldForPickupIndicator"
    ),
    "ups_dropoff_at_ups_facility_indicator": Place(ship=SERVICE_OPTIONS + "DropoffAtUPSFacilityIndicator"),
    "ups_lift_gate_for_pickup_indicator": Place(ship=SERVICE_OPTIONS + "LiftGateForPickupIndicator"),
    "ups_lift_gate_for_delivery_indicator": Place(ship=SERVICE_OPTIONS + "LiftGateForDeliveryIndicator"),
    "ups_sdl_shipment_indicator": _both(SERVICE_OPTIONS + "SDLShipmentIndicator"),
    "ups_item_disposal": Place(SERVICE_OPTIONS + "ItemDisposalIndicator", SERVICE_OPTIONS + "ItemDisposal"),
    "ups_available_services_option": Place(rate=SERVICE_OPTIONS + "AvailableServicesOption"),
    "ups_inside_delivery": _both(SERVICE_OPTIONS + "InsideDelivery"),
    "ups_alcoholic_beverages_indicator": _both(
        SERVICE_OPTIONS + "RestrictedArticles/AlcoholicBeveragesIndicator"
    ),
    "ups_diagnostic_specimens_indicator": _both(
        SERVICE_OPTIONS + "RestrictedArticles/DiagnosticSpecimensIndicator"
    ),
    "ups_perishables_indicator": _both(SERVICE_OPTIONS + "RestrictedArticles/PerishablesIndicator"),
    "ups_plants_indicator": _both(SERVICE_OPTIONS + "RestrictedArticles/PlantsIndicator"),
    "ups_seeds_indicator": _both(SERVICE_OPTIONS + "RestrictedArticles/SeedsIndicator"),
    "ups_special_exceptions_indicator": _both(
        SERVICE_OPTIONS + "RestrictedArticles/SpecialExceptionsIndicator"
    ),
    "ups_tobacco_indicator": _both(SERVICE_OPTIONS + "RestrictedArticles/TobaccoIndicator"),
    "ups_negotiated_rates_indicator": _both(RATING_OPTIONS + "NegotiatedRatesIndicator"),
    "ups_frs_shipment_indicator": _both(RATING_OPTIONS + "FRSShipmentIndicator"),
    "ups_rate_chart_indicator": _both(RATING_OPTIONS + "RateChartIndicator"),
    "ups_user_level_discount_indicator": _both(RATING_OPTIONS + "UserLevelDiscountIndicator"),
    "ups_tpfc_negotiated_rates_indicator": _both(RATING_OPTIONS + "TPFCNegotiatedRatesIndicator"),
}

# Shipment indications: codes of a list of their own.
INDICATIONS = ("ups_access_point_pickup", "ups_access_point_delivery")

PACKAGING: RowTable[CatalogueRow] = RowTable(
    [
        CatalogueRow(slug="ups_unknown", code="00"),
        CatalogueRow(slug="ups_letter", code="01", aliases=("envelope",)),
        CatalogueRow(slug="ups_customer_supplied_package", code="02", aliases=("your_packaging",)),
        CatalogueRow(slug="ups_tube", code="03", aliases=("tube",)),
        CatalogueRow(slug="ups_pak", code="04", aliases=("pak",)),
        CatalogueRow(slug="ups_ups_express_box", code="21"),
        CatalogueRow(slug="ups_ups_25_kg_box", code="24"),
        CatalogueRow(slug="ups_ups_10_kg_box", code="25"),
        CatalogueRow(slug="ups_pallet", code="30", aliases=("pallet",)),
        CatalogueRow(slug="ups_small_express_box", code="2a", aliases=("small_box",)),
        CatalogueRow(slug="ups_medium_express_box", code="2b", aliases=("medium_box",)),
        CatalogueRow(slug="ups_large_express_box", code="2c"),
        CatalogueRow(slug="ups_flats", code="56"),
        CatalogueRow(slug="ups_parcels", code="57"),
        CatalogueRow(slug="ups_bpm", code="58"),
        CatalogueRow(slug="ups_first_class", code="59"),
        CatalogueRow(slug="ups_priority", code="60"),
        CatalogueRow(slug="ups_machineables", code="61"),
        CatalogueRow(slug="ups_irregulars", code="62"),
        CatalogueRow(slug="ups_parcel_post", code="63"),
        CatalogueRow(slug="ups_bpm_parcel", code="64"),
        CatalogueRow(slug="ups_media_mail", code="65"),
        CatalogueRow(slug="ups_bpm_flat", code="66"),
        CatalogueRow(slug="ups_standard_flat", code="67"),
    ]
)


def _preset(slug: str, width: str, height: str, length: str, weight: str | None = None) -> Preset:
    return Preset(
        slug=slug, width=Decimal(width), height=Decimal(height), length=Decimal(length), dimension_unit="IN",
        weight=Decimal(weight) if weight else None, weight_unit="LB",
    )  # fmt: skip


PRESETS: RowTable[Preset] = RowTable(
    [
        _preset("ups_small_express_box", "13", "11", "2", "30"),
        _preset("ups_medium_express_box", "16", "11", "3", "30"),
        _preset("ups_large_express_box", "18", "13", "3", "30"),
        _preset("ups_express_tube", "38", "6", "6"),
        _preset("ups_express_pak", "16", "11.75", "1.5"),
        _preset("ups_world_document_box", "17.5", "12.5", "3"),
    ]
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A label as UPS is asked for it. Units: inches."""

    image: str
    height: int
    width: int

    @property
    def kind(self) -> str:
        """What the caller gets: UPS draws pictures, which become PDF pages."""
        return "ZPL" if self.image == "ZPL" else "PDF"


SHEETS: Mapping[str, Sheet] = {
    "PDF_6x4": Sheet("PNG", 6, 4),
    "PDF_8x4": Sheet("PNG", 8, 4),
    "ZPL_6x4": Sheet("ZPL", 6, 4),
    "PDF": Sheet("PNG", 6, 4),
    "ZPL": Sheet("ZPL", 6, 4),
}

# Activity types of the tracking API; MP and OT are activity codes that say more than their type.
STATUSES = StatusMap(
    {
        "X": "on_hold",
        "MP": "pending",
        "D": "delivered",
        "RS": "delivery_failed",
        "OT": "out_for_delivery",
        "M": "pending",
        "O": "out_for_delivery",
        "MV": "unknown",
        "NA": "unknown",
    }
)

INCOTERMS = frozenset(
    {
        "CFR",
        "CIF",
        "CIP",
        "CPT",
        "DAF",
        "DDP",
        "DDU",
        "DEQ",
        "DES",
        "EXW",
        "FAS",
        "FCA",
        "FOB",
    }
)

EXPORT_REASONS: Mapping[str, str] = {
    "sale": "SALE",
    "gift": "GIFT",
    "sample": "SAMPLE",
    "repair": "REPAIR",
    "return_merchandise": "RETURN",
    "inter_company_data": "INTERCOMPANYDATA",
    "other": "Any other reason",
    "documents": "Any other reason",
    "merchandise": "SALE",
}

DOCUMENT_TYPES: Mapping[str, str] = {
    "ups_authorization_form": "001",
    "ups_commercial_invoice": "002",
    "ups_certificate_of_origin": "003",
    "ups_export_accompanying_document": "004",
    "ups_export_license": "005",
    "ups_import_permit": "006",
    "ups_one_time_nafta": "007",
    "ups_other_document": "008",
    "ups_power_of_attorney": "009",
    "ups_packing_list": "010",
    "ups_sed_document": "011",
    "ups_shipper_letter_of_instruction": "012",
    "ups_declaration": "013",
    "certificate_of_origin": "003",
    "commercial_invoice": "002",
    "pro_forma_invoice": "008",
    "packing_list": "010",
    "other": "008",
}

SURCHARGES: Mapping[str, str] = {
    "100": "additional_handling",
    "110": "cod",
    "120": "delivery_confirmation",
    "121": "ship_delivery_confirmation",
    "153": "pkg_email_ship_notification",
    "154": "pkg_email_return_notification",
    "155": "pkg_email_inbound_return_notification",
    "156": "pkg_email_quantum_view_ship_notification",
    "157": "pkg_email_quantum_view_exception_notification",
    "158": "pkg_email_quantum_view_delivery_notification",
    "165": "pkg_fax_inbound_return_notification",
    "166": "pkg_fax_quantum_view_ship_notification",
    "171": "ship_email_erl_notification",
    "173": "ship_email_ship_notification",
    "174": "ship_email_return_notification",
    "175": "ship_email_inbound_return_notification",
    "176": "ship_email_quantum_view_ship_notification",
    "177": "ship_email_quantum_view_exception_notification",
    "178": "ship_email_quantum_view_delivery_notification",
    "179": "ship_email_quantum_view_notify",
    "187": "ship_ups_access_point_notification",
    "188": "ship_eei_filing_notification",
    "189": "ship_uap_shipper_notification",
    "190": "extended_area",
    "199": "haz_mat",
    "200": "dry_ice",
    "201": "isc_seeds",
    "202": "isc_perishables",
    "203": "isc_tobacco",
    "204": "isc_plants",
    "205": "isc_alcoholic_beverages",
    "206": "isc_biological_substances",
    "207": "isc_special_exceptions",
    "220": "hold_for_pickup",
    "240": "origin_certificate",
    "250": "print_return_label",
    "258": "export_license_verification",
    "260": "print_n_mail",
    "270": "residential_address",
    "280": "return_service_1_attempt",
    "290": "return_service_3_attempt",
    "300": "saturday_delivery",
    "310": "saturday_international_processing_fee",
    "350": "electronic_return_label",
    "372": "quantum_view_notify_delivery",
    "374": "ups_prepared_sed_form",
    "375": "fuel_surcharge",
    "376": "delivery_area",
    "377": "large_package",
    "378": "shipper_pays_duty_tax",
    "379": "shipper_pays_duty_tax_unpaid",
    "380": "express_plus_surcharge",
    "400": "insurance",
    "401": "ship_additional_handling",
    "402": "shipper_release",
    "403": "check_to_shipper",
    "404": "ups_proactive_response",
    "405": "german_pickup",
    "406": "german_road_tax",
    "407": "extended_area_pickup",
    "410": "return_of_document",
    "430": "peak_season",
    "431": "peak_season_surcharge_large_package",
    "432": "peak_season_surcharge_additional_handling",
    "440": "ship_large_package",
    "441": "carbon_neutral",
    "442": "pkg_qv_in_transit_notification",
    "443": "ship_qv_in_transit_notification",
    "444": "import_control",
    "445": "commercial_invoice_removal",
    "446": "import_control_electronic_label",
    "447": "import_control_print_label",
    "448": "import_control_print_and_mail_label",
    "449": "import_control_one_pick_up_attempt_label",
    "450": "import_control_three_pick_up_attempt_label",
    "452": "refrigeration",
    "454": "pac_1_a_box_1",
    "455": "pac_3_a_box_1",
    "456": "pac_1_a_box_2",
    "457": "pac_3_a_box_2",
    "458": "pac_1_a_box_3",
    "459": "pac_3_a_box_3",
    "460": "pac_1_a_box_4",
    "461": "pac_3_a_box_4",
    "462": "pac_1_a_box_5",
    "463": "pac_3_a_box_5",
    "464": "exchange_print_return_label",
    "465": "exchange_forward",
    "466": "ship_prealert_notification",
    "470": "committed_delivery_window",
    "480": "security_surcharge",
    "492": "customer_transaction_fee",
    "500": "shipment_cod",
    "510": "lift_gate_for_pickup",
    "511": "lift_gate_for_delivery",
    "512": "drop_off_at_ups_facility",
    "515": "ups_premium_care",
    "520": "oversize_pallet",
    "524": "mi_dual_label_return",
    "530": "freight_delivery_surcharge",
    "531": "freight_pickup_surcharge",
    "540": "direct_to_retail",
    "541": "direct_delivery_only",
    "542": "deliver_to_addressee_only",
    "543": "direct_to_retail_cod",
    "544": "retail_access_point",
    "545": "shipping_ticket_notification",
    "546": "electronic_package_release_authentication",
    "547": "pay_at_store",
    "548": "icod_notification",
    "550": "item_disposal",
    "551": "uk_border_fee",
    "552": "master_carton",
    "553": "simple_rate_accessorial",
    "555": "ups_premier_gold",
    "556": "ups_premier_silver",
    "557": "ups_premier_platinum",
    "558": "ddu_oversize",
}
