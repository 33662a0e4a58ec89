"""Back to the shops: tracking numbers in the files they take, and a command or address of one's own."""
