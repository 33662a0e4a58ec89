"""Parcels, goods, payment and charges."""

SENTENCES = {
    "weight_unit": "Unit of `weight`: KG, LB, OZ or G.",
    "dimension_unit": "Unit of length, width and height: CM or IN; required with them.",
    "length": "Longest side, in `dimension_unit`; give all three sides or none.",
    "width": "Width, in `dimension_unit`; carriers round it up.",
    "height": "Height, in `dimension_unit`; carriers round it up.",
    "quantity": "How many pieces, 1 or more.",
    "sku": "Your stock number of the article, up to 35 characters.",
    "hs_code": "Tariff number (Harmonized System), 6 to 10 digits; customs of most countries want it.",
    "value_currency": "ISO 4217 code of `value_amount`, such as USD.",
    "origin_country": "Where the goods were made, by two letters (ISO 3166-1).",
    "parent_id": "The stored article or line item that this one was taken from.",
    "Goods.title": "Short name of the goods, up to 35 characters.",
    "Goods.description": "What the goods are, in words that customs understands, up to 100 characters.",
    "Goods.weight": "Weight of one piece, in `weight_unit`.",
    "Goods.value_amount": "Price of one piece, in `value_currency`; the declared value is the sum.",
    "LineItem.unfulfilled_quantity": "How many pieces no bought shipment holds yet.",
    "Box.weight": "Weight of the packed parcel, in `weight_unit`, more than 0 to be rated.",
    "Box.packaging_type": (
        "Kind of packaging, such as `envelope` or `your_packaging`; see `packaging_types` of "
        "`/v1/references`."
    ),
    "Box.package_preset": (
        "A packaging of a carrier, such as `usps_flat_rate_box`, that fills in missing sides."
    ),
    "Box.description": "What the parcel holds, up to 250 characters; not all carriers print it.",
    "Box.content": "Content in a word or two, up to 100 characters.",
    "Box.is_document": "True for papers without value: they need no customs declaration.",
    "Box.reference_number": "Your number of this piece; a counter of ten digits if you give none.",
    "Box.freight_class": "Class of freight (NMFC), such as `92.5`, for carriers of freight.",
    "Box.options": "Wishes for this piece alone: `insurance` is an amount, `insured_by` names who insures.",
    "Box.items": "What is inside, piece by piece; makes packing lists and ties the parcel to an order.",
    "Payment.paid_by": "Who pays the carrier: `sender`, `recipient` or `third_party`.",
    "Payment.currency": "ISO 4217 code in which the account is billed; null for that of the connection.",
    "Payment.account_number": "The payer's account with the carrier; needed if it is not the sender.",
    "Charge.name": "What is charged for, in the carrier's words, such as a fuel surcharge.",
    "Charge.amount": "The charge, in `currency`; it is part of the total.",
}
