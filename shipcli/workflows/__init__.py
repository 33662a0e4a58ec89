"""What takes several operations, written once over a gateway: on this machine and on a server."""
