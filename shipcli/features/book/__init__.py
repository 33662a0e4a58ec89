"""What is kept to be used again: addresses, boxes, parcels, products, customs declarations, methods."""
