"""Who receives events, and how an event reaches them."""
