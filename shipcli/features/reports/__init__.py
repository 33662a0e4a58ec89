"""Reports: what was spent, what a parcel costs, who is late, and what carriers billed."""
