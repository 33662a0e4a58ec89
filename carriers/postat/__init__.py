"""Austrian Post: prices by a rate sheet, labels and their cancellation by the Post-Labelcenter (SOAP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import (
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    NumberForm,
    Reply,
    ServerUrl,
    Token,
)
from shipcli.carrier.number_forms import POSTAL
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
)

from . import wire

HOST = "https://plc.post.at/Post.Webservice/ShippingService.svc/secure"


class PostatAccount(Credentials):
    """A client of the Post-Labelcenter, and the organisation unit that ships."""

    client_id: str
    org_unit_id: str
    org_unit_guid: SecretStr
    account_country_code: str | None = None
    services: OwnLevels = wire.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class PostatConfig(CarrierConfig):
    """How labels are printed; `server_url` is asked in place of the usual host."""

    server_url: ServerUrl = None
    label_format: Literal["PDF", "ZPL2"] | None = None
    label_size: Literal["SIZE_100x150", "SIZE_100x200"] | None = None
    paper_layout: Literal["LAYOUT_2xA5inA4", "LAYOUT_4xA6inA4", "LAYOUT_A4"] | None = None
    shipping_services: list[str] | None = None
    shipping_options: list[str] | None = None


class Postat(Carrier[PostatAccount, PostatConfig]):
    """Austrian Post."""

    slug = "postat"
    name = "Austrian Post"
    integration_status = "beta"
    home_country = "AT"
    needs_weight = True
    values_each = True
    tells_payer = False
    hosts = {True: HOST, False: HOST}
    Credentials, Config = PostatAccount, PostatConfig
    catalogue = wire.CATALOGUE
    done_before = (DoneBefore(verb="void", text=r"(?i)already (been )?cancell?ed|bereits storniert"),)
    number_forms = (NumberForm("22 digits", r"\d{22}"), POSTAL)
    tracking_link = "https://www.post.at/sv/sendungssuche?snr={}"
    sample_account = {
        "client_id": "4200",
        "org_unit_id": "1461448",
        "org_unit_guid": "sandbox-secret",
        "account_country_code": "AT",
    }

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(wire.read_errors(reply))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        options, config = self.options_of(request), self.config
        how = {
            "label_format": config.label_format,
            "label_size": config.label_size,
            "paper_layout": config.paper_layout,
        }
        printer = wire.write_printer(how, options, request.label_type)
        login = {"ClientID": self.account.client_id, **self._unit()}
        body = wire.write_order(request, options, self._find_service(request.service), login, printer)
        reply = yield wire.IMPORT.call("", body)
        return wire.read_label(reply.xml)

    def _find_service(self, slug: str) -> str:
        """The code of a service, set up for each client: a level of the account may name it."""
        codes = (level.carrier_service_code for level in self.levels() if level.service_code == slug)
        return next((code for code in codes if code), None) or wire.check_service(slug)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        row = {"TrackingNumber": request.shipment_identifier, **self._unit()}
        yield wire.CANCEL.call("", {"row": row})
        return Confirmation(success=True, operation="Cancel Shipment")

    def _unit(self) -> Json:
        account = self.account
        return {"OrgUnitID": account.org_unit_id, "OrgUnitGuid": account.org_unit_guid.get_secret_value()}
