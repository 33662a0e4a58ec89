"""What shipments and orders are made of: addresses, parcels and their goods, customs, who pays."""
