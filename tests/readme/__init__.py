"""The examples of the README, run."""
