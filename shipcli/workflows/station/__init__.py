"""The packing station without a screen: what is scanned, weighed and pressed, and what follows from it."""
