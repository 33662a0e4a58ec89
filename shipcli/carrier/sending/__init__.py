"""The driver: sends the calls of carriers, and keeps what was said."""
