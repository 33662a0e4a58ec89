"""Commands about parcels on the way: trackers, mails, pickups, manifests."""
