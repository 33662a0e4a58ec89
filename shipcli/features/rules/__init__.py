"""Rules: conditions that choose service, box, options, printer and label format."""
