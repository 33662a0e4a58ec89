"""Accounts with carriers, what carriers offer, requests to them, and intents: what they must do only once."""
