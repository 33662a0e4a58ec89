"""People who log in: token pairs, the second step, and what ends them."""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.identity import users
from shipcli.features.identity.api_keys import create_key
from shipcli.models import Invalid
from shipcli.models.basics.errors import Throttled
from shipcli.operations.operation import Auth
from shipcli.operations.table import OPERATIONS
from tests.api.conftest import BASE, Client, Reply, body, client_of, logged
from tests.api.samples import PASSWORD, code_of
from tests.factories import RECIPIENT
from tests.features.conftest import Clock

FREE = {"/v1/references", "/v1/carriers", "/v1/carriers/{carrier_name}/services",
        "/v1/trackers/{id_or_tracking_number}"}  # fmt: skip
V1 = [row for row in OPERATIONS if row.path.startswith("/v1/")]
CLOSED = [row for row in V1 if row.method != "GET" or row.path not in FREE]


@dataclass
class World:
    """A sandbox with a clock that is moved by hand, and a user."""

    app: App
    clock: Clock
    http: TestClient

    @property
    def anybody(self) -> Client:
        return Client(self.http)

    def log_in(self, password: str = PASSWORD, email: str = "ana@shop.example") -> Reply:
        return self.anybody.post("/api/token", {"email": email, "password": password})

    def calls(self, token: str) -> int:
        return Client(self.http, f"Bearer {token}").get("/v1/addresses").status

    def second_step(self, refresh: str, code: str) -> Reply:
        return self.anybody.post("/api/token/verified", {"refresh": refresh, "otp_token": code})


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    clock = Clock(datetime(2031, 5, 7, 14, 30, tzinfo=UTC))
    app = open_app(tmp_path / "home", sandbox=True, clock=clock, environ={})
    users.create_user(app, "Ana@Shop.example", PASSWORD, name="Ana")
    with TestClient(build(app), base_url=BASE, raise_server_exceptions=False) as http:
        yield World(app, clock, http)
    app.close()


def claims_of(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return found


def signed(header: dict[str, Any], claims: dict[str, Any], key: bytes) -> str:
    """A token made without the library."""
    parts = [base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=") for one in (header, claims)]
    said = b".".join(parts)
    mark = base64.urlsafe_b64encode(hmac.digest(key, said, "sha256")).rstrip(b"=") if key else b""
    return b".".join([said, mark]).decode()


# -- token pairs -------------------------------------------------------------------------------


def test_a_log_in_answers_a_pair_that_nobody_may_store(world: World) -> None:
    reply = world.log_in(email=" ANA@shop.example")
    assert (reply.status, set(reply.json)) == (201, {"access", "refresh"})
    assert reply.headers["cache-control"] == reply.headers["cdn-cache-control"] == "no-store"
    for kind in ("access", "refresh"):
        claims = claims_of(reply.json[kind])
        assert claims["token_type"] == kind
        assert {"exp", "iat", "jti", "user_id", "is_verified"} <= set(claims)
    assert world.calls(reply.json["access"]) == 200


def test_a_refused_log_in_is_not_to_be_stored_either(world: World) -> None:
    assert world.log_in("wrong").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("email", "password"),
    [("ana@shop.example", "wrong"), ("bob@shop.example", PASSWORD), ("", ""), ("\x00", "x")],
)
def test_a_wrong_log_in_does_not_say_what_was_wrong(world: World, email: str, password: str) -> None:
    reply = world.log_in(password, email)
    assert (reply.status, reply.error["code"]) == (401, "no_active_account")
    assert reply.error["message"] == "No active account found with the given credentials"


@pytest.mark.parametrize(
    ("path", "fields"),
    [("", ["email", "password"]), ("/refresh", ["refresh"]), ("/verify", ["token"]),
     ("/verified", ["refresh", "otp_token"])],
)  # fmt: skip
def test_a_missing_field_is_named(world: World, path: str, fields: list[str]) -> None:
    for field in fields:
        given = {name: "x" for name in fields if name != field}
        reply = world.anybody.post(f"/api/token{path}", given)
        assert (reply.status, reply.error["code"]) == (400, "validation")
        assert list(reply.error["details"]) == [field]


def test_a_refresh_gives_two_new_tokens_and_leaves_the_old_one_good(world: World) -> None:
    first = world.log_in().json
    for _ in range(2):
        reply = world.anybody.post("/api/token/refresh", {"refresh": first["refresh"]})
        assert reply.status == 201
        assert reply.headers["cache-control"] == "no-store"
        assert not set(reply.json.values()) & set(first.values())
        assert world.calls(reply.json["access"]) == 200
        assert world.anybody.post("/api/token/refresh", {"refresh": reply.json["refresh"]}).status == 201


def test_only_a_refresh_token_is_refreshed_and_only_an_access_token_calls(world: World) -> None:
    pair = world.log_in().json
    for text in (pair["access"], "garbage", "a.b.c", "é.ü.ß", ""):
        reply = world.anybody.post("/api/token/refresh", {"refresh": text})
        assert (reply.status, reply.error["code"]) == (401, "token_not_valid")
    refused = Client(world.http, f"Bearer {pair['refresh']}").get("/v1/addresses")
    assert (refused.status, refused.error["code"]) == (401, "invalid_token")
    assert "www-authenticate" not in refused.headers


def test_tokens_of_both_kinds_are_verified(world: World) -> None:
    for token in world.log_in().json.values():
        assert tuple(world.anybody.post("/api/token/verify", {"token": token})) == (200, {})
        bad = world.anybody.post("/api/token/verify", {"token": token[:-4] + "AAAA"})
        assert (bad.status, bad.error["code"]) == (401, "token_not_valid")


def test_a_token_signed_otherwise_is_refused(world: World) -> None:
    claims = claims_of(world.log_in().json["access"])
    for header, key in (({"alg": "none"}, b""), ({"alg": "HS256"}, b"guess"), ({"alg": "HS256"}, b"\0" * 32)):
        assert world.calls(signed(header, claims, key)) == 401


def test_a_token_on_a_store_that_never_signed_makes_no_key(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", environ={"PYTHON_KEYRING_BACKEND": "x"})
    with TestClient(build(app), base_url=BASE) as http:
        assert http.get("/v1/addresses", headers={"Authorization": "Bearer a.b.c"}).status_code == 401
    assert app.store.select("store_facts", {"name": "master_key"}) == []
    app.close()


def test_access_tokens_last_half_an_hour_and_refresh_tokens_three_days(world: World) -> None:
    pair = world.log_in().json
    world.clock.advance(minutes=29, seconds=59)
    assert world.calls(pair["access"]) == 200
    world.clock.advance(seconds=1)
    refused = Client(world.http, f"Bearer {pair['access']}").get("/v1/addresses")
    assert (refused.status, refused.error["code"]) == (401, "invalid_token")
    world.clock.advance(days=2, hours=23)
    assert world.anybody.post("/api/token/refresh", {"refresh": pair["refresh"]}).status == 201
    world.clock.advance(hours=1)
    assert world.anybody.post("/api/token/refresh", {"refresh": pair["refresh"]}).status == 401


def test_lifetimes_are_settings(tmp_path: Path) -> None:
    given = {"SHIPCLI_ACCESS_TOKEN_LIFE": "60", "SHIPCLI_REFRESH_TOKEN_LIFE": "120"}
    app = open_app(tmp_path / "home", sandbox=True, environ=given)
    users.create_user(app, "a@b.example", PASSWORD)
    with TestClient(build(app), base_url=BASE) as http:
        pair = http.post("/api/token", json={"email": "a@b.example", "password": PASSWORD}).json()
    lives = {kind: (claims := claims_of(token))["exp"] - claims["iat"] for kind, token in pair.items()}
    assert lives == {"access": 60, "refresh": 120}
    app.close()


def test_another_password_or_being_disabled_ends_every_token_at_once(world: World) -> None:
    first = world.log_in().json
    users.set_password(world.app, "ana@shop.example", "another password")
    assert world.calls(first["access"]) == 401
    assert world.anybody.post("/api/token/refresh", {"refresh": first["refresh"]}).status == 401
    second = world.log_in("another password").json
    assert world.calls(second["access"]) == 200
    users.disable_user(world.app, "ana@shop.example")
    assert world.calls(second["access"]) == 401
    assert world.log_in("another password").error["code"] == "no_active_account"


def test_a_header_says_the_mode_of_a_token_and_live_is_meant_without_one(world: World) -> None:
    asked = Client(world.http, f"Bearer {world.log_in().json['access']}")
    for header, mode in (({}, False), ({"X_Test_Mode": "true"}, True), ({"X_Test_Mode": "Yes"}, True),
                         ({"X_Test_Mode": "false"}, False)):  # fmt: skip
        made = asked.ask("POST", "/v1/shipments", body(), **header)
        assert (made.status, made.json["test_mode"]) == (201, mode)
        assert made.headers["x-test-mode"] == str(mode)


def test_the_header_says_nothing_to_a_key(world: World) -> None:
    made = client_of(world.app, world.http).ask("POST", "/v1/shipments", body(), X_Test_Mode="false")
    assert made.json["test_mode"] is True


# -- all operations ----------------------------------------------------------------------------


def test_every_operation_but_the_free_ones_is_refused_without_credentials(anybody: Client) -> None:
    assert len(V1) == 75
    assert len(CLOSED) == 71
    for row in CLOSED:
        reply = anybody.ask(row.method, re.sub(r"\{[^}]+\}", "x", row.path), {} if row.body else None)
        assert (reply.status, reply.error["code"]) == (401, "not_authenticated"), row.id


def test_every_operation_takes_a_key_and_a_token(world: World) -> None:
    key = str(create_key(world.app).key)
    basic = base64.b64encode(f"{key}:".encode()).decode()
    token = world.log_in().json["access"]
    for header in (f"Token {key}", f"Basic {basic}", f"Bearer {token}"):
        for row in V1:
            asked = Client(world.http, header)
            reply = asked.ask(row.method, re.sub(r"\{[^}]+\}", "x", row.path), {} if row.body else None)
            assert reply.status not in (401, 403), (header, row.id)


def test_a_key_that_may_only_read_asks_for_rates_but_makes_nothing(app: App, http: TestClient) -> None:
    key = create_key(app, scope="read").key
    headers = {"Authorization": f"Token {key}"}
    assert http.post("/v1/proxy/rates", json=body(), headers=headers).status_code == 200
    for row in V1:
        if row.needs is not Auth.WRITE:
            continue
        path = re.sub(r"\{[^}]+\}", "x", row.path)
        refused = http.request(row.method, path, headers=headers)
        assert refused.status_code == 403, row.id
        assert refused.json()["errors"][0]["code"] == "permission_denied"
    assert {row.id for row in V1 if row.needs is Auth.READ and row.method != "GET"} == {
        "@@fetch_rates", "@@@@get_tracking",
    }  # fmt: skip


def test_a_log_in_with_a_reading_key_beside_it_goes_through(world: World) -> None:
    key = create_key(world.app, scope="read").key
    reply = Client(world.http, f"Token {key}").post(
        "/api/token", {"email": "ana@shop.example", "password": PASSWORD}
    )
    assert reply.status == 201


# -- the second step ---------------------------------------------------------------------------


def test_a_second_step_is_owed_before_anything_is_called(world: World) -> None:
    uri = users.enrol(world.app, "ana@shop.example")
    assert uri.startswith("otpauth://totp/shipcli:ana%40shop.example?secret=")
    pair = world.log_in().json
    assert claims_of(pair["access"])["is_verified"] is False
    refused = Client(world.http, f"Bearer {pair['access']}").get("/v1/addresses")
    assert (refused.status, refused.error["code"]) == (401, "invalid_token")
    again = world.anybody.post("/api/token/refresh", {"refresh": pair["refresh"]})
    assert (again.status, again.error["code"]) == (401, "unverified_refresh_token")
    reply = world.second_step(pair["refresh"], code_of(uri, world.clock()))
    assert reply.status == 201
    assert reply.headers["cache-control"] == "no-store"
    assert world.calls(reply.json["access"]) == 200
    later = world.anybody.post("/api/token/refresh", {"refresh": reply.json["refresh"]})
    assert world.calls(later.json["access"]) == 200


def test_a_wrong_old_or_used_code_is_refused(world: World) -> None:
    uri = users.enrol(world.app, "ana@shop.example")
    refresh = world.log_in().json["refresh"]
    now = code_of(uri, world.clock())
    old = code_of(uri, datetime(2031, 5, 7, 14, 28, tzinfo=UTC))
    for code in (old, "", "abcdef", "١٢٣٤٥٦"):
        reply = world.second_step(refresh, code)
        assert (reply.status, reply.error["code"]) == (400, "otp_invalid")
        assert "non_field_errors" in reply.error["details"]
    assert world.second_step(refresh, now).status == 201
    assert world.second_step(refresh, now).status == 400


def test_a_code_of_the_half_minute_before_still_counts(world: World) -> None:
    uri = users.enrol(world.app, "ana@shop.example")
    refresh, code = world.log_in().json["refresh"], code_of(uri, world.clock())
    world.clock.advance(seconds=30)
    assert world.second_step(refresh, code).status == 201


@pytest.mark.parametrize(("periods", "counts"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_off_by_half_a_minute(periods: int, counts: bool) -> None:
    from shipcli.security import passwords

    secret, now = b"12345678901234567890", 1234567890
    step = now // passwords.PERIOD_S + periods
    assert (passwords.find_step(secret, passwords.compute_code(secret, step), now) == step) is counts


def test_the_codes_are_those_of_the_standard() -> None:
    from shipcli.security import passwords

    secret = b"12345678901234567890"  # RFC 6238, appendix B, its last six digits
    known = {59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"}
    assert {at: passwords.compute_code(secret, at // 30) for at in known} == known


def test_without_a_second_step_there_is_nothing_to_verify(world: World) -> None:
    reply = world.second_step(world.log_in().json["refresh"], "123456")
    assert (reply.status, reply.error["code"]) == (400, "otp_invalid")
    assert world.second_step("garbage", "123456").error["code"] == "token_not_valid"


def test_a_second_step_set_up_later_ends_the_tokens_of_before(world: World) -> None:
    before = world.log_in().json["access"]
    users.enrol(world.app, "ana@shop.example")
    assert world.calls(before) == 401
    users.end_second_step(world.app, "ana@shop.example")
    assert world.calls(world.log_in().json["access"]) == 200


# -- guessing ----------------------------------------------------------------------------------


def test_after_five_failures_an_account_has_to_wait_and_others_do_not(world: World) -> None:
    users.create_user(world.app, "bob@shop.example", PASSWORD)
    # The first wait is a second: a slow machine gets some more guesses in, each with a longer wait.
    replies = [world.log_in(f"guess {number}") for number in range(12)]
    assert {reply.status for reply in replies[:5]} == {401}
    slowed = [reply for reply in replies if reply.status == 429]
    assert {reply.error["code"] for reply in slowed} == {"throttled"}
    assert all(int(reply.headers["retry-after"]) >= 1 for reply in slowed)
    assert world.log_in(email="bob@shop.example").status == 201


def test_codes_can_not_be_guessed_without_end(world: World) -> None:
    users.enrol(world.app, "ana@shop.example")
    refresh = world.log_in().json["refresh"]
    statuses = [world.second_step(refresh, "x").status for _ in range(12)]
    assert (set(statuses[:5]), set(statuses[5:]) - {400}) == ({400}, {429})


def test_each_failure_doubles_the_wait_until_five_minutes(world: World) -> None:
    moments, waits = [1000.0], []
    counter = users.Counter("email:x", 2)
    for _ in range(13):
        try:
            users.begin(world.app, [counter], clock=lambda: moments[-1])
        except Throttled as error:
            waits.append(error.retry_after_s)
            moments.append(moments[-1] + error.retry_after_s)
            users.begin(world.app, [counter], clock=lambda: moments[-1])
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]


def test_after_twenty_failures_a_place_has_to_wait_and_others_do_not(world: World) -> None:
    here, elsewhere = (
        users.make_address_counter("192.0.2.1"),
        users.make_address_counter("192.0.2.2"),
    )
    for number in range(20):
        users.begin(world.app, [users.make_email_counter(f"{number}@x"), here], clock=lambda: 1000.0)
    with pytest.raises(Throttled):
        users.begin(world.app, [users.make_email_counter("another@x"), here], clock=lambda: 1000.0)
    users.begin(world.app, [users.make_email_counter("another@x"), elsewhere], clock=lambda: 1000.0)


def test_a_clock_that_was_set_back_keeps_nobody_out_for_long(world: World) -> None:
    counter = users.Counter("email:x", 0)
    users.begin(world.app, [counter], clock=lambda: 90000.0)
    with pytest.raises(Throttled) as caught:
        users.begin(world.app, [counter], clock=lambda: 1000.0)
    assert caught.value.retry_after_s == 2


def test_a_log_in_that_succeeds_clears_the_account_but_not_the_place(world: World) -> None:
    account, place = users.Counter("email:x", 5), users.Counter("address:y", 20)
    for _ in range(3):
        users.begin(world.app, [account, place])
    users.succeed(world.app, account, place)
    counts = {row["name"]: row["n"] for row in world.app.store.select("attempts")}
    assert counts == {"address:y": 2}


def test_failures_are_forgotten_after_an_hour(world: World) -> None:
    counter = users.Counter("email:x", 0)
    users.begin(world.app, [counter], clock=lambda: 1000.0)
    users.begin(world.app, [users.Counter("email:y", 0)], clock=lambda: 5000.0)
    assert [row["name"] for row in world.app.store.select("attempts")] == ["email:y"]


# -- what is kept ------------------------------------------------------------------------------


def test_passwords_tokens_and_secrets_rest_nowhere(world: World) -> None:
    uri = users.enrol(world.app, "ana@shop.example")
    pair = world.anybody.ask("POST", "/api/token", {"email": "ana@shop.example", "password": PASSWORD},
                             Idempotency_Key="k-1").json  # fmt: skip
    logged(world.app, world.second_step(pair["refresh"], code_of(uri, world.clock())))
    tables = ("users", "logs", "idempotency", "attempts", "secrets")
    kept = str([world.app.store.select(table) for table in tables])
    assert "argon2id" in kept
    assert "/api/token" in kept
    for secret in (PASSWORD, *pair.values(), parse_qs(urlsplit(uri).query)["secret"][0]):
        assert secret not in kept
    assert world.app.store.select("idempotency") == []


def test_a_user_is_shown_without_secrets_and_their_address_is_taken_once(world: World) -> None:
    (shown,) = users.list_users(world.app)
    assert set(shown.to_dict()) == {"id", "email", "name", "two_steps", "created_at", "disabled_at"}
    with pytest.raises(Exception, match="There is a user ana@shop.example already"):
        users.create_user(world.app, "ANA@shop.example", PASSWORD)


@pytest.mark.parametrize(
    "email", ["", "ana", "@", "a@", "a b@c.example", "a@b@c", "a\n@b.example", "x" * 65 + "@b"]
)
def test_an_address_that_is_none_is_refused(world: World, email: str) -> None:
    with pytest.raises(Invalid, match="email"):
        users.create_user(world.app, email, PASSWORD)


def test_a_password_is_neither_short_nor_endless(world: World) -> None:
    for password in ("1234567", "x" * 1025):
        with pytest.raises(Invalid, match="password"):
            users.create_user(world.app, "c@shop.example", password)


def test_an_address_of_a_recipient_is_stored_by_a_token(world: World) -> None:
    asked = Client(world.http, f"Bearer {world.log_in().json['access']}")
    assert asked.post("/v1/addresses", RECIPIENT).status == 201
