"""The credentials and settings of a connection, and what its login asks for."""

from __future__ import annotations

from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import CarrierConfig, Credentials

SCOPES = (
    "addresses international-prices subscriptions payments pickup tracking labels scan-forms companies "
    "service-delivery-standards locations international-labels prices"
)


class UspsAccount(Credentials):
    """The application's credentials, and the payment account with its customer and mailer numbers."""

    client_id: str
    client_secret: SecretStr
    account_number: str | None = None
    account_type: Literal["EPS", "PERMIT", "METER"] = "EPS"
    manifest_MID: str | None = None
    CRID: str | None = None
    MID: str | None = None


class UspsConfig(CarrierConfig):
    """The permit that pays, where the account type is PERMIT, and what the connection is used for."""

    permit_ZIP: str | None = None
    permit_number: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
