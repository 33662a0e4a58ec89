"""Collections of parcels by their carrier."""
