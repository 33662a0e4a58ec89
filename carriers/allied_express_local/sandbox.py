"""Allied Express Local's facade in the sandbox: another form of prices and labels."""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import PricedOffer, Sale
from shipcli.carrier.wire.json_paths import Json

from ..allied_express.sandbox import AlliedExpressSimulator, draw, soap

CATALOGUE = load_catalogue(__file__)


class AlliedExpressLocalSimulator(AlliedExpressSimulator):
    """Allied Express Local in a sandbox."""

    slug = "allied_express_local"
    tariffs = CATALOGUE.tariffs
    rules = CATALOGUE.rules("job")

    def write_price(self, priced: PricedOffer) -> Json:
        return soap("quoteLocalCourierJob", {"price": _price(priced)})

    def write_sold(self, sale: Sale) -> Json:
        """The file stands beside the SOAP body, which is empty."""
        return {
            "price_detail": {"price": _price(sale.priced)},
            "result": draw(sale),
            **soap("getLabel", None),
        }


def _price(priced: PricedOffer) -> Json:
    return {"grossPrice": str(priced.total), "netPrice": str(priced.total), "reason": None}
