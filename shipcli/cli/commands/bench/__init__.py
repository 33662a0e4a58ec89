"""Commands at the bench: quote, ship, print, void, find, and what they use."""
