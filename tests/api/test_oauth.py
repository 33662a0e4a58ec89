"""Programs that act for users: consent, tokens, and what ends them."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import re
import secrets
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from joserfc import jwk, jwt
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.identity import oauth_clients, users
from shipcli.models import Invalid, NotFound
from tests.api.conftest import BASE, Client
from tests.api.running import Running
from tests.api.samples import PASSWORD, code_of
from tests.features.conftest import Clock
from tests.processes import PATIENCE_S, PROGRAM

BACK = "https://app.example/back"
EMAIL = "ana@shop.example"


@dataclass
class Flow:
    """A program in front of a server, and its user."""

    app: App
    clock: Clock
    web: TestClient
    client: oauth_clients.OAuthClient
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    def query(self, **changes: str | None) -> str:
        mark = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=")
        given = {
            "response_type": "code", "client_id": self.client.id, "redirect_uri": BACK, "scope": "read write",
            "state": "s t&1", "code_challenge": mark.decode(), "code_challenge_method": "S256", **changes,
        }  # fmt: skip
        return urlencode({name: value for name, value in given.items() if value is not None})

    def shown(self, **changes: str | None) -> Any:
        return self.web.get(f"/oauth/authorize/?{self.query(**changes)}", follow_redirects=False)

    def send(self, page: Any, headers: dict[str, str] | None = None, **fields: str) -> Any:
        """Fill in the form of a page and send it."""
        hidden = re.search(r'name="csrf" value="([^"]*)"', page.text)
        assert hidden
        given = {
            "csrf": unescape(hidden[1]),
            "email": EMAIL,
            "password": PASSWORD,
            "decision": "allow",
            **fields,
        }
        return self.web.post(str(page.url), data=given, headers=headers, follow_redirects=False)

    def code(self, **changes: str | None) -> str:
        sent = self.send(self.shown(**changes))
        assert sent.status_code == 302, sent.text
        return parse_qs(urlsplit(sent.headers["location"]).query)["code"][0]

    def post(self, path: str, *, secret: str | None = "", **fields: str) -> Any:
        auth = None if secret is None else (self.client.id, secret or str(self.client.secret))
        return self.web.post(f"/oauth/{path}/", data=fields, auth=auth)

    def exchange(self, code: str, **changes: Any) -> Any:
        given = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK,
                 "code_verifier": self.verifier, **changes}  # fmt: skip
        return self.post("token", **given)

    def tokens(self, **changes: str | None) -> dict[str, Any]:
        reply = self.exchange(self.code(**changes))
        assert reply.status_code == 200, reply.text
        return dict(reply.json())

    def refreshed(self, token: str, **changes: Any) -> Any:
        return self.post("token", grant_type="refresh_token", refresh_token=token, **changes)

    def calls(self, token: str) -> int:
        return Client(self.web, f"Bearer {token}").get("/v1/addresses").status


@pytest.fixture
def flow(tmp_path: Path) -> Iterator[Flow]:
    clock = Clock(datetime(2031, 5, 7, 14, 30, tzinfo=UTC))
    app = open_app(tmp_path / "home", sandbox=True, clock=clock, environ={})
    users.create_user(app, EMAIL, PASSWORD, name="Ana")
    client = oauth_clients.create_client(app, "Shop <b>", redirect_uris=[BACK])
    with TestClient(build(app, host="ship.example"), base_url=BASE, raise_server_exceptions=False) as web:
        yield Flow(app, clock, web, client)
    app.close()


def error_of(reply: Any) -> str:
    """The error of a redirect or a body."""
    if "location" in reply.headers:
        found = parse_qs(urlsplit(reply.headers["location"]).query)
        assert found["state"] == ["s t&1"]
        return found["error"][0]
    return str(reply.json()["error"])


# -- consent -----------------------------------------------------------------------------------


def test_the_page_names_the_program_and_loads_nothing(flow: Flow) -> None:
    page = flow.shown()
    assert page.status_code == 200
    assert "Shop &lt;b&gt; asks for access" in page.text
    assert "http" not in page.text.replace("https://app.example", "")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "form-action 'self' https://app.example" in policy
    assert "HttpOnly; SameSite=Strict" in page.headers["set-cookie"]
    assert page.headers["cache-control"] == "no-store"


def test_a_consent_gives_a_code_and_the_state_as_it_was(flow: Flow) -> None:
    sent = flow.send(flow.shown())
    assert sent.status_code == 302
    assert sent.headers["location"].startswith(f"{BACK}?")
    assert parse_qs(urlsplit(sent.headers["location"]).query)["state"] == ["s t&1"]


def test_a_refusal_is_told_to_the_program(flow: Flow) -> None:
    assert error_of(flow.send(flow.shown(), decision="deny", password="")) == "access_denied"


def test_a_wrong_password_shows_the_page_again(flow: Flow) -> None:
    again = flow.send(flow.shown(), password="wrong")
    assert again.status_code == 401
    assert "No active account found" in again.text
    assert "wrong" not in re.sub(r'class="wrong"|\.wrong', "", again.text)
    assert flow.send(again).status_code == 302


def test_guesses_on_the_page_are_slowed_down(flow: Flow) -> None:
    page = flow.shown()
    assert {flow.send(page, password="wrong").status_code for _ in range(5)} == {401}
    slowed = flow.send(page)
    assert slowed.status_code == 429
    assert int(slowed.headers["retry-after"]) >= 1


def test_a_second_step_is_asked_for_on_the_page(flow: Flow) -> None:
    uri = users.enrol(flow.app, EMAIL)
    assert flow.send(flow.shown()).status_code == 400
    assert flow.send(flow.shown(), code=code_of(uri, flow.clock())).status_code == 302


def test_a_form_that_is_not_of_this_page_is_not_taken(flow: Flow) -> None:
    page = flow.shown()
    assert flow.send(page, csrf="").status_code == 403
    assert flow.send(page, csrf="99999999999.0").status_code == 403
    assert flow.send(page, headers={"Origin": "https://evil.example"}).status_code == 403
    assert flow.send(page, headers={"Origin": "null"}).status_code == 403
    other = flow.web.post(str(page.url).replace("read+write", "read"), follow_redirects=False,
                          data={"csrf": re.findall('name="csrf" value="([^"]*)"', page.text)[0]})  # fmt: skip
    assert other.status_code == 403
    flow.web.cookies.clear()
    assert flow.send(page).status_code == 403
    assert flow.send(flow.shown(), headers={"Origin": BASE}).status_code == 302


def test_a_page_that_was_open_for_too_long_is_not_taken(flow: Flow) -> None:
    page = flow.shown()
    flow.clock.advance(minutes=10)
    assert flow.send(page).status_code == 403


@pytest.mark.parametrize(
    "changes",
    [{"client_id": "oac_unknown"}, {"client_id": None}, {"redirect_uri": "https://evil.example/"},
     {"redirect_uri": f"{BACK}/more"}, {"redirect_uri": 'x"\\é'}, {"response_type": 'co"de'}],
)  # fmt: skip
def test_nobody_is_sent_to_an_address_that_was_not_named(flow: Flow, changes: dict[str, str | None]) -> None:
    refused = flow.shown(**changes)
    assert refused.status_code in (400, 401)
    assert "location" not in refused.headers


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"code_challenge": None}, "invalid_request"), ({"code_challenge": None, "code_challenge_method": None},
     "invalid_request"), ({"code_challenge_method": None}, "invalid_request"),
     ({"code_challenge_method": "plain"}, "invalid_request"),
     ({"code_challenge": "short"}, "invalid_request"),
     ({"scope": "admin"}, "invalid_scope"), ({"response_type": "token"}, "unsupported_response_type"),
     ({"scope": "openid", "prompt": "none"}, "login_required")],
)  # fmt: skip
def test_what_is_wrong_otherwise_is_told_to_the_program(
    flow: Flow, changes: dict[str, str | None], error: str
) -> None:
    refused = flow.shown(**changes)
    assert refused.status_code == 302
    assert error_of(refused) == error


def test_a_parameter_that_is_repeated_is_refused(flow: Flow) -> None:
    twice = flow.web.get(f"/oauth/authorize/?{flow.query()}&scope=write", follow_redirects=False)
    assert error_of(twice) == "invalid_request"


# -- tokens ------------------------------------------------------------------------------------


def test_a_code_is_exchanged_for_tokens_that_call(flow: Flow) -> None:
    reply = flow.exchange(flow.code())
    said = reply.json()
    assert (said["token_type"], said["expires_in"], said["scope"]) == ("Bearer", 36000, "read write")
    assert reply.headers["cache-control"] == "no-store"
    asked = Client(flow.web, f"Bearer {said['access_token']}")
    reply = asked.get("/v1/addresses")
    assert (reply.status, reply.headers["x-test-mode"]) == (200, "False")
    assert asked.get("/v1/addresses", X_Test_Mode="true").headers["x-test-mode"] == "True"


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"code_verifier": "x" * 43}, "invalid_grant"), ({"code_verifier": ""}, "invalid_request"),
     ({"redirect_uri": "https://app.example/other"}, "invalid_grant"),
     ({"code": "nonsense"}, "invalid_grant"),
     ({"grant_type": "password"}, "unsupported_grant_type"), ({"secret": "wrong"}, "invalid_client"),
     ({"secret": None}, "invalid_client")],
)  # fmt: skip
def test_a_code_is_good_for_the_one_who_asked_only(flow: Flow, changes: dict[str, Any], error: str) -> None:
    given = {"code": flow.code(), **changes}
    refused = flow.exchange(**given)
    assert refused.status_code in (400, 401)
    assert error_of(refused) == error


def test_a_code_of_another_program_is_refused(flow: Flow) -> None:
    code = flow.code()
    flow.client = oauth_clients.create_client(flow.app, "Other", redirect_uris=[BACK])
    assert error_of(flow.exchange(code)) == "invalid_grant"


def test_a_code_lasts_a_minute(flow: Flow) -> None:
    code = flow.code()
    flow.clock.advance(seconds=60)
    assert error_of(flow.exchange(code)) == "invalid_grant"


def test_a_code_that_is_used_twice_ends_what_it_gave(flow: Flow) -> None:
    code = flow.code()
    token = flow.exchange(code).json()
    assert error_of(flow.exchange(code)) == "invalid_grant"
    assert flow.calls(token["access_token"]) == 401
    assert error_of(flow.refreshed(token["refresh_token"])) == "invalid_grant"


def test_a_code_is_exchanged_once_by_many_at_the_same_time(flow: Flow) -> None:
    code = flow.code()
    with ThreadPoolExecutor(6) as pool:
        found = [one.status_code for one in pool.map(lambda _: flow.exchange(code), range(6))]
    assert found.count(200) == 1
    assert set(found) <= {200, 400}
    assert len(flow.app.store.select("oauth_tokens")) == 1


def test_a_token_lasts_ten_hours_and_is_renewed_then(flow: Flow) -> None:
    token = flow.tokens()
    flow.clock.advance(hours=9, minutes=59)
    assert flow.calls(token["access_token"]) == 200
    flow.clock.advance(minutes=1)
    assert flow.calls(token["access_token"]) == 401
    flow.clock.advance(days=400)
    fresh = flow.refreshed(token["refresh_token"]).json()
    assert flow.calls(fresh["access_token"]) == 200


def test_a_refresh_token_is_good_once_and_its_theft_ends_the_family(flow: Flow) -> None:
    first = flow.tokens()
    second = flow.refreshed(first["refresh_token"]).json()
    assert flow.calls(first["access_token"]) == 401
    assert error_of(flow.refreshed(first["refresh_token"])) == "invalid_grant"
    assert flow.calls(second["access_token"]) == 401


def test_a_refresh_never_widens_what_was_granted(flow: Flow) -> None:
    token = flow.tokens(scope="read")
    assert error_of(flow.refreshed(token["refresh_token"], scope="read write")) == "invalid_scope"


def test_a_token_that_may_only_read_writes_nothing(flow: Flow) -> None:
    headers = {"Authorization": f"Bearer {flow.tokens(scope='read')['access_token']}"}
    assert flow.web.get("/v1/addresses", headers=headers).status_code == 200
    assert flow.web.post("/v1/addresses", json={"country_code": "US"}, headers=headers).status_code == 403


def test_a_token_for_the_name_alone_reads_nothing_more(flow: Flow) -> None:
    headers = {"Authorization": f"Bearer {flow.tokens(scope='openid')['access_token']}"}
    assert flow.web.get("/v1/addresses", headers=headers).status_code == 403
    assert flow.web.get("/v1/carriers", headers=headers).status_code == 200


def test_a_program_gets_a_token_for_itself(flow: Flow) -> None:
    said = flow.post("token", grant_type="client_credentials", scope="read").json()
    assert "refresh_token" not in said
    assert flow.calls(said["access_token"]) == 200
    in_form = flow.web.post("/oauth/token/", data={
        "grant_type": "client_credentials", "client_id": flow.client.id, "client_secret": flow.client.secret,
    })  # fmt: skip
    assert in_form.status_code == 200
    assert error_of(flow.post("token", grant_type="client_credentials", scope="root")) == "invalid_scope"
    assert flow.post("token", grant_type="client_credentials", secret="wrong").status_code == 401


def test_tokens_that_nobody_can_renew_do_not_pile_up(flow: Flow) -> None:
    for _ in range(3):
        flow.post("token", grant_type="client_credentials")
        flow.clock.advance(hours=11)
    assert len(flow.app.store.select("oauth_tokens")) == 1


def test_a_public_program_has_no_secret_and_no_token_of_its_own(flow: Flow) -> None:
    flow.client = oauth_clients.create_client(flow.app, "App", redirect_uris=[BACK], public=True)
    said = flow.exchange(flow.code(), secret=None, client_id=flow.client.id)
    assert said.status_code == 200
    own = flow.post("token", secret=None, grant_type="client_credentials", client_id=flow.client.id)
    assert error_of(own) == "invalid_client"


def test_a_program_that_gives_a_token_back_ends_it(flow: Flow) -> None:
    for kind in ("access_token", "refresh_token"):
        token = flow.tokens()
        assert flow.post("revoke_token", token=token[kind]).status_code == 200
        assert flow.calls(token["access_token"]) == 401
        assert error_of(flow.refreshed(token["refresh_token"])) == "invalid_grant"
    assert flow.post("revoke_token", token="unknown").status_code == 200
    assert flow.post("revoke_token", token="x", secret="wrong").status_code == 401


def test_a_program_asks_what_its_own_tokens_are_worth(flow: Flow) -> None:
    token = flow.tokens()
    said = flow.post("introspect", token=token["access_token"]).json()
    assert (said["active"], said["scope"], said["username"]) == (True, "read write", EMAIL)
    assert said["exp"] - said["iat"] == 36000
    assert flow.post("introspect", token=token["refresh_token"]).json()["active"] is True
    assert flow.post("introspect", token="unknown").json() == {"active": False}
    flow.client = oauth_clients.create_client(flow.app, "Other")
    assert flow.post("introspect", token=token["access_token"]).json() == {"active": False}


def test_a_disabled_user_a_new_password_and_a_removed_program_end_tokens(flow: Flow) -> None:
    first = flow.tokens()
    users.set_password(flow.app, EMAIL, "another password")
    assert flow.calls(first["access_token"]) == 401
    users.set_password(flow.app, EMAIL, PASSWORD)
    second = flow.tokens()
    users.disable_user(flow.app, EMAIL)
    assert flow.calls(second["access_token"]) == 401
    own = flow.post("token", grant_type="client_credentials").json()["access_token"]
    oauth_clients.remove_client(flow.app, flow.client.id)
    assert flow.calls(own) == 401
    with pytest.raises(NotFound):
        oauth_clients.remove_client(flow.app, flow.client.id)


def test_secrets_codes_and_tokens_are_kept_as_hashes(flow: Flow) -> None:
    code = flow.code()
    token = flow.exchange(code).json()
    tables = ("oauth_clients", "oauth_codes", "oauth_tokens", "logs")
    kept = str([flow.app.store.select(table) for table in tables])
    for secret in (code, token["access_token"], token["refresh_token"], str(flow.client.secret)):
        assert secret not in kept


# -- who a user is -----------------------------------------------------------------------------


def test_who_the_user_is_comes_signed_with_a_published_key(flow: Flow) -> None:
    token = flow.tokens(scope="openid read", nonce="n-1")
    keys = jwk.KeySet.import_key_set(flow.web.get("/oauth/.well-known/jwks.json").json())
    claims = jwt.decode(token["id_token"], keys, algorithms=["RS256"]).claims
    assert claims["iss"] == f"{BASE}/oauth"
    assert (claims["aud"], claims["nonce"], claims["email"]) == ([flow.client.id], "n-1", EMAIL)
    assert claims["exp"] - claims["iat"] == 3600
    assert claims["iat"] == int(flow.clock().timestamp())
    asked = {"Authorization": f"Bearer {token['access_token']}"}
    user = flow.web.get("/oauth/userinfo/", headers=asked).json()
    assert user == {"sub": claims["sub"], "name": "Ana", "email": EMAIL}


def test_only_a_token_with_openid_says_who_the_user_is(flow: Flow) -> None:
    token = flow.tokens()
    assert "id_token" not in token
    asked = {"Authorization": f"Bearer {token['access_token']}"}
    assert flow.web.get("/oauth/userinfo/", headers=asked).status_code == 403
    assert flow.web.get("/oauth/userinfo/").status_code == 401


def test_the_published_keys_hold_no_secret(flow: Flow) -> None:
    (key,) = flow.web.get("/oauth/.well-known/jwks.json").json()["keys"]
    assert set(key) == {"kty", "n", "e", "kid", "use", "alg"}


def test_clients_find_every_address_by_themselves(flow: Flow) -> None:
    said = flow.web.get("/oauth/.well-known/openid-configuration").json()
    assert said["issuer"] == f"{BASE}/oauth"
    assert said["code_challenge_methods_supported"] == ["S256"]
    for name, address in said.items():
        if name.endswith(("_endpoint", "_uri")):
            assert flow.web.get(address.removeprefix(BASE)).status_code != 404


@pytest.mark.parametrize("header", ["Basic /w==", "Basic \xe9", "Basic", "Basic =", "Bearer x", "Basic OgA="])
def test_credentials_that_are_no_text_are_refused(flow: Flow, header: str) -> None:
    for path in ("token", "revoke_token", "introspect"):
        refused = flow.web.post(f"/oauth/{path}/", headers={"Authorization": header.encode("latin-1")},
                                data={"grant_type": "client_credentials", "token": "x"})  # fmt: skip
        assert (refused.status_code, error_of(refused)) == (401, "invalid_client")


def test_a_cookie_that_is_not_ours_is_replaced(flow: Flow) -> None:
    odd = {"Cookie": 'shipcli_consent="a\\012b: c"'}
    page = flow.web.get(f"/oauth/authorize/?{flow.query()}", headers=odd)
    assert re.match("shipcli_consent=[A-Za-z0-9_-]{32};", page.headers["set-cookie"])


def test_nothing_secret_is_logged_or_shown_by_repr(flow: Flow, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        token = flow.tokens()
    assert token["access_token"] not in caplog.text
    assert token["refresh_token"] not in caplog.text
    assert str(flow.client.secret) not in repr(flow.client)


def test_off_this_machine_it_needs_tls(flow: Flow) -> None:
    refused = flow.web.post("/oauth/token/", headers={"Host": "ship.example"})
    assert (refused.status_code, error_of(refused)) == (400, "insecure_transport")


@pytest.mark.parametrize(
    "address",
    ["http://app.example/", "javascript:alert(1)", "data:text/html,x", "https://", "https://a@b/", "/back",
     "https://app.example/#x", "https://app.example/;script", "https://app.example/ x", "https://é.example/"],
)  # fmt: skip
def test_an_address_where_codes_could_be_read_is_refused(flow: Flow, address: str) -> None:
    with pytest.raises(Invalid, match="redirect_uri"):
        oauth_clients.create_client(flow.app, "App", redirect_uris=[address])


@pytest.mark.parametrize(
    "named", ["http://127.0.0.1/cb", "http://127.0.0.1:*/cb", "http://127.0.0.1:8123/cb"]
)
def test_an_app_on_this_machine_is_answered_at_the_port_it_gets(flow: Flow, named: str) -> None:
    flow.client = oauth_clients.create_client(
        flow.app, "App", redirect_uris=[named, "http://[::1]:*/"], public=True
    )
    for address in ("http://127.0.0.1:53124/cb", "http://[::1]:53124/", "http://[::1]:53124"):
        assert flow.shown(redirect_uri=address).status_code == 200, address
    for address in (
        "http://127.0.0.1:53124/other", "http://127.0.0.1:53124", "https://127.0.0.1:53124/cb",
        "http://127.0.0.1.evil.example/cb", "http://127.0.0.1:1@evil.example/cb", "http://localhost:53124/cb",
    ):  # fmt: skip
        assert flow.shown(redirect_uri=address).status_code == 400, address


def test_addresses_of_apps_and_of_this_machine_are_taken(flow: Flow) -> None:
    uris = [
        "com.shop.app:/back",
        "http://127.0.0.1:8123/cb",
        "http://[::1]/cb",
        "https://shop.example/cb?x=1",
    ]
    assert oauth_clients.create_client(flow.app, "App", redirect_uris=uris).redirect_uris == tuple(uris)


# -- over a real server ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_whole_way_works_on_a_server_of_its_own(tmp_path: Path) -> None:
    words = (
        "--home",
        str(tmp_path),
        "sandbox",
        "up",
        "--carriers",
        "all",
        "--keep",
        "--port",
        "0",
        "--json",
        "--no-worker",
    )
    with Running(*words) as running:
        home = ["--home", str(tmp_path), "--sandbox"]
        words = ["oauth", "create", "Shop", "--redirect-uri", BACK, "--json"]
        made = json.loads(subprocess.run([*PROGRAM, *home, *words], capture_output=True, check=True).stdout)
        verifier = secrets.token_urlsafe(48)
        mark = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        path = "/oauth/authorize/?" + urlencode({
            "response_type": "code", "client_id": made["client_id"], "redirect_uri": BACK, "state": "1",
            "scope": "openid read write", "code_challenge": mark, "code_challenge_method": "S256",
        })  # fmt: skip
        status, headers, page = ask(running, "GET", path)
        assert status == 200
        hidden = re.findall('name="csrf" value="([^"]*)"', page)[0]
        status, headers, _ = ask(running, "POST", path, {
            "csrf": hidden, "email": running.said["email"], "password": running.said["password"],
            "decision": "allow",
        }, Cookie=headers["set-cookie"].partition(";")[0], Origin=running.said["url"])  # fmt: skip
        assert status == 302
        code = parse_qs(urlsplit(headers["location"]).query)["code"][0]
        client = {"client_id": made["client_id"], "client_secret": made["secret"]}
        status, _, text = ask(running, "POST", "/oauth/token/", {
            **client, "grant_type": "authorization_code", "code": code, "redirect_uri": BACK,
            "code_verifier": verifier,
        })  # fmt: skip
        token = json.loads(text)
        assert status == 200
        assert token["id_token"]
        bearer = f"Bearer {token['access_token']}"
        assert ask(running, "GET", "/v1/connections", Authorization=bearer)[0] == 200
        status, _, text = ask(running, "POST", "/oauth/token/", {
            **client, "grant_type": "refresh_token", "refresh_token": token["refresh_token"],
        })  # fmt: skip
        fresh = f"Bearer {json.loads(text)['access_token']}"
        assert ask(running, "GET", "/v1/connections", Authorization=fresh)[0] == 200
        said = {**client, "token": fresh.removeprefix("Bearer ")}
        assert json.loads(ask(running, "POST", "/oauth/introspect/", said)[2])["active"] is True
        assert ask(running, "POST", "/oauth/revoke_token/", said)[0] == 200
        assert ask(running, "GET", "/v1/connections", Authorization=fresh)[0] == 401
        assert running.stop() == 0


def ask(
    server: Running, method: str, path: str, form: dict[str, str] | None = None, **headers: str
) -> tuple[int, dict[str, str], str]:
    """A request as a browser or a program sends it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    try:
        named = {"Content-Type": "application/x-www-form-urlencoded", **headers} if form else headers
        connection.request(method, path, urlencode(form) if form else None, named)
        answer = connection.getresponse()
        text = answer.read().decode()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text
    finally:
        connection.close()
