"""Columns of somebody's file, told by the words of their names."""

from __future__ import annotations

import pytest

from shipcli.readers.guessing import guess_columns


@pytest.mark.parametrize(
    ("resource_type", "headers", "fields"),
    [
        ("shipments", "Order ID,Customer,Ship To Address,Zip Code,Country", "reference,recipient_name,"
         "recipient_address1,recipient_postal_code,recipient_country"),
        ("shipments", "ref,ShipToName,ShipToAddress2,province,weight,weight unit", "reference,recipient_name,"
         "recipient_address2,recipient_state,parcel_weight,parcel_weight_unit"),
        ("shipments", "Sender Name,From Country,To", "shipper_name,shipper_country,recipient_name"),
        ("orders", "Order no.,Title,Qty,Price,SKU,Delivery city", "order_id,title,quantity,value_amount,sku,"
         "shipping_to_city"),
        ("trackers", "tracking no,carrier", "tracking_number,tracking_carrier"),
        ("billing", "Tracking Number,AMOUNT", "tracking_number,amount"),
    ],
)  # fmt: skip
def test_names_that_people_give_are_understood(resource_type: str, headers: str, fields: str) -> None:
    found = guess_columns(headers.split(","), resource_type)
    assert found == dict(zip(fields.split(","), headers.split(","), strict=True))


def test_of_two_columns_that_of_our_own_name_counts_then_the_first_and_others_are_left() -> None:
    headers = ["Colour", "Weight", "Parcel weight", "Zip", "Postcode", "Order date", ""]
    found = guess_columns(headers, "shipments")
    assert found == {"parcel_weight": "Parcel weight", "recipient_postal_code": "Zip"}
