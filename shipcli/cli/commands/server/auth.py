"""`shipcli auth`: log-ins to other servers, and the tokens that servers give out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import check_body
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import PasswordFile, ask_secret, would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.session import API_KEY, API_URL
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.admin import instance
from shipcli.features.identity import jwt
from shipcli.gateway import client as gateway_client
from shipcli.gateway import failures
from shipcli.models.basics.errors import NotAuthorised, Unreachable
from shipcli.security import server_keys

if TYPE_CHECKING:
    from shipcli.models import TokenPair

verb = Verbs()
STATUS_COLUMNS = ("api_url", "answers", "key", "accepted", "test_mode")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="E-mail address to log in with.")]
TokenFile = Annotated[
    str | None,
    typer.Option("--token-file", metavar="FILE", help="File whose first line is the token; - for stdin."),
]


@verb
def login() -> None:
    """Check and store the API key of a server.

    You are asked for the key, unless --api-key-file names a file. It is stored in the system keyring,
    else in a private file.

    Examples:
    shipcli auth login --api-url https://ship.example --api-key-file key.txt
    shipcli auth login --api-url https://ship.example --api-key-file key.txt -q
    """
    run = get_run()
    url = _read_url()
    key = ask_secret("API key", run.options.api_key_file)
    if would(f"keep a key for {url}"):
        return
    mode = _find_mode(url, key)
    storage = server_keys.keep(run.home, url, key)
    note(f"the key for {url} is good for {mode} data; it is kept in the {storage}")


@verb
def logout() -> None:
    """Delete the stored API key of a server.

    Examples:
    shipcli auth logout --api-url https://ship.example
    shipcli auth logout --api-url https://ship.example --quiet
    """
    url = _read_url()
    if would(f"forget the key for {url}"):
        return
    if not server_keys.forget(get_run().home, url):
        note(f"no key for {url} was kept")


@verb
def status() -> None:
    """Show which server is used, and whether it accepts the key.

    Examples:
    shipcli auth status
    shipcli auth status --api-url https://ship.example --api-key-file key.txt
    """
    run = get_run()
    if run.server is None:
        show({"api_url": None, "store": str(run.store_place), "test_mode": not run.live})
        return
    server = run.server.client.server
    report: dict[str, Any] = {"api_url": server.url, "answers": True, "key": bool(server.key)}
    try:
        report["version"] = ask(instance.describe, host=server.url).get("VERSION")
        report["test_mode"] = server.key is not None and _find_mode(server.url, server.key) == "test"
        report["accepted"] = server.key is not None
    except NotAuthorised:
        report["accepted"] = False
    except Unreachable:
        report["answers"] = False
    show(report, STATUS_COLUMNS)
    raise typer.Exit(0 if report.get("accepted") else 4 if report["answers"] else 8)


def _read_url() -> str:
    """Errors: Usage when the line names no server."""
    if not get_run().api_url:
        raise Usage(f"say which server: --api-url URL, or {API_URL}")
    return gateway_client.read_server_address(get_run().api_url)


def _find_mode(url: str, key: str) -> str:
    """Whether a key is for test or live data.

    Errors: NotAuthorised for a key that the server does not take; Unreachable.
    """
    client = gateway_client.ServerClient(gateway_client.RemoteServer(url, key, not get_run().live))
    try:
        reply = client.send("GET", "/v1/addresses", query=[("limit", "1")])
    finally:
        client.close()
    if reply.status != 200:
        raise failures.read_failure(reply, url)
    return client.mode or "live"


# -- tokens ----------------------------------------------------------------------------------------


@verb
def token(email: Email, password_file: PasswordFile = None) -> None:
    """Get a pair of tokens for an e-mail address and its password.

    Examples:
    shipcli auth token ada@example.com --password-file password.txt
    shipcli auth token ada@example.com --password-file password.txt --pick access
    """
    body = check_body(
        models.TokenObtainPair, {"email": email, "password": ask_secret("password", password_file)}
    )
    _show(ask(jwt.obtain, body, peer="local"))


@verb
def otp(
    code: Annotated[str, typer.Argument(metavar="CODE", help="Code that the authenticator app shows.")],
    token_file: TokenFile = None,
) -> None:
    """Complete a log-in with a code of the authenticator app.

    Examples:
    shipcli auth otp 123456 --token-file refresh.txt
    shipcli auth otp 123456 --token-file refresh.txt --pick access
    """
    body = {"refresh": ask_secret("refresh token", token_file), "otp_token": code}
    _show(ask(jwt.verify_second_step, check_body(models.VerifiedTokenObtainPair, body)))


@verb
def refresh(token_file: TokenFile = None) -> None:
    """Exchange a refresh token for a new pair of tokens.

    Examples:
    shipcli auth refresh --token-file refresh.txt
    shipcli auth refresh --token-file refresh.txt --pick access
    """
    _show(
        ask(
            jwt.refresh, check_body(models.TokenRefresh, {"refresh": ask_secret("refresh token", token_file)})
        )
    )


@verb
def verify(token_file: TokenFile = None) -> None:
    """Check whether a token is valid.

    Examples:
    shipcli auth verify --token-file access.txt
    shipcli auth verify --token-file access.txt --quiet
    """
    ask(jwt.verify, check_body(models.TokenVerify, {"token": ask_secret("token", token_file)}))
    note("the token is good")


def _show(pair: TokenPair) -> None:
    show(pair, ("access", "refresh"))
    note(f"for commands: {API_KEY}=ACCESS shipcli --api-url URL ...")
