"""Secrets: a master key in the keyring or a private file, and everything else sealed with it."""
