"""Many objects at once: rows of files in and out, and batches done in the background."""
