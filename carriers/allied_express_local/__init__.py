"""Allied Express Local: courier jobs inside one city, by the calls of Allied Express under another host."""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import RateRequest, ShipmentRequest

from ..allied_express import AlliedExpress
from ..allied_express.wire import HOME

HOST = "https://local.test.aet.mskaleem.com"


class AlliedExpressLocal(AlliedExpress):
    """Allied Express Local."""

    slug = "allied_express_local"
    name = "Allied Express Local"
    home_country = HOME
    hosts = {True: HOST, False: HOST}
    catalogue = load_catalogue(__file__)
    sample_account = {**AlliedExpress.sample_account, "service_type": None}
    usual_service = "N"

    def write_job(self, request: RateRequest | ShipmentRequest, service: str, reference: str | None) -> Json:
        """A courier comes when the goods are ready: on the day that is asked for, else now."""
        day, now = self.options_of(request).ship_date(), self.now_at(request.shipper)
        ready = f"{day}T00:00:00.000000" if day else f"{now:%Y-%m-%dT%H:%M:%S.%f}"
        return {**super().write_job(request, service, reference), "readyDate": ready}
