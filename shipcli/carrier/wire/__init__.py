"""What goes over the wire: calls and replies, and the formats they are written in."""
