"""`shipcli keys` and the server's own words."""

from __future__ import annotations

import re
from pathlib import Path

from shipcli.bootstrap import open_app
from shipcli.features.sandbox.seed import seed_sandbox
from tests.cli.conftest import Cli


def test_a_key_is_made_for_the_mode_and_shown_once(cli: Cli) -> None:
    made = cli("keys", "create", "--name", "shop", "--json").json
    assert re.fullmatch("key_[0-9a-f]{32}", made["key"])
    assert (made["test_mode"], made["scope"], made["name"]) == (True, "write", "shop")
    listed = cli("keys", "list", "--json")
    assert made["key"] not in listed.out
    assert listed.json[0]["id"] == made["id"]


def test_live_keys_and_reading_keys_are_asked_for(cli: Cli) -> None:
    made = cli("keys", "create", "--live", "--scope", "read", "--json").json
    assert (made["test_mode"], made["scope"]) == (False, "read")
    refused = cli("keys", "create", "--scope", "all")
    assert (refused.code, "scope" in refused.err) == (6, True)


def test_a_key_is_revoked_by_name_id_or_itself(cli: Cli) -> None:
    made = [cli("keys", "create", "--name", name, "--json").json for name in ("a", "b", "c")]
    for word in ("a", made[1]["id"], made[2]["key"]):
        assert cli("keys", "revoke", word, "--yes").code == 0
    assert cli("keys", "list", "--ids").out == ""
    assert len(cli("keys", "list", "--revoked", "--json").json) == 3


def test_revoking_asks_first_and_names_what_is_unknown(cli: Cli) -> None:
    cli("keys", "create", "--name", "a")
    assert cli("keys", "revoke", "a").code == 2
    missing = cli("keys", "revoke", "key_0123456789abcdef0123456789abcdef", "--yes")
    assert missing.code == 3
    assert "0123456789abcdef0123456789abcdef" not in missing.err


def test_two_keys_of_one_name_are_told_apart(cli: Cli) -> None:
    for _ in range(2):
        cli("keys", "create", "--name", "same")
    refused = cli("keys", "revoke", "same", "--yes")
    assert refused.code == 6
    assert refused.err.count("apk_") == 2


def test_a_dry_run_makes_and_revokes_nothing(cli: Cli) -> None:
    assert "would make a key" in cli("keys", "create", "--dry-run").err
    assert cli("keys", "list", "--json").json == []


def test_a_seeded_sandbox_has_some_of_everything(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={})
    seed_sandbox(app, "demo")
    counts = {kind: app.store.count(kind) for kind in ("shipment", "tracker", "order", "address", "parcel")}
    app.close()
    assert all(counts.values()), counts


def test_an_unknown_seed_is_told_before_anything_is_served(cli: Cli) -> None:
    refused = cli("sandbox", "up", "--seed", "moon", "--port", "0")
    assert refused.code == 6
    assert "demo" in refused.err
