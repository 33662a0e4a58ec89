"""Commands about orders, what they contain, and the rules by which they are shipped."""
