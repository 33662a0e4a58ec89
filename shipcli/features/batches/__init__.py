"""Many objects in one request, done in the background."""
