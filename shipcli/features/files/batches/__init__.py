"""Batches of the API: accepted whole, worked on in the background, row by row."""
