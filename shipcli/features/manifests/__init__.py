"""Forms of the day's shipments, and the end of the day."""
