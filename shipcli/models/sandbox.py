"""Bodies of the operations that control a sandbox."""

from __future__ import annotations

from pydantic import Field

from shipcli.models.base import Model


class KeyData(Model):
    """Body that makes an API key."""

    name: str = ""
    scope: str = "write"


class UserData(Model):
    """Body that makes a user."""

    email: str
    password: str = Field(repr=False)
    name: str = ""


class PasswordData(Model):
    """Body that changes a password."""

    password: str = Field(repr=False)


class OAuthClientData(Model):
    """Body that makes an OAuth2 client."""

    name: str
    redirect_uris: list[str] = []
    scopes: list[str] = []
    public: bool = False


class ReplayData(Model):
    """Body that delivers events again: those named, else those missed since an instant."""

    events: list[str] = []
    since: str | None = None


class JobsData(Model):
    """Body that names jobs."""

    ids: list[str]


class ListenerData(Model):
    """Body that begins or continues to listen to events."""

    name: str
    patterns: list[str] = []
    from_start: bool = False


class PassedData(Model):
    """Body that says how far a listener has come."""

    name: str
    position: int


class ExampleData(Model):
    """Body that asks for an example, by the name of its model, and for the objects that examples name."""

    body: str = ""
