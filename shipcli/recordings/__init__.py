"""What a server answered: recorded without secrets and persons, replayed, and compared."""
