"""Files in and out: shipments, orders, trackers and invoices as rows."""
