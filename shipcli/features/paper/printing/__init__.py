"""Printers, the queue of print jobs, and how bytes reach paper."""
