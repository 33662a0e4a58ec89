"""How shops spell the names of carriers: what they link to a tracking page, and what they refuse otherwise.

Source: the shops' own help pages and importers, see `docs/shops.md`.
"""

from __future__ import annotations

from collections.abc import Mapping

# Carriers of ours that shops know as one.
SAME: Mapping[str, str] = {
    "usps_international": "usps",
    "usps_wt": "usps",
    "usps_wt_international": "usps",
    "fedex_ws": "fedex",
    "dhl_universal": "dhl_express",
    "dpdhl": "dhl_parcel_de",
    "allied_express_local": "allied_express",
}

SHOPIFY: Mapping[str, str] = {
    "usps": "USPS", "ups": "UPS", "fedex": "FedEx", "dhl_express": "DHL Express",
    "dhl_parcel_de": "DHL Parcel", "dhl_poland": "DHL Parcel", "canadapost": "Canada Post",
    "purolator": "Purolator", "canpar": "Canpar", "royalmail": "Royal Mail",
    "australiapost": "Australia Post", "sendle": "Sendle", "aramex": "Aramex", "dpd": "DPD", "tnt": "TNT",
    "laposte": "La Poste", "colissimo": "Colissimo", "chronopost": "Chronopost", "bpost": "bpost",
    "amazon_shipping": "Amazon Logistics",
}  # fmt: skip
AMAZON: Mapping[str, str] = {
    "usps": "USPS", "ups": "UPS", "fedex": "FedEx", "dhl_express": "DHL", "dhl_parcel_de": "DHL",
    "canadapost": "Canada Post", "royalmail": "Royal Mail", "tnt": "TNT", "gls": "GLS",
    "hermes": "Hermes Logistik Gruppe", "aramex": "Aramex", "sendle": "Sendle",
    "australiapost": "Australia Post-ArticleId",
}  # fmt: skip
EBAY: Mapping[str, str] = {
    "usps": "USPS", "ups": "UPS", "fedex": "FedEx", "dhl_express": "DHL", "dhl_parcel_de": "DHL",
    "canadapost": "Canada Post", "royalmail": "Royal Mail", "australiapost": "Australia Post", "dpd": "DPD",
    "tnt": "TNT", "chronopost": "Chronopost", "colissimo": "Colissimo", "purolator": "Purolator",
    "sendle": "Sendle", "aramex": "Aramex",
}  # fmt: skip
ETSY: Mapping[str, str] = {
    "usps": "usps", "ups": "ups", "fedex": "fedex", "dhl_express": "dhl", "dhl_parcel_de": "dhl-germany",
    "canadapost": "canada-post", "royalmail": "royal-mail", "australiapost": "australia-post", "dpd": "dpd",
    "tnt": "tnt", "chronopost": "chronopost-france", "colissimo": "colissimo", "purolator": "purolator",
    "bpost": "bpost", "laposte": "la-poste", "sendle": "sendle", "aramex": "aramex",
}  # fmt: skip
WOOCOMMERCE: Mapping[str, str] = {
    "usps": "USPS", "ups": "UPS", "fedex": "FedEx", "dhl_express": "DHL Express",
    "dhl_parcel_de": "DHL Parcel", "canadapost": "Canada Post", "royalmail": "Royal Mail",
    "australiapost": "Australia Post", "dpd": "DPD", "tnt": "TNT", "purolator": "Purolator",
    "chronopost": "Chronopost", "colissimo": "Colissimo", "bpost": "Bpost", "laposte": "La Poste",
    "sendle": "Sendle", "aramex": "Aramex", "canpar": "Canpar",
}  # fmt: skip
WALMART: Mapping[str, str] = {
    "usps": "USPS", "ups": "UPS", "fedex": "FedEx", "dhl_express": "DHL", "canadapost": "Canada Post",
    "purolator": "Purolator", "asendia_us": "Globegistics (Asendia)",
}  # fmt: skip
BIGCOMMERCE: Mapping[str, str] = {
    "usps": "usps", "ups": "ups", "fedex": "fedex", "canadapost": "canadapost", "royalmail": "royalmail",
    "australiapost": "auspost",
}  # fmt: skip
MAGENTO: Mapping[str, str] = {"usps": "usps", "ups": "ups", "fedex": "fedex", "dhl_express": "dhl"}

SPELLINGS: Mapping[str, Mapping[str, str]] = {
    "shopify": SHOPIFY,
    "amazon": AMAZON,
    "ebay": EBAY,
    "etsy": ETSY,
    "woocommerce": WOOCOMMERCE,
    "walmart": WALMART,
    "bigcommerce": BIGCOMMERCE,
    "magento": MAGENTO,
}


def spell_carrier(shop: str, carrier: str, others: str | None = None) -> str | None:
    """The name a shop has for a carrier; `others`, or None, for one that it does not know."""
    return SPELLINGS.get(shop, {}).get(SAME.get(carrier, carrier), others)
