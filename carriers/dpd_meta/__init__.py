"""DPD by the META API of the whole group: prices by a rate sheet, labels, collections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import Carrier, CarrierConfig, Credentials, Flow, Reply, Token
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.models import (
    Invalid,
    Label,
    Message,
    PickupDetails,
    PickupRequest,
    Quote,
    RateRequest,
    ShipmentRequest,
)

from . import pickups, shipments
from .parts import CATALOGUE, Customer, read_faults

TOKEN = "x-dpd-token"
TOKEN_LIFE = timedelta(hours=23, minutes=30)  # of 24 hours
Paper = Literal["A4", "A5", "A6", "A7"]
Position = Literal["UPPER_LEFT", "UPPER_RIGHT", "LOWER_LEFT", "LOWER_RIGHT"]
LabelFormat = Literal[
    "PDF", "EPL", "ZPL", "TIFF", "PNG", "PPR", "SPD", "Z2D", "THE", "XML", "XML2D", "THEPSG", "ZPLPSG",
    "ZPL300", "JSON", "PS", "DATA", "CLP", "HTML",
]  # fmt: skip


class DpdMetaAccount(Credentials):
    """A login, or an application, of one of DPD's business units, and the customer who is billed."""

    dpd_login: str | None = None
    dpd_password: SecretStr | None = None
    dpd_client_id: str | None = None
    dpd_client_secret: SecretStr | None = None
    dpd_bucode: str | None = None
    customer_id: str | None = None
    customer_account_number: str | None = None
    customer_sub_account_number: str | None = None
    account_country_code: str | None = None
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class DpdMetaConfig(CarrierConfig):
    """Settings of a connection; the format of labels goes before that of a purchase."""

    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    label_type: Paper | None = None
    label_format: LabelFormat | None = None
    label_paper_format: Paper | None = None
    label_printer_position: Position | None = None
    dropoff_type: Literal["FULL_LABEL", "QR_CODE", "BOTH"] | None = None
    sending_depot: str | None = None
    simulate: bool | None = None
    extra_barcode: bool | None = None
    with_document: bool | None = None


class DpdMeta(Carrier[DpdMetaAccount, DpdMetaConfig]):
    """DPD Global."""

    slug = "dpd_meta"
    name = "DPD Global"
    integration_status = "beta"
    hosts = {
        True: "https://api-preprod.dpsin.dpdgroup.com:8443/shipping/v1",
        False: "https://api.dpdgroup.com/shipping/v1",
    }
    Credentials, Config = DpdMetaAccount, DpdMetaConfig
    catalogue = CATALOGUE
    tokens = ("access",)
    needs_weight = True
    tracking_link = "https://www.dpdgroup.com/tracking?parcelNumber={}"
    sample_account = {
        "dpd_login": "sandbox",
        "dpd_password": "sandbox-secret",
        "dpd_bucode": "001",
        "customer_id": "123456789",
        "customer_account_number": "ACC123456",
        "account_country_code": "DE",
        "services": make_sample_sheet(CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """The token comes in a header. The business unit is named, else that of the account's country."""
        account = self.account
        unit = account.dpd_bucode or CATALOGUE.table("business_unit").get(account.account_country_code or "")
        secrets = {"PASSWORD": account.dpd_password, "CLIENTSECRET": account.dpd_client_secret}
        texts = {
            "BUCODE": unit,
            "LOGIN": account.dpd_login,
            "CLIENTID": account.dpd_client_id,
            **{field: secret and secret.get_secret_value() for field, secret in secrets.items()},
        }
        headers = {f"X-DPD-{field}": text for field, text in texts.items() if text}
        reply = yield from self.ask("POST", "/login", headers=headers, tokens=())
        token = reply.header(TOKEN)
        if not token:
            raise self.refuse("no_token", "DPD answered to the log-in without a token")
        return Token(token, self.now + TOKEN_LIFE)

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_faults(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(read_faults(reply))

    @property
    def _customer(self) -> Customer:
        account = self.account
        return Customer(
            account.customer_account_number or account.customer_id,
            account.customer_sub_account_number,
            account.customer_id,
        )

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """All parcels are one order, with one file.

        Errors: Invalid for a connection that is only to simulate: META's description has no way to say so.
        """
        if self.config.simulate:
            raise Invalid("config.simulate", "DPD's description has no way to simulate: it would be bought")
        options = self.options_of(request)
        kind = (
            options.text("dpd_meta_label_format") or self.config.label_format or request.label_type or "PDF"
        )
        paper = options.text("dpd_meta_label_paper_format") or self.config.label_paper_format
        position = options.text("dpd_meta_label_printer_position") or self.config.label_printer_position
        query = {
            "LabelPrintFormat": kind,
            "LabelPaperFormat": paper or self.config.label_type,
            "LabelPrinterStartPosition": position,
        }
        order = shipments.Order(
            request, options, self.options_of_each(request), self._customer, self.context.key
        )
        body = [shipments.write_shipment(order, self.config.sending_depot)]
        reply = yield from self.ask("POST", "/shipment", json=body, query=query)
        return shipments.read_label(reply.json, kind)

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        body = pickups.write_pickup(request, self._customer, self.config.sending_depot)
        reply = yield from self.ask("POST", "/pickupscheduling", json=body)
        return pickups.read_pickup(reply.json)
