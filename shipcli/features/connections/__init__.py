"""Accounts with carriers, the catalogue of what carriers offer, and how one is asked."""
