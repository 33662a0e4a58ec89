"""What the tools of a developer ask of a store, as plain data: the same here and of a sandbox elsewhere."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shipcli.features.admin import worker_status
from shipcli.features.core.dates import parse_instant
from shipcli.features.identity import api_keys, oauth_clients, users
from shipcli.features.webhooks import service as webhooks
from shipcli.features.webhooks.listener import Listener
from shipcli.models.basics.errors import Invalid, NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shipcli.features.core.app import App
    from shipcli.models.sandbox import (
        JobsData,
        KeyData,
        ListenerData,
        OAuthClientData,
        PassedData,
        PasswordData,
        ReplayData,
        UserData,
    )

Row = dict[str, Any]


# -- keys, users, clients ----------------------------------------------------------------------


def create_key(app: App, data: KeyData) -> Row:
    """A new key of this mode, with its text."""
    return api_keys.create_key(app, name=data.name, scope=data.scope).to_dict()


def list_keys(app: App, *, revoked: bool = False) -> list[Row]:
    """The keys, without their texts."""
    return [key.to_dict() for key in api_keys.list_keys(app, revoked=revoked)]


def revoke_key(app: App, name: str) -> Row:
    """The revoked key.

    Errors: NotFound; Invalid if several have that name.
    """
    return api_keys.revoke_key(app, name).to_dict()


def create_user(app: App, data: UserData) -> Row:
    """A new user.

    Errors: Invalid; Conflict.
    """
    return users.create_user(app, data.email, data.password, name=data.name).to_dict()


def list_users(app: App, *, disabled: bool = False) -> list[Row]:
    """The users."""
    return [user.to_dict() for user in users.list_users(app, disabled=disabled)]


def get_user(app: App, name: str) -> Row:
    """Errors: NotFound."""
    return users.get_user(app, name).to_dict()


def disable_user(app: App, name: str) -> Row:
    """Errors: NotFound."""
    return users.disable_user(app, name).to_dict()


def set_password(app: App, name: str, data: PasswordData) -> Row:
    """Errors: NotFound; Invalid."""
    return users.set_password(app, name, data.password).to_dict()


def enrol_user(app: App, name: str) -> Row:
    """The address that an authenticator app reads.

    Errors: NotFound.
    """
    user = users.get_user(app, name)
    return {"email": user.email, "otpauth_uri": users.enrol(app, user.id)}


def end_second_step(app: App, name: str) -> Row:
    """Errors: NotFound."""
    return users.end_second_step(app, name).to_dict()


def create_client(app: App, data: OAuthClientData) -> Row:
    """A new OAuth2 client, with its secret if it has one.

    Errors: Invalid.
    """
    scopes = data.scopes or oauth_clients.SCOPES
    made = oauth_clients.create_client(
        app, data.name, redirect_uris=data.redirect_uris, scopes=scopes, public=data.public
    )
    return {"client_id": made.id, **made.to_dict()}


def list_clients(app: App) -> list[Row]:
    """The OAuth2 clients, without their secrets."""
    return [client.to_dict() for client in oauth_clients.list_clients(app)]


def remove_client(app: App, id: str) -> Row:
    """Errors: NotFound."""
    return oauth_clients.remove_client(app, id).to_dict()


# -- events and deliveries ---------------------------------------------------------------------


def get_event(app: App, id: str) -> Row:
    """Errors: NotFound."""
    event = app.store.get("event", id, app.test_mode)
    if event is None:
        raise NotFound("event", id)
    return event


def list_deliveries(
    app: App, *, webhook_id: str | None = None, failed: bool = False, limit: int | None = None
) -> list[Row]:
    """The latest delivery attempts."""
    return [
        _write_times(row) for row in webhooks.list_deliveries(app, webhook_id, failed=failed, limit=limit)
    ]


def _write_times(row: Row) -> Row:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


def replay_events(app: App, webhook_id: str, data: ReplayData) -> list[Row]:
    """The events that will be delivered again.

    Errors: NotFound; Invalid.
    """
    start = read_instant(data.since) if data.since else None
    return [{"event_id": id} for id in webhooks.replay(app, webhook_id, data.events, start=start)]


def read_instant(text: str) -> datetime:
    """Errors: Invalid on `since`."""
    try:
        return parse_instant(text)
    except ValueError:
        raise Invalid("since", f"{text!r} is neither a date nor an instant") from None


def begin_listening(app: App, data: ListenerData) -> Row:
    """The secret of a listener, which begins or continues.

    Errors: Invalid for a pattern that matches no event.
    """
    listener = Listener(app, data.name, data.patterns)
    listener.begin(from_start=data.from_start)
    return {"secret": listener.secret}


def list_pending(app: App, *, name: str, patterns: Sequence[str] = ()) -> Row:
    """The next events of a listener, each with its position, and the position of the last one looked at."""
    pending, last = Listener(app, name, patterns).read_pending()
    return {"events": [{"position": at, "event": event} for at, event in pending], "last": last}


def mark_passed(app: App, data: PassedData) -> Row:
    """How far a listener has come."""
    Listener(app, data.name).mark_passed(data.position)
    return {"position": data.position}


# -- background work ---------------------------------------------------------------------------


def get_worker_status(app: App) -> Row:
    """The workers, and the jobs that wait, run and failed."""
    return worker_status.get_status(app)


def list_jobs(
    app: App, *, state: str | None = None, queue: str | None = None, limit: int | None = None
) -> list[Row]:
    """The jobs, oldest first."""
    return [_show_job(asdict(job)) for job in app.jobs.find(state=state, queue=queue, limit=limit)]


def _show_job(row: Row) -> Row:
    return _write_times({name: row[name] for name in row if name not in ("owner", "held_key")})


def retry_jobs(app: App, data: JobsData) -> list[Row]:
    """The jobs that will run again."""
    return [{"id": id} for id in app.jobs.retry(data.ids)]


def discard_jobs(app: App, data: JobsData) -> list[Row]:
    """The jobs that were removed."""
    return [{"id": id} for id in app.jobs.discard(data.ids)]
