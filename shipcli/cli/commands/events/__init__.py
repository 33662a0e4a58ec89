"""Commands about events and those who are told of them."""
