"""What a new machine needs, set up in one step: mode, units, shipper, carrier, printer."""
