"""OAuth2 and OpenID Connect over HTTP: consent, tokens, introspection, user info."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from shipcli.api.bearer import read_bearer_token
from shipcli.api.dispatcher import ServedPage, Target, View
from shipcli.api.http import responses
from shipcli.api.http.responses import Header, HttpResponse
from shipcli.api.pages import consent
from shipcli.features.identity import oauth_clients, oauth_grants, users
from shipcli.models.basics.errors import ShipcliError, Throttled
from shipcli.operations.form import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App
    from shipcli.features.identity.oauth_server import (
        AuthorizationRequest,
        CodeGrant,
        OAuthServer,
        TokenResponse,
    )

ENCODED = TYPES[1]
DISCOVERY, KEYS = "/.well-known/openid-configuration", "/.well-known/jwks.json"
NO_STORE: Header = (b"cache-control", b"no-store")
Values = tuple[str, ...]


def list_pages(app: App) -> Iterator[tuple[str, str, Target]]:
    """Yield everything under `/oauth`. Clients authenticate in their own way, so no API key is read."""
    rows: list[tuple[str, str, Callable[[App, HttpRequest, Values], HttpResponse]]] = [
        ("GET", "/authorize/", _authorize), ("POST", "/authorize/", _decide),
        ("POST", "/token/", _send_tokens),
        ("POST", "/revoke_token/", partial(_call_endpoint, "revocation")),
        ("POST", "/introspect/", partial(_call_endpoint, "introspection")),
        ("GET", "/userinfo/", _send_user_info), ("POST", "/userinfo/", _send_user_info),
        ("GET", DISCOVERY, _send_discovery), ("GET", KEYS, _send_keys),
    ]  # fmt: skip
    for method, path, view in rows:
        guarded: View = partial(view, app)
        yield method, f"/oauth{path}", ServedPage(guarded, own_credentials=True)


# -- consent -----------------------------------------------------------------------------------


def _authorize(app: App, request: HttpRequest, values: Values) -> HttpResponse:
    """The page that asks the user for consent."""
    from shipcli.features.identity.oauth_server import OAuthRefusal, get_consent_grant

    try:
        return consent.render_page(
            app, request, get_consent_grant(_make_server(app), _read_request(request, request.query))
        )
    except OAuthRefusal as error:
        return _send(error.response)


def _decide(app: App, request: HttpRequest, values: Values) -> HttpResponse:
    """Handle what the user answered on the page."""
    from shipcli.features.identity.oauth_server import OAuthRefusal, answer_consent, get_consent_grant

    form, server = dict(_read_form(request)), _make_server(app)
    try:
        grant = get_consent_grant(server, _read_request(request, request.query))
        if not consent.is_own(app, request, form):
            return consent.render_page(app, request, grant, status=403, wrong=consent.EXPIRED)
        user = _log_in_user(app, request, form) if form.get("decision") == "allow" else None
    except OAuthRefusal as error:
        return _send(error.response)
    except ShipcliError as error:
        return _show_again(app, request, grant, form, error)
    return _send(answer_consent(server, grant, user)).with_headers(NO_STORE)


def _log_in_user(app: App, request: HttpRequest, form: dict[str, str]) -> users.User:
    """Log in the user with the password and, if they use two-step login, the code that were typed.

    Errors: ShipcliError.
    """
    user = users.authenticate(app, form.get("email", ""), form.get("password", ""), peer=request.peer)
    if user.two_steps:
        users.take_second_step(app, user, form.get("code", ""))
    return user


def _show_again(
    app: App, request: HttpRequest, grant: CodeGrant, form: dict[str, str], error: ShipcliError
) -> HttpResponse:
    """Show the page again with the error."""
    shown = consent.render_page(
        app, request, grant, status=error.status, wrong=error.message, email=form.get("email", "")
    )
    if isinstance(error, Throttled):
        return shown.with_headers(responses.retry_after(error))
    return shown


# -- tokens ------------------------------------------------------------------------------------


def _send_tokens(app: App, request: HttpRequest, values: Values) -> HttpResponse:
    from shipcli.features.identity.oauth_server import issue_tokens

    return _send(issue_tokens(_make_server(app), _read_request(request, _read_form(request))))


def _call_endpoint(name: str, app: App, request: HttpRequest, values: Values) -> HttpResponse:
    from shipcli.features.identity.oauth_server import answer_endpoint

    return _send(answer_endpoint(_make_server(app), name, _read_request(request, _read_form(request))))


def _send_user_info(app: App, request: HttpRequest, values: Values) -> HttpResponse:
    """The user info of a token, if its scope allows it."""
    from shipcli.features.identity.oauth_server import make_user_info

    text = read_bearer_token(request)
    grant = oauth_grants.find_access(app, text) if text else None
    if grant is None:
        return _refuse(401, "invalid_token")
    if grant.user is None or oauth_clients.OPENID not in grant.scope.split():
        return _refuse(403, "insufficient_scope")
    return responses.write_result(make_user_info(grant.user)).with_headers(NO_STORE)


def _refuse(status: int, error: str) -> HttpResponse:
    response = responses.write_result({"error": error}, status)
    return response.with_headers((b"www-authenticate", f'Bearer error="{error}"'.encode()))


# -- discovery ---------------------------------------------------------------------------------


def _send_discovery(app: App, request: HttpRequest, values: Values) -> HttpResponse:
    from shipcli.features.identity.oauth_server import AUTH_METHODS, SECRET_METHODS

    issuer = _read_issuer(request)
    return responses.write_result({
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize/",
        "token_endpoint": f"{issuer}/token/",
        "revocation_endpoint": f"{issuer}/revoke_token/",
        "introspection_endpoint": f"{issuer}/introspect/",
        "userinfo_endpoint": f"{issuer}/userinfo/",
        "jwks_uri": f"{issuer}{KEYS}",
        "scopes_supported": list(oauth_clients.SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "client_credentials", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": AUTH_METHODS,
        "revocation_endpoint_auth_methods_supported": AUTH_METHODS,
        "introspection_endpoint_auth_methods_supported": SECRET_METHODS,
        "code_challenge_methods_supported": ["S256"],
        "claims_supported": ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "name", "email"],
    })  # fmt: skip


def _send_keys(app: App, request: HttpRequest, values: Values) -> HttpResponse:
    return responses.write_result(oauth_clients.list_public_keys(app))


# -- between HTTP and the grants ---------------------------------------------------------------


def _make_server(app: App) -> OAuthServer:
    from shipcli.features.identity.oauth_server import OAuthServer

    return OAuthServer(app)


def _read_request(request: HttpRequest, values: list[tuple[str, str]]) -> AuthorizationRequest:
    from shipcli.features.identity.oauth_server import AuthorizationRequest

    headers = {"Authorization": _read_credentials(request.headers.get(b"authorization", b""))}
    return AuthorizationRequest(
        request.method, request.host + request.path, _read_issuer(request), headers, values
    )


def _read_credentials(header: bytes) -> str:
    """The credentials of a client; empty if they cannot be decoded, which counts as none."""
    credentials = header.partition(b" ")[2]
    try:
        base64.b64decode(credentials.strip(), validate=True).decode()
    except ValueError:
        return ""
    return header.decode("latin-1") if credentials.strip() else ""


def _read_issuer(request: HttpRequest) -> str:
    return f"{request.host}/oauth"


def _read_form(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of the body; none if it is not a form."""
    if request.media_type() != ENCODED:
        return []
    return parse_qsl(request.content.decode("utf-8", "replace"), keep_blank_values=True)


def _send(token_response: TokenResponse) -> HttpResponse:
    headers = tuple((name.lower().encode(), value.encode()) for name, value in token_response.headers)
    return HttpResponse(token_response.status, token_response.content(), headers)
