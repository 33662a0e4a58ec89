"""What every model stands on: words, numbers and units, and what can be wrong with them."""
