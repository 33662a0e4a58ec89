"""Exports of twelve shops, made by hand, with what their files do to addresses, articles and numbers."""

from __future__ import annotations

from typing import NamedTuple

LINE = "123 Very Long Industrial Park Road North, Warehouse 17, Dock Door 42"
TITLE = "Personalized handmade ceramic coffee mug with a golden rim"


class ShopExport(NamedTuple):
    """A file, the number of its first order, and what its label, its slip and the carrier must say."""

    text: str
    order: str
    label: tuple[str, ...]
    slip: tuple[str, ...]
    words: tuple[str, ...] = ()  # further options of the import
    notes: tuple[str, ...] = ()  # what the import says


def join_rows(separator: str, *rows: tuple[str, ...]) -> str:
    """Rows as text, each cell in quotes if it needs them."""
    return "".join(separator.join(_quote(cell, separator) for cell in row) + "\r\n" for row in rows)


def _quote(cell: str, separator: str) -> str:
    quoted = cell.replace('"', '""')
    return f'"{quoted}"' if any(sign in cell for sign in (separator, '"', "\n")) else cell


def make_rows(columns: dict[str, tuple[str, ...]], separator: str = ",") -> str:
    """A file from its columns."""
    return join_rows(separator, tuple(columns), *zip(*columns.values(), strict=True))


SHOPIFY = ShopExport(
    make_rows({
        "Name": ("#6001", "#6001"), "Email": ("ada@b.example", "ada@b.example"),
        "Financial Status": ("paid", ""), "Fulfillment Status": ("unfulfilled", ""), "Currency": ("USD", ""),
        "Shipping Method": ("Express", ""), "Created at": ("2026-11-20 09:00:00 -0500", ""),
        "Lineitem quantity": ("1", "2"),
        "Lineitem name": (f"{TITLE} - Blue / Large", f"{TITLE} - Red / Small"),
        "Lineitem price": ("32.50", "32.50"), "Lineitem sku": ("", ""),
        "Lineitem requires shipping": ("true", "true"), "Shipping Name": ("Ada Brooks 🎉", ""),
        "Shipping Company": ("Tom &amp; Ann&#39;s", ""), "Shipping Address1": (LINE, ""),
        "Shipping City": ("Boston", ""), "Shipping Zip": ("'02134", ""),
        "Shipping Province": ("MA", ""), "Shipping Country": ("US", ""),
        "Shipping Phone": ("+1 617-555-0162 ext. 60021", ""),
        "Billing Name": ("Ada", ""), "Billing Country": ("US", ""), "Billing Zip": ("'85", ""),
    }),
    "#6001", ("Ada Brooks", "Tom & Ann's", "Road North", "Dock Door 42", "02134"),
    ("Blue / Large", "Red / Small", "golden rim", "Dock Door 42"), (), ("🎉", "Billing Zip"),
)  # fmt: skip
ETSY = ShopExport(
    make_rows({
        "Sale Date": ("11/20/26", "11/20/26"),
        "Item Name": ("Shirt &quot;Tea&quot;", "Shirt &quot;Tea&quot;"),
        "Buyer": ("ada", "ada"), "Quantity": ("1", "2"), "Price": ("12.5", "$12.50"),
        "Currency": ("USD", "USD"), "Transaction ID": ("72011", "72012"), "Listing ID": ("999", "999"),
        "Date Paid": ("11/20/26", "11/20/26"), "Date Shipped": ("", ""),
        "Ship Name": ("Ada Brooks", "Ada Brooks"), "Ship Address1": ("4 King&#39;s Row", "4 King&#39;s Row"),
        "Ship Address2": ("", ""), "Ship City": ("Boston", "Boston"), "Ship State": ("MA", "MA"),
        "Ship Zipcode": ("2134", "2134"), "Ship Country": ("United States", "United States"),
        "Order ID": ("7201", "7201"), "Variations": ("Colour:Blue,Size:S", "Colour:Red,Size:XL"),
        "SKU": ("", ""),
    }),
    "7201", ("Ada Brooks", "4 King's Row", "02134"),
    ('Shirt "Tea"', "Colour:Blue,Size:S", "Colour:Red,Size:XL"), (), ("read as 02134",),
)  # fmt: skip
AMAZON = ShopExport(
    make_rows({
        "order-id": ("111-1",), "order-item-id": ("i1",), "purchase-date": ("2026-11-20T09:00:00+00:00",),
        "buyer-email": ("a@m.example",), "buyer-name": ("Ana",),
        "buyer-phone-number": ("+1 503-555-0162 ext. 60021",),
        "sku": ("SKU-MUG-11-PERSONALIZED-CUSTOM-BLUE-LARGE",), "product-name": (TITLE,),
        "quantity-purchased": ("3",), "quantity-shipped": ("1",), "quantity-to-ship": ("2",),
        "ship-service-level": ("Expedited",), "recipient-name": ("Ana Ruiz",),
        "ship-address-1": ("The Old Station House at the far end of Harbour Lane",),
        "ship-address-2": ("Unit 9",), "ship-address-3": ("Gate C",), "ship-city": ("Phoenix",),
        "ship-state": ("Arizona",), "ship-postal-code": ("85004",), "ship-country": ("US",),
    }, "\t"),
    "111-1", ("Ana Ruiz", "Harbour", "Lane", "Unit 9", "Gate C", "AZ"),
    ("SKU-MUG-11-PERSONALIZED-CUSTOM-BLUE-LARGE", "golden rim"), (), ("longer than 35",),
)  # fmt: skip
EBAY = ShopExport(
    "\ufeff" + make_rows({
        "Sales Record Number": ("", "201", "2"), "Order Number": ("", "02-1", "record(s) downloaded"),
        "Buyer Username": ("", "cat", "from"), "Buyer Email": ("", "c@x.example", ""),
        "Buyer Note": ("", "leave at the door", ""), "Ship To Name": ("", "Cat Jones", ""),
        "Ship To Phone": ("", "n/a", ""), "Ship To Address 1": ("", "1 Main St\nUnit 9", ""),
        "Ship To Address 2": ("", "", ""), "Ship To City": ("", "Denver", ""),
        "Ship To State": ("", "CO", ""),
        "Ship To Zip": ("", "80202", ""), "Ship To Country": ("", "United States of America", ""),
        "Item Number": ("", "9001", ""), "Item Title": ("", "Lamp", ""), "Custom Label": ("", "LMP", ""),
        "Quantity": ("", "1", ""), "Sold For": ("", "$12.00", ""), "Paid On Date": ("", "Nov-20-26", ""),
        "Shipping Service": ("", "Economy", ""), "Variation Details": ("", "[Shade:Green]", ""),
    }),
    "02-1", ("Cat Jones", "1 Main St", "Unit 9", "80202"), ("Lamp", "[Shade:Green]", "LMP"), (),
    ("'n/a' stands for nothing",),
)  # fmt: skip
WOOCOMMERCE = ShopExport(
    make_rows({
        "Order Number": ("501", "501"), "Order Status": ("Processing", "Processing"),
        "Order Date": ("2026-11-20 09:00", "2026-11-20 09:00"), "Customer Note": ("ring twice", "ring twice"),
        "Phone (Billing)": ("'+1 503-555-0162", "'+1 503-555-0162"),
        "Email (Billing)": ("a@w.example", "a@w.example"), "First Name (Shipping)": ("Ada", "Ada"),
        "Last Name (Shipping)": ("Lovelace", "Lovelace"), "Address 1&2 (Shipping)": (LINE, LINE),
        "City (Shipping)": ("Portland", "Portland"), "State Code (Shipping)": ("OR", "OR"),
        "Postcode (Shipping)": ("97201", "97201"), "Country Code (Shipping)": ("US", "US"),
        "Shipping Method Title": ("Flat rate", "Flat rate"), "SKU": ("", ""), "Item Name": ("Cap", "Cap"),
        "Quantity": ("1", "4"), "Item Cost": ("9.5", "9.5"), "Product Variation": ("Red", "Blue"),
    }),
    "501", ("Ada Lovelace", "Dock Door 42", "97201"), ("Cap", "Red", "Blue"),
)  # fmt: skip
SQUARESPACE = ShopExport(
    make_rows({
        "Order ID": ("00011", "00011"), "Email": ("a@s.example", "a@s.example"),
        "Financial Status": ("PAID", ""), "Fulfillment Status": ("PENDING", ""), "Currency": ("USD", ""),
        "Shipping Method": ("Priority", ""), "Created at": ("2026-11-20 09:00:00 -0500", ""),
        "Lineitem quantity": ("1", "1"), "Lineitem name": ("Vase", "Vase"),
        "Lineitem price": ("40.00", "40.00"),
        "Lineitem sku": ("SQ1", "SQ1"), "Lineitem variant": ("Tall / White", "Low / Black"),
        "Lineitem requires shipping": ("yes", "yes"), "Billing Name": ("Bo", ""),
        "Billing Country": ("Atlantis", ""), "Shipping Name": ("Bo Lee", ""),
        "Shipping Address1": ("9 Elm St", ""), "Shipping Address2": ("c/o Miller", ""),
        "Shipping City": ("Denver", ""), "Shipping Zip": ("'80202", ""),
        "Shipping Province": ("Colorado", ""),
        "Shipping Country": ("United States", ""), "Shipping Phone": ("0000000000", ""),
        "Cancelled at": ("", ""), "Private Notes": ("gift", ""),
    }),
    "00011", ("Bo Lee", "9 Elm St", "c/o Miller", "80202"), ("Vase", "Tall / White", "Low / Black"), (),
    ("Billing Country", "0000000000"),
)  # fmt: skip
BIGCOMMERCE = ShopExport(
    make_rows({
        "Order ID": ("901",), "Customer Name": ("Cy Fox",), "Order Date": ("11/20/2026",),
        "Order Status": ("Awaiting Fulfillment",), "Ship Method": ("Ground",),
        "Order Currency Code": ("USD",), "Customer Message": ("no bell",), "Shipping First Name": ("Cy",),
        "Shipping Last Name": ("Fox",), "Shipping Company": ("Fox & Co",), "Shipping Street 1": ("3 Oak",),
        "Shipping Street 2": ("Floor 2",), "Shipping Suburb": ("Denver",), "Shipping State": ("Colorado",),
        "Shipping Zip": ("80202",), "Shipping Country": ("United States",), "Shipping Phone": ("3035550162",),
        "Shipping Email": ("c@b.example",), "Date Shipped": ("",),
        "Product Details": ("Product ID: 7, Product Qty: 2, Product SKU: M-1, Product Name: Mug, tall, "
                            "Product Variation Details: Colour: Blue|Product ID: 8, Product Qty: 1, "
                            "Product SKU: P-2, Product Name: Plate",),
    }),
    "901", ("Cy Fox", "Fox & Co", "3 Oak", "Floor 2", "80202"), ("Mug, tall", "Colour: Blue", "Plate", "P-2"),
)  # fmt: skip
MAGENTO = ShopExport(
    make_rows({
        "ID": ("000000123",), "Purchase Point": ("Main",), "Purchase Date": ("Nov 20, 2026 9:00:00 AM",),
        "Bill-to Name": ("Di",), "Ship-to Name": ("Di Roe",), "Grand Total (Base)": ("$20.00",),
        "Status": ("Processing",), "Shipping Address": ("5 Main St, Unit 9,Boston,Massachusetts,2134",),
        "Shipping Information": ("Flat Rate - Fixed",), "Customer Email": ("d@m.example",),
    }),
    "000000123", ("Di Roe", "5 Main St", "Unit 9", "Boston", "MA", "02134"), ("Mug",),
    ("--set", "shipping_to_country=US", "--set", "title=Mug"), ("read as 02134",),
)  # fmt: skip
SQUARE = ShopExport(
    make_rows({
        "Order": ("S-1",), "Order Name": ("Ed Moe",), "Order Date": ("2026/11/20",), "Currency": ("USD",),
        "Fulfillment Type": ("Shipment",), "Fulfillment Status": ("New",), "Fulfillment Notes": ("fragile",),
        "Recipient Name": ("Ed Moe",), "Recipient Email": ("e@q.example",), "Recipient Phone": ("-",),
        "Recipient Address": ("7 Fir Ave\r\nSuite 5",), "Recipient Address 2": ("",),
        "Recipient Postal Code": ("97201",), "Recipient City": ("Portland",), "Recipient Region": ("Ore.",),
        "Recipient Country": ("USA",), "Item Quantity": ("3",), "Item Name": ("Soap",), "Item SKU": ("",),
        "Item Variation": ("Lemon",), "Item Modifiers": ("Gift wrap",), "Item Price": ("$4.00",),
    }),
    "S-1", ("Ed Moe", "7 Fir Ave", "Suite 5", "97201", "OR"), ("Soap", "Lemon, Gift wrap"), (),
    ("'-' stands for nothing",),
)  # fmt: skip

WIX = ShopExport(
    make_rows({
        "Order number": ("10042", "10042"), "Date created": ("Nov 20, 2026", "Nov 20, 2026"),
        "Time": ("9:15:51 AM", "9:15:51 AM"), "Contact email": ("a@x.example", "a@x.example"),
        "Note from customer": ("no bell", "no bell"), "Item": ("Scarf", "Scarf"),
        "Variant": ("Colour: Blue", "Colour: Red"), "SKU": ("", ""), "Qty": ("1", "2"),
        "Price": ("12.50", "12.50"), "Custom text": ("For Ann", ""),
        "Delivery method": ("Standard", "Standard"), "Recipient name": ("Fay Orr", "Fay Orr"),
        "Recipient phone": ("n/a", "n/a"), "Recipient company name": ("Orr &amp; Co", "Orr &amp; Co"),
        "Delivery country": ("USA", "USA"), "Delivery state": ("US-OR", "US-OR"),
        "Delivery city": ("Portland", "Portland"),
        "Delivery address": ("8 Elm St\nUnit 3", "8 Elm St\nUnit 3"),
        "Delivery zip/postal code": ("97201", "97201"), "Billing name": ("Gus", "Gus"),
        "Payment status": ("Paid", "Paid"), "Currency": ("USD", "USD"),
        "Fulfillment status": ("Not fulfilled", "Not fulfilled"),
    }),
    "10042", ("Fay Orr", "Orr & Co", "8 Elm St", "Unit 3", "97201", "OR"),
    ("Scarf", "Colour: Blue, For Ann", "Colour: Red"), (), ("'n/a' stands for nothing",),
)  # fmt: skip
WALMART = ShopExport(
    make_rows({
        "PO#": ("7001", "7001"), "Order#": ("2000", "2000"), "Order Date": ("11/20/2026", "11/20/2026"),
        "Customer Name": ("Hal Iyer", "Hal Iyer"), "Customer Shipping Address": ("", ""),
        "Customer Phone Number": ("5035550162", "5035550162"), "Ship to Address 1": ("9 Ash Rd", "9 Ash Rd"),
        "Ship to Address 2": ("Apt 2", "Apt 2"), "City": ("Boston", "Boston"), "State": ("MA", "MA"),
        "Zip": ("2134", "2134"), "Line#": ("1", "2"), "UPC": ("012345678905", "012345678912"),
        "SKU": ("CUP-1", "CUP-2"), "Status": ("Acknowledged", "Acknowledged"),
        "Item Description": ("Cup, blue", "Cup, red"), "Qty": ("1", "2"),
        "Shipping Method": ("Value", "Value"),
        "Requested Carrier Method": ("", ""), "Update Status": ("", ""), "Tracking Number": ("", ""),
    }),
    "7001", ("Hal Iyer", "9 Ash Rd", "Apt 2", "02134"), ("Cup, blue", "Cup, red", "CUP-2"), (),
    ("read as 02134",),
)  # fmt: skip
TIKTOK = ShopExport(
    "\ufeff" + make_rows({
        "Order ID": ("Platform unique order ID.", "5761\t", "5761\t"),
        "Order Status": ("Current order status.", "To ship", "To ship"),
        "SKU ID": ("Platform SKU ID.", "17291\t", "17292\t"), "Seller SKU": ("", "", "TEE-R"),
        "Product Name": ("", "Tee &amp; cap", "Tee &amp; cap"), "Variation": ("", "Blue, L", "Red, S"),
        "Quantity": ("", "1", "2"), "SKU Unit Original Price": ("", "USD 15.00", "USD 15.00"),
        "Created Time": ("", "11/20/2026 09:00:00 AM\t", "11/20/2026 09:00:00 AM\t"),
        "Shipped Time": ("", "", ""), "Delivery Option": ("", "Standard", "Standard"),
        "Buyer Username": ("", "ivy", "ivy"), "Recipient": ("", "Ivy Kerr", "Ivy Kerr"),
        "Phone #": ("", "(+1)5035550162", "(+1)5035550162"),
        "Country": ("", "United States", "United States"),
        "State": ("", "Oregon", "Oregon"), "City": ("", "Portland", "Portland"),
        "Zipcode": ("", "97201", "97201"), "Address Line 1": ("", "4 Bay St", "4 Bay St"),
        "Address Line 2": ("", "Unit 7", "Unit 7"), "Package ID": ("", "", ""),
    }),
    "5761", ("Ivy Kerr", "4 Bay St", "Unit 7", "97201", "OR"), ("Tee & cap", "Blue, L", "Red, S", "TEE-R"),
)  # fmt: skip

SHOPS = {
    "shopify": SHOPIFY, "etsy": ETSY, "amazon": AMAZON, "ebay": EBAY, "woocommerce": WOOCOMMERCE,
    "squarespace": SQUARESPACE, "bigcommerce": BIGCOMMERCE, "magento": MAGENTO, "square": SQUARE,
    "wix": WIX, "walmart": WALMART, "tiktok": TIKTOK,
}  # fmt: skip
