"""Search for any object by the words in it."""
