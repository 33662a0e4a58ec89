"""What carriers must do only once: recorded before they are asked, so that no crash repeats it."""
