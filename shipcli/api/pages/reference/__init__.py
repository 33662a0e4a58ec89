"""The reference: a page that shows the served document, and lets people try its operations."""
