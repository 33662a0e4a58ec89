"""Collections of parcels by their carrier, and the forms of the day's shipments (manifests)."""
