"""`shipcli config`, `db`, `doctor`, `version`: looking after the program."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shipcli.cli.commands.home.db import read_age
from shipcli.cli.usage_errors import Usage
from shipcli.features.core.processes import is_alive, name_process
from shipcli.store.jobs import Jobs
from shipcli.store.store import Store
from tests.cli.conftest import Cli, Result, address
from tests.cli.samples import older


def test_settings_say_where_they_come_from(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("config", "set", "label_type", "ZPL")
    Path("shipcli.toml").write_text('currency = "CAD"\n')
    monkeypatch.setenv("SHIPCLI_TRACKING_INTERVAL", "60")
    rows = cli("config", "show", "--origin", "--live").lines
    assert "mode\tlive\tflag\tmachine" in rows
    assert f"label_type\tZPL\t{home / 'config.toml'}\tmachine" in rows
    assert f"currency\tCAD\t{Path('shipcli.toml').absolute()}\tstore" in rows
    assert "tracking_interval\t60\tSHIPCLI_TRACKING_INTERVAL\tstore" in rows
    assert "tracing\ttrue\tdefault\tstore" in rows
    assert any(row.startswith("server keys\t") and row.endswith("\tmachine") for row in rows)


def test_a_setting_is_set_read_and_removed(cli: Cli) -> None:
    assert cli("config", "set", "mode", "live").code == 0
    assert cli("config", "get", "mode").out == "live\n"
    assert "removed mode from" in cli("config", "unset", "mode").err
    assert cli("config", "get", "mode").out == "test\n"
    assert "mode is not set in" in cli("config", "unset", "mode").err


def test_settings_are_shown_with_what_they_are_for(cli: Cli) -> None:
    shown = cli("config", "show").lines
    assert "tracking_interval\t7200\tseconds after which a tracker is asked again" in shown
    assert cli("config", "show", "--json").json["tracking_interval"] == 7200


def test_settings_that_name_a_thing_are_checked(cli: Cli) -> None:
    cli("printers", "add", "dock2", "--to", "tcp://192.0.2.7", "--format", "ZPL")
    refused = cli("config", "set", "printer", "dok2")
    assert (refused.code, "did you mean dock2?" in refused.err) == (3, True)
    assert cli("config", "set", "shipper", "adr_nope").code == 3
    id = address(cli)
    assert f"did you mean Jane Doe, {id}?" in cli("config", "set", "shipper", "Jnae Doe").err
    assert f"did you mean Jane Doe, {id}?" in cli("quote", "--to", "Jnae Doe", "--weight", "2lb").err
    assert "did you mean EUR?" in cli("config", "set", "currency", "Euros").err
    assert cli("config", "get", "printer").out == "\n"
    assert cli("config", "set", "printer", "tcp://192.0.2.8").code == 0


def test_settings_of_the_sandbox_are_its_own(cli: Cli, home: Path) -> None:
    cli("--sandbox", "config", "set", "label_type", "ZPL")
    assert (home / "sandbox" / "config.toml").exists()
    assert not (home / "config.toml").exists()
    assert cli("config", "get", "label_type").out == "\n"


def test_a_wrong_setting_is_refused(cli: Cli) -> None:
    assert cli("config", "set", "mode", "lve").code == 6
    assert "did you mean label_type" in cli("config", "get", "label_typ").err.lower()


def test_an_outweighed_setting_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIPCLI_MODE", "test")
    assert "SHIPCLI_MODE sets mode as well, and wins" in cli("config", "set", "mode", "live").err


def test_the_home_is_flag_then_environment(cli: Cli, home: Path, program: Cli, tmp_path: Path) -> None:
    assert cli("db", "path").out == f"{home / 'shipcli.db'}\n"
    assert cli("db", "path", "--sandbox").out == f"{home / 'sandbox' / 'shipcli.db'}\n"
    assert not home.exists()
    elsewhere = program("db", "path", SHIPCLI_HOME=str(tmp_path / "other"), SHIPCLI_SANDBOX="1")
    assert elsewhere.out == f"{home / 'sandbox' / 'shipcli.db'}\n"


def test_a_sandbox_has_a_simulated_connection_of_every_carrier(cli: Cli) -> None:
    assert cli("connections", "list", "--ids").lines == []
    assert cli(
        "--sandbox", "connections", "list", "--carrier-name", "generic", "--pick", "carrier_id"
    ).lines == ["generic"]


def test_a_command_closes_the_store_when_it_ends(cli: Cli, home: Path) -> None:
    """SQLite removes the log when the last connection closes."""
    address(cli)
    assert (home / "shipcli.db").exists()
    assert not (home / "shipcli.db-wal").exists()


def test_a_backup_is_restored_and_the_present_is_kept(cli: Cli, home: Path) -> None:
    kept = address(cli)
    assert cli("db", "backup", "b.db").code == 0
    lost = address(cli)
    assert cli("db", "restore", "b.db").code == 2
    assert cli("db", "restore", "b.db", "-y").code == 0
    assert cli("addresses", "list", "--ids").lines == [kept]
    (before,) = home.glob("*.before-restore-*")
    assert cli("db", "restore", str(before), "-y").code == 0
    assert lost in cli("addresses", "list", "--ids").lines


def damage(file: Path) -> None:
    """Overwrite the middle of every page that holds addresses, as a failing disk would."""
    with closing(sqlite3.connect(file)) as store:
        (root,) = store.execute("select rootpage from sqlite_master where name = 'addresses_json'").fetchone()
        (size,) = store.execute("pragma page_size").fetchone()
        store.execute("pragma wal_checkpoint(truncate)")
    with file.open("r+b") as raw:
        raw.seek((root - 1) * size)
        raw.write(b"\xff" * (size // 2))


def test_a_damaged_store_is_not_backed_up_and_the_last_backup_stays(cli: Cli, home: Path) -> None:
    address(cli)
    assert cli("db", "backup", "b.db").code == 0
    good = Path("b.db").read_bytes()
    damage(home / "shipcli.db")
    shown = cli("db", "backup", "b.db")
    assert shown.code == 1
    assert "is damaged (table addresses_json is damaged) and was not backed up" in shown.err
    assert Path("b.db").read_bytes() == good
    assert not list(Path().glob("*.partial"))


def test_a_backup_keeps_the_one_before_it(cli: Cli) -> None:
    address(cli)
    cli("db", "backup", "b.db")
    first = Path("b.db").read_bytes()
    address(cli)
    assert cli("db", "backup", "b.db").code == 0
    assert Path("b.db.1").read_bytes() == first != Path("b.db").read_bytes()


def test_a_check_names_what_is_damaged_and_the_backup_to_restore(cli: Cli, home: Path) -> None:
    kept = address(cli)
    cli("db", "backup", "b.db")
    assert cli("db", "check", "--json").json == []
    damage(home / "shipcli.db")
    shown = cli("db", "check", "--json")
    assert (shown.code, shown.json) == (1, [{"problem": "table addresses_json is damaged"}])
    assert f"shipcli db restore {Path('b.db').resolve()}" in shown.err
    assert cli("db", "restore", "b.db", "-y").code == 0
    assert cli("addresses", "list", "--ids").lines == [kept]
    assert cli("db", "check").code == 0


def test_a_check_of_what_can_not_be_opened_says_so(cli: Cli, home: Path) -> None:
    address(cli)
    with (home / "shipcli.db").open("r+b") as raw:
        raw.seek(100)
        raw.write(b"\xff" * 3000)
    (home / "shipcli.db-wal").unlink(missing_ok=True)
    shown = cli("db", "check", "--json")
    assert shown.code == 1
    assert "list of tables" in shown.json[0]["problem"]
    assert "no sound backup is known of" in shown.err


def test_an_emptied_store_is_not_taken_for_a_new_one(cli: Cli, home: Path) -> None:
    cli("connections", "add", "generic", "--simulated")
    cli("db", "backup", "b.db")
    for name in ("shipcli.db-wal", "shipcli.db-shm"):
        (home / name).unlink(missing_ok=True)
    (home / "shipcli.db").write_bytes(b"")
    shown = cli("connections", "list")
    assert shown.code == 1
    assert "is empty, and master.key beside it show" in shown.err
    assert "shipcli db restore FILE" in shown.err
    assert (home / "shipcli.db").stat().st_size == 0
    assert cli("db", "restore", "b.db", "-y").code == 0
    assert cli("connections", "list", "--pick", "carrier_name").lines == ["generic"]


def test_only_a_backup_is_restored(cli: Cli) -> None:
    Path("x.db").write_text("not a store")
    assert cli("db", "restore", "x.db", "-y").code == 2
    assert cli("db", "restore", "gone.db", "-y").code == 2


def test_the_store_tells_about_itself(cli: Cli) -> None:
    address(cli)
    assert cli("db", "info", "--json").json["objects"] == {"address": 1}
    assert cli("db", "check").code == 0


def test_pruning_asks_and_tells(cli: Cli) -> None:
    assert cli("db", "prune", "--older-than", "180d").code == 2
    assert cli("db", "prune", "--older-than", "180d", "-y").lines == ["what\tremoved", "traces\t0", "logs\t0"]
    assert "files can't be pruned" in cli("db", "prune", "--older-than", "1d", "--what", "files", "-y").err


def test_an_age_has_a_unit() -> None:
    assert (read_age("180d"), read_age("2w"), read_age("12h")) == (
        timedelta(180),
        timedelta(14),
        timedelta(hours=12),
    )
    with pytest.raises(Usage):
        read_age("180")


def test_an_older_store_names_the_migration(cli: Cli, home: Path) -> None:
    older(home)
    shown = cli("addresses", "list")
    assert shown.code == 1
    assert "hint: shipcli db migrate" in shown.err


def test_an_older_store_is_migrated_with_yes(cli: Cli, home: Path) -> None:
    older(home)
    shown = cli("addresses", "list", "-y")
    assert shown.code == 0, shown.err
    assert "migrated the store from version 0" in shown.err
    assert len(list(home.glob("*.backup"))) == 1


def test_an_older_store_is_migrated_when_the_person_agrees(
    home: Path, terminal: Callable[..., Result]
) -> None:
    older(home)
    shown = terminal("addresses", "list", answers=[("[y/N]", "y")])
    assert shown.code == 0, shown.out


def test_db_migrate_tells_what_it_did(cli: Cli, home: Path) -> None:
    older(home)
    assert cli("db", "migrate", "--json").json["before"] == 0
    assert cli("db", "migrate", "--json").json["backup"] is None


def test_a_healthy_home_has_a_good_report(cli: Cli) -> None:
    cli("connections", "add", "generic", "--simulated")
    shown = cli("doctor", "--json")
    assert shown.code == 0, shown.out
    assert {row["check"] for row in shown.json} >= {
        "store",
        "key",
        "carriers",
        "connections",
        "purchases",
        "events",
    }


def test_a_lost_key_is_found(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIPCLI_MASTER_KEY", "A" * 43 + "=")
    cli("connections", "add", "generic", "--simulated")
    monkeypatch.delenv("SHIPCLI_MASTER_KEY")
    shown = cli("doctor")
    assert shown.code == 1
    assert "key\twrong\t" in shown.out
    assert "shipcli doctor" not in shown.out


def test_what_many_connections_lack_is_told_once(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        cli("connections", "add", "generic", "--simulated", "--carrier-id", name)
    monkeypatch.setenv("SHIPCLI_MASTER_KEY", "A" * 43 + "=")
    shown = cli("doctor")
    assert shown.code == 1
    assert shown.out.count("is not the one this store was sealed with") == 1
    assert "put that one there, or give it in SHIPCLI_MASTER_KEY" in shown.out


def test_a_restored_store_of_another_home_says_that_it_needs_its_key(cli: Cli, home: Path) -> None:
    cli("connections", "add", "generic", "--simulated")
    assert cli("db", "backup", "b.db").code == 0
    same = cli("db", "restore", "b.db", "-y")
    assert (same.code, "warning:" in same.err) == (0, False), same.err
    (home / "master.key").unlink()
    other = cli("db", "restore", "b.db", "-y")
    assert (other.code, "warning: The master key is missing from" in other.err) == (0, True), other.err


@pytest.mark.parametrize("place", ["-", "notes.txt", "."])
def test_a_backup_goes_to_a_file_of_its_own(cli: Cli, place: str) -> None:
    Path("notes.txt").write_text("mine")
    refused = cli("db", "backup", place)
    assert (refused.code, "doctor" in refused.err) == (2, False), refused.err
    assert (Path("notes.txt").read_text(), Path("-").exists()) == ("mine", False)


def test_a_purchase_that_needs_attention_is_found(cli: Cli, home: Path) -> None:
    address(cli)
    now = datetime.now(UTC)
    row = {"key": "k", "shipment_id": "shp_1", "test_mode": True, "state": "attention", "created_at": now}
    with Store.open(home / "shipcli.db", clock=lambda: now) as store, store.transaction() as tx:
        tx.insert("intents", row)
    shown = cli("doctor")
    assert shown.code == 1
    assert "purchases\twrong\tit is not known what became of the purchase of shipment shp_1" in shown.out
    assert "shipcli shipments resolve shp_1 --bought TRACKING or --not-bought" in shown.out
    assert "purchases\tok" not in shown.out


def test_a_worker_that_does_not_run_or_is_late_is_shown(cli: Cli, home: Path) -> None:
    assert "worker\tok\tnone runs, nothing waits" in cli("doctor").out
    now = datetime.now(UTC)
    row = {"id": f"{name_process()}#1", "queues": "", "started_at": now.timestamp() - 900}
    with Store.open(home / "shipcli.db", clock=lambda: now) as store, store.transaction() as tx:
        Jobs(store, lambda: now, name_process, is_alive).enqueue(tx, "q", "work", {})
        tx.upsert("workers", {**row, "seen_at": now.timestamp() - 300})
    shown = cli("doctor")
    assert shown.code == 1
    assert "worker\twrong\tprocess " in shown.out
    with Store.open(home / "shipcli.db", clock=lambda: now) as store, store.transaction() as tx:
        tx.remove("workers", {"id": row["id"]})
    shown = cli("doctor")
    assert "worker\tnotice\tnone runs, 1 job waits\tshipcli worker run" in shown.out


def test_the_version_is_told(cli: Cli) -> None:
    assert cli("version").out == cli("--version").out == "shipcli 0.1.0\n"
    assert cli("version", "--pick", "version").out == "0.1.0\n"


def test_warnings_of_services_can_be_json(cli: Cli) -> None:
    shown = cli("addresses", "create", "--country", "US", "--validate", "--log-format", "json")
    assert '"level":"warning"' in shown.err


FAILS = """
import logging, sys
from shipcli.cli.console.log_output import prepare_logging
from shipcli.cli.global_options import Options
prepare_logging(Options(log_format=sys.argv[1]))
try:
    {}["a\\x1b[2J"]
except KeyError as error:
    logging.getLogger("shipcli." + sys.argv[2]).error("it failed", exc_info=error)
"""


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_the_log_of_an_unexpected_error_says_where_it_came_from(log_format: str) -> None:
    program = [sys.executable, "-c", FAILS, log_format]
    said = subprocess.run([*program, "api"], capture_output=True, text=True, check=True).stderr
    assert "it failed" in said
    assert "Traceback (most recent call last)" in said
    assert "KeyError" in said
    assert "\x1b" not in said


def test_what_a_carrier_did_wrong_is_one_line() -> None:
    program = [sys.executable, "-c", FAILS, "text", "driver"]
    said = subprocess.run(program, capture_output=True, text=True, check=True).stderr
    assert said == "error: it failed\n"


def test_what_a_bench_lacks_is_named_with_what_to_type(cli: Cli) -> None:
    shown = cli("doctor")
    assert shown.code == 0
    assert "connections\tnotice\tthere are none\tshipcli connections add CARRIER" in shown.out
    assert "shipper\tnotice\tno address ships when a command names none\tshipcli setup" in shown.out
    assert "printers\tnotice\tthere is none\tshipcli printers add NAME" in shown.out


def test_a_bench_that_is_set_up_is_well(cli: Cli) -> None:
    cli("addresses", "default", address(cli))
    cli("setup", "--printer", "dock", "--to", "tcp://192.0.2.7", "--format", "zpl")
    shown = cli("doctor").out
    assert "shipper\tok\tJane Doe, Boston" in shown
    assert "printers\tok\tdock is the default" in shown
    Path("shipcli.toml").write_text('printer = "dok"\n')
    assert "printers\twrong\tthe default one is dok, which is none of dock" in cli("doctor").out


def test_labels_that_wait_for_a_printer_are_counted(cli: Cli) -> None:
    words = ("--to-name", "Ann Lee", "--to-line1", "5 Main St", "--to-city", "Boston", "--to-state", "MA",
             "--to-postal-code", "02134", "--weight", "2lb", "--cheapest", "-y")  # fmt: skip
    for reference in ("A1", "A2"):
        done = cli("--sandbox", "ship", *words, "--reference", reference, "-p", "--printer", "spool:none")
        assert done.code == 10, done.err
    found = cli("--sandbox", "doctor").out
    assert "print jobs\tnotice\t2 wait for spool:none\tshipcli printers resume --printer spool:none" in found


def test_interrupted_purchases_are_one_line_with_one_command(cli: Cli, home: Path) -> None:
    address(cli)
    now = datetime.now(UTC)
    row = {"test_mode": True, "state": "open", "created_at": now, "claimed_by": None}
    with Store.open(home / "shipcli.db", clock=lambda: now) as store, store.transaction() as tx:
        for number in range(7):
            tx.insert("intents", {**row, "key": f"k{number}", "shipment_id": f"shp_{number}"})
    shown = cli("doctor").out
    assert shown.count("shipcli worker --once") == 1
    assert "interrupted: purchase of shipments shp_0, shp_1, shp_2, shp_3, shp_4 and 2 more" in shown


def test_a_worker_that_died_is_named(cli: Cli, home: Path) -> None:
    address(cli)
    now = datetime.now(UTC)
    with Store.open(home / "shipcli.db", clock=lambda: now) as store, store.transaction() as tx:
        row = {"id": "elsewhere@1/999999999/1#1", "queues": "", "started_at": now.timestamp() - 9000}
        tx.upsert("workers", {**row, "seen_at": now.timestamp() - 8000})
    shown = cli("doctor")
    assert shown.code == 1
    assert "stopped without ending its work, no jobs wait\tshipcli worker run" in shown.out


def test_a_narrow_terminal_shows_what_to_type(terminal: Callable[..., Result]) -> None:
    shown = terminal("doctor", COLUMNS="80", NO_COLOR="1").out
    assert max(map(len, shown.splitlines())) <= 80
    words = " ".join(shown.split())
    assert "Type: shipcli setup" in words
    assert "Type: shipcli connections add CARRIER" in words


def test_a_word_for_the_sandbox_that_is_neither_yes_nor_no_never_means_the_real_store(program: Cli) -> None:
    told = program("addresses", "list", SHIPCLI_SANDBOX="sandbox")
    assert (told.code, "say 1 for the sandbox or 0 for the real store" in told.err) == (2, True), told.err
    assert program("db", "path", SHIPCLI_SANDBOX="off").out.endswith("home/shipcli.db\n")


def test_a_quick_look_reads_neither_the_whole_store_nor_its_events(cli: Cli) -> None:
    whole, quick = (
        {row["check"] for row in cli("doctor", *options, "--json").json} for options in ([], ["--quick"])
    )
    assert whole - quick == {"store", "events"}
    assert "worker" in quick


@pytest.mark.sqlite_only("copies a file")
def test_a_copy_of_the_store_is_a_store(cli: Cli, home: Path, tmp_path: Path) -> None:
    id = address(cli)
    assert cli("db", "copy", "--to", "copy.db", "--dry-run").code == 0
    assert not (tmp_path / "copy.db").exists()
    shown = cli("db", "copy", "--to", "copy.db", "--yes", "--json")
    rows = {row["table"]: row["rows"] for row in shown.json}
    assert rows["addresses"] == 1
    (tmp_path / "other").mkdir()
    (tmp_path / "copy.db").rename(tmp_path / "other" / "shipcli.db")
    assert cli("--home", str(tmp_path / "other"), "addresses", "list", "--ids").lines == [id]
    words = ("db", "copy", "--to", str(tmp_path / "other" / "shipcli.db"), "--yes")
    assert "holds the same" in cli(*words).err, "it was all done before"
    address(cli)
    again = cli(*words)
    assert "holds other data" in again.err
    assert (again.code != 0, (tmp_path / "other" / "shipcli.db.copying").exists()) == (True, False)


def test_a_password_is_not_taken_from_the_line(cli: Cli) -> None:
    shown = cli("db", "copy", "--to", "postgresql://me:s3cret@db.example/x", "--yes")
    assert (shown.code, "s3cret" in shown.err, "PGPASSWORD" in shown.err) == (2, False, True)
