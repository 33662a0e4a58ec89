"""Users who log in: an e-mail address, a password stored as a hash, and an optional second step.

`generation` grows whenever the credentials of a user change: tokens of an earlier generation are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from shipcli.clocks import read_real_seconds
from shipcli.models.basics.errors import Conflict, Invalid, NotAuthorised, NotFound, ShipcliError, Throttled
from shipcli.security import passwords
from shipcli.store.errors import Duplicate
from shipcli.store.query import below, equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

LONGEST_WAIT_S = 300
FORGOTTEN_S = 3600


@dataclass(frozen=True, slots=True)
class Counter:
    """What failures are counted by, and how many are free."""

    name: str
    free: int

    def wait_s(self, failures: int) -> int:
        """Return how many seconds after the last attempt the next one is allowed."""
        excess = failures - self.free
        return 0 if excess < 0 else min(2 ** min(excess, 30), LONGEST_WAIT_S)


def make_email_counter(email: str) -> Counter:
    """Return the counter of guesses at one account."""
    return Counter(f"email:{email[:254]}", 5)


def make_address_counter(address: str) -> Counter:
    """Return the counter of guesses from one network address, at any account."""
    return Counter(f"address:{address}", 20)


def make_code_counter(user_id: str) -> Counter:
    """Return the counter of guesses at a user's second-step code."""
    return Counter(f"code:{user_id}", 5)


def begin(app: App, counters: Sequence[Counter], clock: Callable[[], float] = read_real_seconds) -> None:
    """Count an attempt.

    Errors: Throttled if it comes too early; then it is not counted.
    """
    now = clock()
    with app.store.transaction() as tx:
        tx.remove("attempts", [below("at", now - FORGOTTEN_S)])
        counts = {counter: _count(tx, counter) for counter in counters}
        waits = [min(at, now) + counter.wait_s(n) - now for counter, (n, at) in counts.items()]
        if max(waits) > 0:
            raise Throttled(math.ceil(max(waits)))
        for counter, (n, _) in counts.items():
            tx.upsert("attempts", {"name": counter.name, "n": n + 1, "at": now})


def succeed(app: App, cleared: Counter, *others: Counter) -> None:
    """Record that an attempt succeeded: reset the `cleared` counter, and take the attempt off the others.

    An address keeps its other failures; otherwise a guesser could log in to their own account in between.
    """
    with app.store.transaction() as tx:
        tx.remove("attempts", [equal("name", cleared.name)])
        for counter in others:
            n, at = _count(tx, counter)
            tx.upsert("attempts", {"name": counter.name, "n": max(n - 1, 0), "at": at})


def _count(tx: Transaction, counter: Counter) -> tuple[int, float]:
    rows = tx.select("attempts", {"name": counter.name})
    return (rows[0]["n"], rows[0]["at"]) if rows else (0, 0.0)


ISSUER = "shipcli"
SECOND_STEP = "totp"  # the name of its secret
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 1024
LONGEST_NAME = 100
_EMAIL = re.compile(r"[^\s@\x00-\x1f\x7f]{1,64}@[^\s@\x00-\x1f\x7f]{1,189}")


@dataclass(frozen=True, slots=True)
class User:
    """A user, without secrets."""

    id: str
    email: str
    name: str
    two_steps: bool
    generation: int
    created_at: str
    disabled_at: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields that may be shown."""
        return {name: value for name, value in asdict(self).items() if name != "generation"}


def create_user(app: App, email: str, password: str, *, name: str = "") -> User:
    """Create a user.

    Errors: Invalid for an address, password or name that is not allowed; Conflict if the address is taken.
    """
    if len(name) > LONGEST_NAME:
        raise Invalid("name", f"must have at most {LONGEST_NAME} characters")
    row = {
        "id": app.new_id("usr_"), "email": _check_email(email), "name": name, "password": _hash(password),
        "two_steps": False, "last_step": 0, "generation": 1, "created_at": app.now(), "disabled_at": None,
    }  # fmt: skip
    try:
        with app.store.transaction(durable=True) as tx:
            tx.insert("users", row)
    except Duplicate:
        raise Conflict(f"There is a user {row['email']} already") from None
    return _read_user(row)


def list_users(app: App, *, disabled: bool = False) -> list[User]:
    """Return the users, newest first; disabled ones only if `disabled`."""
    rows = app.store.select("users", (), ("-created_at", "-id"))
    return [_read_user(row) for row in rows if disabled or row["disabled_at"] is None]


def get_user(app: App, name: str) -> User:
    """Return the user with an e-mail address or id.

    Errors: NotFound.
    """
    rows = app.store.select("users", {"email": _fold(name)}) or app.store.select("users", {"id": name})
    if not rows:
        raise NotFound("user", message=f"There is no user {name!r}")
    return _read_user(rows[0])


def find_active_user(app: App, id: str | None) -> User | None:
    """Return the user with an id, or None if there is none or they are disabled."""
    rows = app.store.select("users", {"id": id, "disabled_at": None}) if id else []
    return _read_user(rows[0]) if rows else None


def disable_user(app: App, name: str) -> User:
    """Disable a user: they can't log in any more, and their tokens are refused from now on.

    Errors: NotFound.
    """
    return _renew(app, get_user(app, name), disabled_at=app.now())


def set_password(app: App, name: str, password: str) -> User:
    """Change a user's password; all their tokens are refused from now on.

    Errors: NotFound; Invalid for a password that is not allowed.
    """
    user = get_user(app, name)
    return _renew(app, user, password=_hash(password))


def enrol(app: App, name: str) -> str:
    """Set up the second step, so that log-ins need codes, and return the `otpauth` address that an
    authenticator app reads; it can't be shown again.

    Errors: NotFound.
    """
    user, secret = get_user(app, name), passwords.make_secret()
    sealed = app.vault.seal(user.id, secret)
    _renew(app, user, sealed=sealed, two_steps=True, last_step=0)
    return passwords.make_otpauth_address(secret, user.email, ISSUER)


def end_second_step(app: App, name: str) -> User:
    """Remove a user's second step: they log in with the password alone.

    Errors: NotFound.
    """
    return _renew(app, get_user(app, name), two_steps=False)


def _renew(app: App, user: User, *, sealed: bytes | None = None, **changes: Any) -> User:
    """Change a user and revoke all their tokens."""
    with app.store.transaction(durable=True) as tx:
        row = tx.select("users", {"id": user.id})[0]
        changes["generation"] = row["generation"] + 1
        tx.update("users", {"id": user.id}, changes)
        tx.update("oauth_tokens", {"user_id": user.id, "revoked_at": None}, {"revoked_at": app.now()})
        tx.remove("oauth_codes", {"user_id": user.id})
        if "two_steps" in changes:
            tx.remove("secrets", {"id": user.id, "name": SECOND_STEP})
        if sealed:
            tx.insert("secrets", {"id": user.id, "name": SECOND_STEP, "sealed": sealed})
    return _read_user(row | changes)


# -- logging in --------------------------------------------------------------------------------


def authenticate(app: App, email: str, password: str, *, peer: str) -> User:
    """Return the user with this address and password; a second step may still be due.

    Errors: NotAuthorised, the same for a wrong address and a wrong password; Throttled after many failures.
    """
    folded = _fold(email)
    account, address = make_email_counter(folded), make_address_counter(peer)
    begin(app, [account, address])
    rows = app.store.select("users", {"email": folded, "disabled_at": None})
    if not passwords.matches(rows[0]["password"] if rows else None, password):
        text = "No active account found with the given credentials"
        raise NotAuthorised(text, code="no_active_account")
    succeed(app, account, address)
    return _read_user(rows[0])


def take_second_step(app: App, user: User, code: str) -> None:
    """Check the code of an authenticator app; each code is valid once.

    Errors: ShipcliError 400 for a wrong code, or a user without a second step; Throttled after many failures.
    """
    counter = make_code_counter(user.id)
    begin(app, [counter])
    rows = app.store.select("secrets", {"id": user.id, "name": SECOND_STEP}) if user.two_steps else []
    secret = app.vault.open(user.id, rows[0]["sealed"]) if rows else None
    step = passwords.find_step(secret, code, app.now().timestamp()) if secret else None
    if step is None or not _is_first_use(app, user, step):
        text = "The code is wrong, was used before, or no second step is set up"
        details = {"non_field_errors": [text]}
        raise ShipcliError(text, code="otp_invalid", status=400, details=details)
    succeed(app, counter)


def _is_first_use(app: App, user: User, step: int) -> bool:
    with app.store.transaction() as tx:
        unused = [equal("id", user.id), below("last_step", step)]
        return tx.update("users", unused, {"last_step": step}) == 1


# -- rows --------------------------------------------------------------------------------------


def _fold(email: str) -> str:
    return email.strip().casefold()


def _check_email(email: str) -> str:
    address = _fold(email)
    if not _EMAIL.fullmatch(address) or not address.isprintable():
        raise Invalid("email", "must be an e-mail address")
    return address


def _hash(password: str) -> str:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise Invalid("password", f"must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
    return passwords.hash_password(password)


def _read_user(row: dict[str, Any]) -> User:
    disabled = row["disabled_at"]
    return User(
        row["id"], row["email"], row["name"], bool(row["two_steps"]), row["generation"],
        row["created_at"].isoformat(), disabled.isoformat() if disabled else None,
    )  # fmt: skip
