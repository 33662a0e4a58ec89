"""Token pairs for users: an access token for calls, a refresh token to get the next pair.

They are signed with a key derived from the master key and are not stored. Changing the password or the
second step invalidates all of a user's tokens: they contain the user's `generation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.features.core.app import read_fact
from shipcli.features.identity.users import User, authenticate, find_active_user, take_second_step
from shipcli.models import (
    NotAuthorised,
    TokenObtainPair,
    TokenPair,
    TokenRefresh,
    TokenVerify,
    VerifiedTokenObtainPair,
)
from shipcli.store.ports import MASTER_KEY

if TYPE_CHECKING:
    from shipcli.features.core.app import App

ACCESS, REFRESH = "access", "refresh"
ALGORITHM = "HS256"
PURPOSE = "token pairs"
INVALID = "invalid_token"
Claims = dict[str, Any]


def obtain(app: App, data: TokenObtainPair, *, peer: str) -> TokenPair:
    """Return a pair for an e-mail address and password, not usable before the second step if one is set up.

    Errors: NotAuthorised, Throttled.
    """
    user = authenticate(app, data.email, data.password, peer=peer)
    return _make_pair(app, user, verified=not user.two_steps)


def refresh(app: App, data: TokenRefresh) -> TokenPair:
    """Return a new pair; the refresh token that was sent stays valid.

    Errors: NotAuthorised.
    """
    user, claims = _read(app, data.refresh, REFRESH)
    if not is_verified(user, claims):
        text = "The second step of this log-in is missing"
        raise NotAuthorised(text, code="unverified_refresh_token")
    return _make_pair(app, user, verified=True)


def verify_second_step(app: App, data: VerifiedTokenObtainPair) -> TokenPair:
    """Return a pair that is valid for calls, in exchange for the code of the second step.

    Errors: NotAuthorised; ShipcliError 400 for a wrong code; Throttled.
    """
    user, _ = _read(app, data.refresh, REFRESH)
    take_second_step(app, user, data.otp_token)
    return _make_pair(app, user, verified=True)


def verify(app: App, data: TokenVerify) -> dict[str, Any]:
    """Check a token; the answer is an empty object.

    Errors: NotAuthorised if it is not valid.
    """
    _read(app, data.token, ACCESS, REFRESH)
    return {}


def authenticate_caller(app: App, text: str) -> User:
    """Return the user who makes a call with an access token.

    Errors: NotAuthorised.
    """
    try:
        user, claims = _read(app, text, ACCESS)
    except NotAuthorised as error:
        raise NotAuthorised(error.message, code=INVALID) from None
    if not is_verified(user, claims):
        raise NotAuthorised("The second step of this log-in is missing", code=INVALID)
    return user


def is_verified(user: User, claims: Claims) -> bool:
    """Return whether the second step is done, or not needed."""
    return bool(claims.get("is_verified")) or not user.two_steps


def _make_pair(app: App, user: User, *, verified: bool) -> TokenPair:
    lives = {kind: int(app.config[f"{kind}_token_life"]) for kind in (ACCESS, REFRESH)}
    return TokenPair(**{kind: _sign(app, user, kind, life, verified) for kind, life in lives.items()})


def _sign(app: App, user: User, kind: str, life_s: int, verified: bool) -> str:
    from joserfc import jwt

    now = int(app.now().timestamp())
    claims = {
        "token_type": kind, "exp": now + life_s, "iat": now, "jti": app.draw("jti", 16).hex(),
        "user_id": user.id, "is_verified": verified, "generation": user.generation,
    }  # fmt: skip
    return jwt.encode({"alg": ALGORITHM}, claims, _derive_key(app), algorithms=[ALGORITHM])


def _read(app: App, text: str, *kinds: str) -> tuple[User, Claims]:
    """Return the user of a token, and its claims.

    Errors: NotAuthorised if it is of another kind, has expired, or is of an earlier generation of the user.
    """
    claims = _decode_claims(app, text)
    user = find_active_user(app, claims.get("user_id"))
    alive = claims.get("exp", 0) > app.now().timestamp()
    is_current = user is not None and claims.get("generation") == user.generation
    if user is None or not (alive and is_current and claims.get("token_type") in kinds):
        raise NotAuthorised("Token is invalid or expired", code="token_not_valid")
    return user, claims


def _decode_claims(app: App, text: str) -> Claims:
    """Return the claims of a token; empty if it was not signed by this store."""
    from joserfc import jwt
    from joserfc.errors import JoseError

    if read_fact(app.store, MASTER_KEY) is None:  # never signed anything: a guess must not create a key
        return {}
    try:
        return dict(jwt.decode(text, _derive_key(app), algorithms=[ALGORITHM]).claims)
    except (JoseError, ValueError):
        return {}


def _derive_key(app: App) -> Any:
    from joserfc.jwk import OctKey

    return OctKey.import_key(app.vault.derive_key(PURPOSE))
