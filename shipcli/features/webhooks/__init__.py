"""Webhooks and listeners, and the delivery of events to them."""
