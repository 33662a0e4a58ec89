"""Accounts with carriers, the catalogue of what carriers offer, and requests to a carrier."""
