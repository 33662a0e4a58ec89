"""Commands about carriers, and the accounts with them."""
