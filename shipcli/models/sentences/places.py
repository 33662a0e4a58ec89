"""Addresses."""

_CHECKED = (
    "Ask the configured address service whether the place exists; a negative answer is 400 `invalid_address`."
)

SENTENCES = {
    "person_name": "Who receives or sends, up to 50 characters; buying a label needs this or `company_name`.",
    "company_name": "The business at the address, up to 50 characters.",
    "street_number": "House number, where you keep it apart; it is put before `address_line1` for carriers.",
    "address_line1": "Street and house number; needed to buy a label, not for rates.",
    "address_line2": "Flat, suite or floor; not every carrier has room for it.",
    "city": "Town, up to 30 characters; needed to buy a label.",
    "state_code": (
        "State or province by its code, such as AZ or ON; needed in countries that have them in addresses."
    ),
    "country_code": "Country by its two letters (ISO 3166-1), such as US.",
    "postal_code": "Postal code; checked and tidied for US (`12345` or `12345-6789`) and CA (`A1A1A1`).",
    "phone_number": "Telephone number; read by the country of the address and stored in international form.",
    "email": "E-mail address for the carrier's notices; some carriers require it.",
    "residential": "True for a home: many carriers add a surcharge.",
    "federal_tax_id": "Tax number in the country, printed on customs papers.",
    "state_tax_id": "Tax number in the state or province, up to 20 characters.",
    "validate_location": _CHECKED,
    "Address.validation": "What the address service found; null if it was not asked.",
    "AddressValidation.success": "Whether the service knows the address.",
    "AddressValidation.meta": "The service's own findings, such as its best match or its position.",
}
