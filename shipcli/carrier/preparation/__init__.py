"""What a carrier may rely on in a request, ensured in one place for the driver and for replays.

`flows` runs a verb of a carrier on a request; `requests` completes the request, `refusals` refuses what the
carrier is known not to take, without asking it. What they promise:

- Addresses are in the form of the carrier (`addresses` of its catalogue): phone numbers, states, postal
  codes, and the countries of special areas.
- A declaration is there only when the goods pass customs.
- A parcel has its units, and from its preset the sizes, weight and packaging that it does not state.
- An item has a unit beside its weight: its own, else its parcel's, else that of the first parcel. Its title
  and its description both say its variant, as carriers send to customs one or the other.
- `options.shipment_date` is the day of `options.shipping_date`, which wins; both may be missing.
- A carrier of single parcels (`one_parcel`, of returns `one_parcel_back`) is asked to price and to ship one;
  one that `needs_weight` gets the weight of every parcel.
- No service is priced or bought that does not take the shipment (`limits` of the catalogue): too heavy, too
  large, too valuable, to a post office box.
- None of the options that the carrier refuses is chosen: what can't be bought is not priced either, except
  what a carrier is known to price (a limit that is `priced`): then the quotes say so in their `meta`. Nor is
  one that needs another option beside it to say of which kind (`refused_alone`).
- The payer of a shipment that is bought is one whom the carrier can bill.
- A carrier that collects in its `home_country` alone is asked for shipments from there, or from no country;
  if it `returns_from_abroad`, for returns from anywhere.
- A return is priced and bought by services that bring goods back (`returns` of the catalogue); those that
  do nothing else are no offer for goods that are sent, unless they are named.
- The addresses of a request that is sent have the fields in `required` of the carrier's form, and their texts
  are as short as its `widths`: what is too long stands in a free line, or is refused.
- A price request has the fields in `fills_in_quotes`, as "N/A" where they are missing.
- An export from the US that is bought has its ITN.
- All goods are in one currency that the carrier's forms can say (`goods_currencies`, `values_each`), and so
  are amounts to insure or collect (`option_currency`): converted at rates that the user states, else refused.
- Terms of trade and the payer of the duties do not contradict each other.
- `options.hold_at_location` is a flag; the id of a place stands in the carrier's own option for it.
- `payment` is there (the sender pays when nobody is named), and so is the `duty` of a declaration, paid as
  its terms of trade say, else by the recipient.
"""
