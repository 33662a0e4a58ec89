"""What the server serves beside the operations: status, document, downloads, log-in, tracking, window."""
