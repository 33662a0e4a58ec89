"""Connections: accounts with carriers. Log-ins: what is sent for tokens, and the tokens."""

from typing import Any

from pydantic import Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Object, OmittedIfNone, Record
from shipcli.models.message import Message


class TokenObtainPair(Model):
    """Who wants tokens."""

    email: str
    password: str = Field(repr=False)


class TokenRefresh(Model):
    """A refresh token, for a new pair."""

    refresh: str = Field(repr=False)


class VerifiedTokenObtainPair(TokenRefresh):
    """The same with the code of the second step."""

    otp_token: str = Field(repr=False)


class TokenVerify(Model):
    """A token of either kind, to be looked at."""

    token: str = Field(repr=False)


class TokenPair(Model):
    """A token for calls, and one for the next pair."""

    access: str = Field(repr=False)
    refresh: str = Field(repr=False)


class Connection(Record):
    """An account as stored; credentials and metadata of a system account are hidden (null).

    `messages` say what still needs one that is removed.
    """

    object_type: str = "carrier-connection"
    carrier_name: str
    display_name: str = ""
    carrier_id: str
    credentials: dict[str, Any] | None = Field(default=None, repr=False)
    capabilities: list[str] | None = None
    config: Object = NO_KEYS
    metadata: dict[str, Any] | None = NO_KEYS
    is_system: bool = False
    active: bool = True
    test_mode: bool = False
    messages: OmittedIfNone[list[Message]] = None


class ConnectionPatch(Model):
    """Body that changes a connection; `given()` tells which fields. The carrier itself cannot change."""

    carrier_name: str = ""
    carrier_id: str = ""
    credentials: dict[str, Any] = Field(default={}, repr=False)
    capabilities: list[str] | None = None
    config: Object = NO_KEYS
    metadata: Object = NO_KEYS
    active: bool = True


class ConnectionData(ConnectionPatch):
    """Body that makes a connection."""

    carrier_name: str
    carrier_id: str
    credentials: dict[str, Any] = Field(repr=False)


class CarrierDetails(Model):
    """What a carrier offers and what a connection to it needs."""

    carrier_name: str
    display_name: str
    capabilities: ListOrNull[str] = NO_ITEMS
    connection_fields: Object = NO_KEYS
    config_fields: Object = NO_KEYS
    integration_status: OmittedIfNone[str] = None
    held_against: OmittedIfNone[list[str]] = None
    held_on: OmittedIfNone[str] = None
