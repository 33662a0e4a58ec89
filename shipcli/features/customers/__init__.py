"""Customers: mail about their parcels, and the page on which they follow them."""
