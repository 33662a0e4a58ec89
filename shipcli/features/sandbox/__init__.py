"""The simulated world: one connection of every carrier, and the demo."""
