"""What only the API of a sandbox does: faults, headers that control it, a record of what came."""
