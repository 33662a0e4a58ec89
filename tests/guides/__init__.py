"""What is written for people is true: the paths and commands of the guides exist, and the examples run."""
