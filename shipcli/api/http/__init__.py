"""What HTTP asks of a server: requests, responses, hosts, origins, compression, connections."""
