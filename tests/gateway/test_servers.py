"""Which server a line asks, as whom, and what is told when that fails."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.identity.api_keys import create_key
from shipcli.models import json
from shipcli.security import server_keys
from tests.gateway.conftest import Line, Served
from tests.gateway.samples import answering

FREE = "http://127.0.0.1:9"


# -- keys ------------------------------------------------------------------------------------------


def test_a_key_is_kept_once_it_is_known_to_be_good(
    served: Served, typed: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "own"
    monkeypatch.setenv("SHIPCLI_API_URL", served.url)
    line = ("--home", str(home))
    assert typed(*line, "addresses", "list").code == 4
    assert typed(*line, "auth", "login", "--api-key-file", "-", typed="key_wrong\n").code == 4
    told = typed(*line, "auth", "login", "--api-key-file", "-", typed=f"{served.key}\n")
    assert told.code == 0
    assert "test data" in told.err
    assert typed(*line, "addresses", "list").code == 0
    assert typed(*line, "auth", "status", "--json").json["accepted"] is True
    assert typed(*line, "auth", "logout").code == 0
    assert typed(*line, "addresses", "list").code == 4
    assert typed(*line, "auth", "status").code == 4


def test_a_kept_key_is_in_a_private_file_and_is_shown_nowhere(
    served: Served, typed: Line, tmp_path: Path
) -> None:
    home = tmp_path / "own"
    line = ("--home", str(home), "--api-url", served.url)
    shown = [typed(*line, "auth", "login", "--api-key-file", "-", typed=f"{served.key}\n")]
    for words in ("auth status --json", "addresses list -vv", "addresses get adr_nope -vv",
                  "addresses create -d country_code=US", "api get /v1/addresses --curl"):  # fmt: skip
        shown.append(typed(*line, *words.split()))
    assert all(served.key not in one.out + one.err for one in shown)
    assert (home / server_keys.FILE).stat().st_mode & 0o777 == 0o600
    others = [path for path in home.rglob("*") if path.is_file() and path.name != server_keys.FILE]
    assert others
    assert all(served.key.encode() not in path.read_bytes() for path in others)
    assert served.key not in repr(server_keys) + repr(vars(server_keys))


def test_a_real_keyring_takes_the_key_in_place_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import keyring
    from keyring.backend import KeyringBackend

    class Ring(KeyringBackend):
        priority = 5  # type: ignore[assignment]  # a number, which the library reads through a property
        held: dict[tuple[str, str], str] = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.held.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.held[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del self.held[service, username]

    monkeypatch.setattr(keyring, "get_keyring", Ring)
    for name in ("get_password", "set_password", "delete_password"):
        monkeypatch.setattr(keyring, name, getattr(Ring(), name))
    assert server_keys.keep(tmp_path, FREE, "key_1") == server_keys.KEYRING
    assert server_keys.find(tmp_path, FREE) == "key_1"
    assert not (tmp_path / server_keys.FILE).exists()
    assert server_keys.forget(tmp_path, FREE) is True
    assert server_keys.find(tmp_path, FREE) is None


def test_a_file_or_a_variable_names_the_key(
    served: Served, typed: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "key.txt"
    file.write_text(f"{served.key}\n")
    line = ("--home", str(tmp_path / "own"), "--api-url", served.url, "addresses", "list")
    assert typed(*line, "--api-key-file", str(file)).code == 0
    assert typed(*line, "--api-key-file", str(tmp_path / "none.txt")).code == 2
    monkeypatch.setenv("SHIPCLI_API_KEY", served.key)
    assert typed(*line).code == 0


def test_an_access_token_is_a_key_of_both_modes(served: Served, typed: Line, tmp_path: Path) -> None:
    from shipcli.features.identity.users import create_user

    secret = "correct horse battery"
    create_user(served.app, "modes@example.com", secret)
    line = ("--home", str(tmp_path / "own"), "--api-url", served.url)
    password = ("--password-file", "-")
    pair = typed(
        *line, "auth", "token", "modes@example.com", *password, "--json", typed="correct horse battery\n"
    )
    (tmp_path / "token").write_text(pair.json["access"])
    for flag, mode in (("--test", True), ("--live", False)):
        given = ("--api-key-file", str(tmp_path / "token"), flag, "--json")
        found = typed(*line, *given, "connections", "list").json["results"]
        assert {one["test_mode"] for one in found} == {mode}


def test_a_line_that_names_a_mode_asks_nothing_with_a_key_of_the_other_one(
    served: Served, there: Line, tmp_path: Path
) -> None:
    (tmp_path / "live").write_text(str(create_key(served.app.in_mode(test_mode=False)).key))
    served.operations()
    for words, kind in (("--live",), "test"), (("--test", "--api-key-file", str(tmp_path / "live")), "live"):
        told = there(*words, "parcels", "create", "--weight", "1kg")
        assert (told.code, f"is one for {kind} data" in told.err) == (2, True), told.err
    assert len(served.operations()) == 1  # the one that looks
    assert there("--test", "parcels", "create", "--weight", "1kg").code == 0


def test_a_live_key_is_told_as_live(served: Served, there: Line, tmp_path: Path) -> None:
    (tmp_path / "live").write_text(str(create_key(served.app.in_mode(test_mode=False)).key))
    told = there(
        "--api-key-file", str(tmp_path / "live"), "eod", "-y", "--summary", str(tmp_path / "day.json")
    )
    assert told.code == 0, told.err
    assert json.loads((tmp_path / "day.json").read_text())["test_mode"] is False


# -- what can go wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url", ["127.0.0.1:5002", "ftp://127.0.0.1", "http://ship.example", "http://u:p@localhost"]
)
def test_an_address_that_would_not_do_is_refused(typed: Line, tmp_path: Path, url: str) -> None:
    told = typed("--home", str(tmp_path), "--api-url", url, "addresses", "list")
    assert told.code == 6
    assert told.err.startswith("error: api-url:")


def test_a_server_that_does_not_answer_is_exit_code_8(typed: Line, tmp_path: Path) -> None:
    told = typed("--home", str(tmp_path), "--api-url", FREE, "addresses", "list")
    assert told.code == 8
    assert FREE in told.err
    assert typed("--home", str(tmp_path), "--api-url", FREE, "auth", "status").code == 8


def test_a_fault_of_the_server_names_its_request(typed: Line, tmp_path: Path) -> None:
    with answering(500, b"<html>oops</html>", x_request_id="req_77") as url:
        told = typed("--home", str(tmp_path), "--api-url", url, "addresses", "list", "--json")
    error = json.loads(told.err)["error"]
    assert (told.code, error["request_id"], error["code"]) == (8, "req_77", "internal_error")


@pytest.mark.parametrize("content", [b"<html></html>", b"[]", b'{"results": 3}'])
def test_an_answer_of_another_kind_is_told(typed: Line, tmp_path: Path, content: bytes) -> None:
    with answering(200, content) as url:
        told = typed("--home", str(tmp_path), "--api-url", url, "addresses", "list")
    assert told.code == 8
    assert "can't be read" in told.err


def test_a_redirect_is_not_followed(typed: Line, tmp_path: Path) -> None:
    with answering(302, b"", location="http://127.0.0.1:9/elsewhere") as url:
        assert typed("--home", str(tmp_path), "--api-url", url, "addresses", "list").code != 0


def test_too_many_requests_are_exit_code_12(typed: Line, tmp_path: Path) -> None:
    body = b'{"errors": [{"code": "throttled", "message": "slowly"}]}'
    with answering(429, body, retry_after="7") as url:
        told = typed("--home", str(tmp_path), "--api-url", url, "addresses", "list")
    assert told.code == 12
    assert "7 seconds" in told.err


def test_an_older_server_is_understood(typed: Line, tmp_path: Path) -> None:
    """Codes as a tree, no message, a null where an id should be."""
    body = {
        "errors": [{"code": {"country_code": ["required"]}, "details": {"country_code": ["is required"]}}]
    }
    with answering(400, json.dump_bytes(body)) as url:
        told = typed("--home", str(tmp_path), "--api-url", url, "addresses", "list")
    assert told.code == 6
    assert "country_code: is required" in told.err


def test_an_old_store_of_this_machine_is_no_reason_to_fail_there(
    there: Line, typed: Line, tmp_path: Path
) -> None:
    assert typed("--home", str(tmp_path / "own"), "db", "info").code == 0
    with closing(sqlite3.connect(tmp_path / "own" / "shipcli.db")) as store:
        store.execute("pragma user_version = 0")
    told = there("addresses", "create", "-d", "country_code=US", "--json")
    assert (told.code, told.json["country_code"]) == (0, "US")
    assert "@last is not kept" in told.err
    assert "shipcli db migrate" in told.err


@pytest.mark.parametrize("line", [
    ["printers", "list"], ["db", "info"], ["config", "show"], ["demo"], ["server", "start"],
], ids=" ".join)  # fmt: skip
def test_what_belongs_to_a_machine_says_so(there: Line, line: list[str]) -> None:
    told = there(*line)
    assert told.code == 2
    assert "this machine only" in told.err


def test_a_command_that_is_none_is_told_as_that_for_a_server_too(there: Line) -> None:
    told = there("orders", "fulfill")
    assert (told.code, "there is no command 'orders fulfill'; did you mean fulfil?" in told.err) == (2, True)


# -- any request -----------------------------------------------------------------------------------


@pytest.fixture(params=["here", "there"])
def either(request: pytest.FixtureRequest) -> Line:
    """The line on the store, and through the server."""
    found: Line = request.getfixturevalue(request.param)
    return found


def test_any_request_is_sent(either: Line, tmp_path: Path) -> None:
    made = either("api", "post", "/v1/addresses", "-d", "country_code=US", "-d", "city=Phoenix", "-y")
    assert made.code == 0
    id = made.json["id"]
    assert either("api", "get", f"/v1/addresses/{id}", "--pick", "city").out.strip() == "Phoenix"
    body = tmp_path / "patch.json"
    body.write_text('{"city": "Tempe"}')
    assert either("api", "PATCH", f"/v1/addresses/{id}", "-d", f"@{body}").json["city"] == "Tempe"
    assert either("api", "delete", f"/v1/addresses/{id}").code == 0
    gone = either("api", "get", f"/v1/addresses/{id}", "--json")
    assert (gone.code, json.loads(gone.err)["error"]["code"]) == (3, "not_found")
    assert json.loads(gone.err)["error"]["request_id"]


def test_a_request_with_a_key_is_done_once(either: Line) -> None:
    line = ("api", "post", "/v1/addresses", "-d", "country_code=US", "--idempotency-key", "once-1")
    assert either(*line).json["id"] == either(*line).json["id"]


def test_all_pages_come_as_one_list(either: Line) -> None:
    for _ in range(3):
        either("api", "post", "/v1/parcels", "-d", "weight=1", "-d", "weight_unit=KG")
    count = either("api", "get", "/v1/parcels?limit=1").json["count"]
    assert len(either("api", "get", "/v1/parcels?limit=1", "--paginate").json) == count
    assert either("api", "get", "/", "--paginate").code == 2


def test_a_request_is_shown_as_a_curl_line(there: Line, served: Served) -> None:
    served.operations()
    line = there("api", "post", "/v1/proxy/rates", "-d", "reference=it's", "--curl").out
    assert line.startswith(f"curl -sS -X POST {served.url}/v1/proxy/rates ")
    assert '-H "Authorization: Token $SHIPCLI_API_KEY"' in line
    assert served.key not in line
    assert served.operations() == set()


def test_a_dry_run_sends_nothing(there: Line, served: Served) -> None:
    served.operations()
    told = there("api", "post", "/v1/addresses", "-d", "country_code=US", "--dry-run")
    assert (told.code, served.operations()) == (0, set())


@pytest.mark.parametrize("line", [
    ["api", "fetch", "/v1/addresses"], ["api", "get", "addresses"], ["api", "get", "//elsewhere/v1"],
    ["api", "get", "/v1/addresses", "-H", "nothing"],
], ids=" ".join)  # fmt: skip
def test_what_is_no_request_is_refused(either: Line, line: list[str]) -> None:
    assert either(*line).code == 2


def test_a_file_is_written_as_it_is(there: Line, here: Line) -> None:
    document: Any = there("api", "get", "/shipping-openapi").out
    assert document.startswith("openapi:") or json.loads(document)["openapi"]
