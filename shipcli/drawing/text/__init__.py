"""Texts of any script: their direction, the shapes of their letters, and the fonts that have them."""
