"""Commands about the server, its worker, and who may use it."""
