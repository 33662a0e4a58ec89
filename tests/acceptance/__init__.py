"""Which test checks which line of the acceptance list: the marks, their table and its checks."""
