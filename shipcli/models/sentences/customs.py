"""Customs declarations and duties."""

SENTENCES = {
    "content_type": (
        "What kind of goods crosses the border: documents, gift, sample, merchandise, return_merchandise "
        "or other."
    ),
    "content_description": "The content in a few words, for the declaration.",
    "incoterm": "Term of trade (Incoterms) that says who pays duties; DAP if you give none.",
    "invoice": "Number of your commercial invoice, up to 50 characters.",
    "invoice_date": "Date of the commercial invoice, YYYY-MM-DD; an empty text is refused.",
    "commercial_invoice": "True if the goods are sold and a commercial invoice goes with them.",
    "certify": "True if the signer vouches for the declaration; carriers want it before they transmit.",
    "signer": "Who signs the declaration, up to 50 characters.",
    "commodities": "The goods, one entry for each article; at least one.",
    "duty": "Who pays duties and taxes; without it a dutiable parcel gets the message `duty_required`.",
    "duty_billing_address": "Address of whoever pays the duties, if it is neither sender nor recipient.",
    "Declaration.options": (
        "Numbers for customs by name: aes, eel_pfc, license_number, certificate_number, nip_number, "
        "eori_number, vat_registration_number."
    ),
    "Duty.paid_by": "Who pays duties and taxes: `sender`, `recipient` or `third_party`.",
    "Duty.declared_value": (
        "Value of the goods for customs, in `currency`; the sum of the commodities if you give none."
    ),
    "Duty.account_number": "The account to which the carrier bills duties.",
    "DutyData.paid_by": "Who pays duties and taxes: `sender`, `recipient` or `third_party`.",
    "DutyData.declared_value": (
        "Value of the goods for customs, in `currency`; the sum of the commodities if you give none."
    ),
    "DutyData.account_number": "The account to which the carrier bills duties.",
}
