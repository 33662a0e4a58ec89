"""Who is told of events, and how an event reaches them."""
