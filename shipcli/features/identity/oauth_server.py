"""The OAuth2 server: what authlib needs to know about our clients, codes and tokens.

Every client, public or not, needs a challenge (PKCE, S256) to get a code. The API passes in an
`AuthorizationRequest` and sends the `TokenResponse` back.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import (
    AuthorizationServer,
    InvalidGrantError,
    InvalidRequestError,
    OAuth2Request,
    grants,
)
from authlib.oauth2.rfc6749.requests import OAuth2Payload
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oidc.core.grants import OpenIDCode

from shipcli.features.core.app import App, make_expiry
from shipcli.features.identity import oauth_clients, oauth_grants
from shipcli.features.identity.api_keys import digest
from shipcli.features.identity.oauth_clients import OAuthClient
from shipcli.features.identity.oauth_grants import Grant
from shipcli.features.identity.users import User
from shipcli.models import json
from shipcli.models.basics.errors import ShipcliError

CODE_LIFE_S, TOKEN_LIFE_S, IDENTITY_LIFE_S = 60, 36000, 3600
SECRET_METHODS = ["client_secret_basic", "client_secret_post"]
AUTH_METHODS = [*SECRET_METHODS, "none"]
# Parameters that errors repeat, where RFC 6749 allows fewer characters than in a request.
ECHOED = ("response_type", "redirect_uri")

# At debug level the library logs tokens in clear.
logging.getLogger("authlib").setLevel(logging.WARNING)

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """One request, with its parameters from the query or the form. `issuer` is our identity for clients."""

    method: str
    address: str
    issuer: str
    headers: Mapping[str, str]
    values: Pairs


@dataclass(frozen=True, slots=True)
class TokenResponse:
    """The response: a JSON object, or no body if it is a redirect."""

    status: int
    body: Any
    headers: Pairs

    def content(self) -> bytes:
        """Return the bytes of the body."""
        return json.dump_bytes(self.body) if isinstance(self.body, dict) else b""


class Payload(OAuth2Payload):
    """Parameters by name."""

    def __init__(self, values: Pairs) -> None:
        self._values = values

    @property
    def data(self) -> dict[str, str]:
        return dict(self._values)

    @property
    def datalist(self) -> dict[str, list[str]]:
        return {name: [text for field, text in self._values if field == name] for name, _ in self._values}


class OAuthRequest(OAuth2Request):
    """A request as the grants read it."""

    def __init__(self, request: AuthorizationRequest) -> None:
        super().__init__(request.method, request.address, headers=dict(request.headers))
        self.issuer = request.issuer
        self.payload = Payload(request.values)
        for name in ECHOED:
            text = self.payload.data.get(name, "")
            if not (text.isascii() and text.isprintable()) or set('"\\') & set(text):
                raise InvalidRequestError(f"Malformed '{name}'")

    @property
    def args(self) -> dict[str, str]:
        data: dict[str, str] = self.payload.data
        return data

    form = args


class OAuthServer(AuthorizationServer):
    """Grants and endpoints on one store."""

    def __init__(self, app: App) -> None:
        super().__init__(scopes_supported=list(oauth_clients.SCOPES))
        self.app = app
        self.register_token_generator("default", BearerTokenGenerator(
            lambda **_: oauth_grants.ACCESS + app.draw_text(oauth_grants.ACCESS, 32),
            lambda **_: oauth_grants.REFRESH + app.draw_text(oauth_grants.REFRESH, 32),
            lambda *_: TOKEN_LIFE_S,
        ))  # fmt: skip
        self.register_grant(CodeGrant, [Challenge(required=True), Identity(app)])
        self.register_grant(RefreshGrant)
        self.register_grant(ClientGrant)
        self.register_endpoint(Revocation)
        self.register_endpoint(Introspection)

    def query_client(self, client_id: str) -> OAuthClient | None:
        return oauth_clients.find_client(self.app, client_id)

    def save_token(self, token: dict[str, Any], request: OAuthRequest) -> None:
        """Store new tokens; the code or refresh token works once, even for two requests at the same time."""
        refresh = token.get("refresh_token")
        row = {
            "access": digest(token["access_token"]), "refresh": digest(refresh) if refresh else None,
            "client_id": request.client.id, "user_id": request.user.id if request.user else None,
            "scope": token.get("scope", ""), "expires_at": make_expiry(self.app, seconds=TOKEN_LIFE_S),
        }  # fmt: skip
        used = {"code": request.authorization_code, "refresh": request.refresh_token}
        if not oauth_grants.add_tokens(self.app, row, **used):
            raise InvalidGrantError()

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Do nothing: no code listens for signals."""

    def create_oauth2_request(self, request: AuthorizationRequest | OAuthRequest) -> OAuthRequest:
        return request if isinstance(request, OAuthRequest) else OAuthRequest(request)

    def handle_response(self, status: int, body: Any, headers: Pairs) -> TokenResponse:
        return TokenResponse(status, body, headers)


class CodeGrant(grants.AuthorizationCodeGrant):
    """Issues a code when a user consents, and tokens in exchange for the code."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS

    def save_authorization_code(self, code: str, request: OAuthRequest) -> None:
        row = {
            "client_id": request.client.id, "user_id": request.user.id, "scope": request.scope,
            "redirect_uri": request.payload.redirect_uri, "nonce": request.payload.data.get("nonce"),
            "challenge": request.payload.data["code_challenge"],
        }  # fmt: skip
        oauth_grants.add_code(self.server.app, code, row, make_expiry(self.server.app, seconds=CODE_LIFE_S))

    def query_authorization_code(self, code: str, client: OAuthClient) -> Grant | None:
        return oauth_grants.find_code(self.server.app, code, client)

    def delete_authorization_code(self, authorization_code: Grant) -> None:
        """Do nothing: it was used up when the tokens were stored."""

    def authenticate_user(self, authorization_code: Grant) -> User | None:
        return authorization_code.user


class RefreshGrant(grants.RefreshTokenGrant):
    """Issues new tokens for a refresh token, which is valid once."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Grant | None:
        return oauth_grants.find_refresh(self.server.app, refresh_token)

    def authenticate_user(self, refresh_token: Grant) -> User | None:
        return refresh_token.user

    def revoke_old_credential(self, refresh_token: Grant) -> None:
        """Do nothing: it was used up when the tokens were stored."""


class ClientGrant(grants.ClientCredentialsGrant):
    """Issues a token to the client itself."""

    TOKEN_ENDPOINT_AUTH_METHODS = SECRET_METHODS


class Challenge(CodeChallenge):
    """PKCE with S256, for every client."""

    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]

    def validate_code_challenge(self, grant: CodeGrant, redirect_uri: str) -> None:
        """Errors: InvalidRequestError if there is no challenge, or one of another method."""
        fields = grant.request.payload.data
        if not fields.get("code_challenge") or fields.get("code_challenge_method") != "S256":
            raise InvalidRequestError("A 'code_challenge' with the method S256 is required")
        super().validate_code_challenge(grant, redirect_uri)


class Identity(OpenIDCode):
    """Issues signed ID tokens to clients that ask for the scope openid."""

    def __init__(self, app: App) -> None:
        super().__init__()
        self._app = app

    def exists_nonce(self, nonce: str, request: OAuthRequest) -> bool:
        return False  # codes are valid once, so a repeated nonce is no replay

    def resolve_client_private_key(self, client: OAuthClient) -> Any:
        return oauth_clients.find_signer(self._app)

    def get_encode_header(self, client: OAuthClient) -> dict[str, Any]:
        key = oauth_clients.find_signer(self._app)
        return {"alg": "RS256", "kid": key.kid if key else None}

    def get_compatible_claims(self, request: OAuthRequest) -> dict[str, Any]:
        now = int(self._app.now().timestamp())
        times = {"iat": now, "exp": now + IDENTITY_LIFE_S}
        return {"iss": request.issuer, "aud": [request.client.id], **times}

    def generate_user_info(self, user: User, scope: str) -> dict[str, Any]:
        return make_user_info(user)


class Revocation(RevocationEndpoint):
    """Lets a client revoke tokens."""

    CLIENT_AUTH_METHODS = AUTH_METHODS

    def query_token(self, token_string: str, token_type_hint: str | None) -> Grant | None:
        return oauth_grants.find_token(self.server.app, token_string)

    def revoke_token(self, token: Grant, request: OAuthRequest) -> None:
        oauth_grants.end_family(self.server.app, token.family)


class Introspection(IntrospectionEndpoint):
    """Lets a client ask about its own tokens."""

    CLIENT_AUTH_METHODS = SECRET_METHODS

    def query_token(self, token_string: str, token_type_hint: str | None) -> Grant | None:
        return oauth_grants.find_token(self.server.app, token_string)

    def check_permission(self, token: Grant, client: OAuthClient, request: OAuthRequest) -> bool:
        return token.check_client(client)

    def introspect_token(self, token: Grant) -> dict[str, Any]:
        claims = {
            "active": True, "client_id": token.client_id, "token_type": "Bearer", "scope": token.scope,
            "iat": int(token.created_at.timestamp()),
            "exp": int(token.expires_at.timestamp()) if token.expires_at else None,
            "sub": token.user.id if token.user else token.client_id,
            "username": token.user.email if token.user else None,
        }  # fmt: skip
        return {name: value for name, value in claims.items() if value is not None}


def make_user_info(user: User) -> dict[str, Any]:
    """Return what a client with the scope openid learns about a user."""
    return {"sub": user.id, "name": user.name or user.email, "email": user.email}


class OAuthRefusal(ShipcliError):
    """A refused request, with the answer that the standard prescribes."""

    def __init__(self, response: TokenResponse) -> None:
        super().__init__("refused", status=response.status)
        self.response = response


def get_consent_grant(server: OAuthServer, request: AuthorizationRequest) -> CodeGrant:
    """Return the grant a user is asked to consent to.

    Errors: OAuthRefusal.
    """
    try:
        grant: CodeGrant = server.get_consent_grant(request)
    except OAuth2Error as error:
        raise OAuthRefusal(server.handle_error_response(request, error)) from None
    return grant


def answer_consent(server: OAuthServer, grant: CodeGrant, user: User | None) -> TokenResponse:
    """Return the redirect of the user after consenting, or, if `user` is None, after refusing."""
    response: TokenResponse = server.create_authorization_response(
        grant.request, grant_user=user, grant=grant
    )
    return response


def issue_tokens(server: OAuthServer, request: AuthorizationRequest) -> TokenResponse:
    """Issue tokens; the answer holds them or the reason for refusing."""
    return _answer_request(server, request, server.create_token_response)


def answer_endpoint(server: OAuthServer, name: str, request: AuthorizationRequest) -> TokenResponse:
    """Return the answer of the revocation or introspection endpoint."""
    return _answer_request(server, request, lambda parsed: server.create_endpoint_response(name, parsed))


def _answer_request(server: OAuthServer, request: AuthorizationRequest, answer: Any) -> TokenResponse:
    try:
        response: TokenResponse = answer(request)
    except OAuth2Error as error:  # the request could not even be read
        return server.handle_response(*error())
    return response
