"""Settings: which place wins, and what is said of a wrong one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shipcli import config
from shipcli.models import Invalid


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    return place


def test_flag_then_environment_then_project_then_user_then_default(home: Path, project: Path) -> None:
    seen = []

    def look(environ: dict[str, str], flags: dict[str, Any]) -> None:
        found = config.load(home, environ, project).with_flags(flags)
        seen.append((found["label_type"], found.origin("label_type")))

    look({}, {})
    config.write(home, "label_type", "ZPL")
    look({}, {})
    (project / "shipcli.toml").write_text('label_type = "PNG"\n')
    look({}, {})
    look({"SHIPCLI_LABEL_TYPE": "PDF"}, {"label_type": None})
    look({"SHIPCLI_LABEL_TYPE": "PDF"}, {"label_type": "ZPL"})
    assert seen == [
        ("", "default"), ("ZPL", str(home / "config.toml")), ("PNG", str(project / "shipcli.toml")),
        ("PDF", "SHIPCLI_LABEL_TYPE"), ("ZPL", "flag"),
    ]  # fmt: skip


def test_every_setting_has_a_default_that_it_would_accept(home: Path, project: Path) -> None:
    found = config.load(home, {}, project)
    for row in config.SETTINGS:
        assert found[row.key] == row.default == config.read(row.key, row.default, "default")
        assert row.help


@pytest.mark.parametrize("word", ["1", "true", "YES", "on"])
def test_words_for_yes(home: Path, project: Path, word: str) -> None:
    assert config.load(home, {"SHIPCLI_TRACING": word}, project)["tracing"] is True


@pytest.mark.parametrize("word", ["0", "false", "No", "off"])
def test_words_for_no(home: Path, project: Path, word: str) -> None:
    assert config.load(home, {"SHIPCLI_TRACING": word}, project)["tracing"] is False


def test_an_empty_variable_is_one_that_is_not_set(home: Path, project: Path) -> None:
    found = config.load(home, {"SHIPCLI_MODE": "", "SHIPCLI_TRACING": ""}, project)
    assert (found["mode"], found["tracing"], found.origin("mode")) == ("test", True, "default")


@pytest.mark.parametrize(
    ("name", "value"),
    [("MODE", "prod"), ("TRACING", "perhaps"), ("TRACKING_INTERVAL", "soon"), ("TRACKING_INTERVAL", "0"),
     ("TRACKING_INTERVAL", "1.5"), ("CURRENCY", "dollars")],
)  # fmt: skip
def test_a_wrong_variable_is_named(home: Path, project: Path, name: str, value: str) -> None:
    with pytest.raises(Invalid, match=f"SHIPCLI_{name}"):
        config.load(home, {f"SHIPCLI_{name}": value}, project)


@pytest.mark.parametrize(
    "text", ['mode = "prod"', "mode = [", "moode = 'test'", "currency = {a = 1}", "label_type = ['PDF']"]
)
def test_a_wrong_file_is_named(home: Path, project: Path, text: str) -> None:
    (project / "shipcli.toml").write_text(text)
    with pytest.raises(Invalid, match=r"shipcli\.toml"):
        config.load(home, {}, project)


def test_a_file_that_is_no_text_is_named(home: Path, project: Path) -> None:
    (home / "config.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Invalid, match=r"config\.toml"):
        config.load(home, {}, project)


def test_a_file_with_a_mark_at_its_start_is_read(home: Path, project: Path) -> None:
    (project / "shipcli.toml").write_bytes(b'\xef\xbb\xbfmode = "live"\n')
    assert config.load(home, {}, project)["mode"] == "live"


def test_a_currency_is_written_in_capitals(home: Path, project: Path) -> None:
    assert config.load(home, {"SHIPCLI_CURRENCY": "eur"}, project)["currency"] == "EUR"


def test_an_unknown_setting_names_the_nearest(home: Path, project: Path) -> None:
    with pytest.raises(Invalid, match="label_type"):
        config.load(home, {}, project)["labeltype"]


def test_writing_keeps_comments_and_order_and_none_removes(home: Path) -> None:
    path = home / "config.toml"
    path.write_text('# mine\ncolor = "never"  # plain\nmode = "test"\n')
    config.write(home, "mode", "live")
    assert path.read_text() == '# mine\ncolor = "never"  # plain\nmode = "live"\n'
    config.write(home, "mode", None)
    assert path.read_text() == '# mine\ncolor = "never"  # plain\n'
    assert [one.name for one in home.iterdir()] == ["config.toml"]


def test_settings_are_written_by_many_threads_at_once(home: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: config.write(home, "body_limit", number), range(1, 101)))
    assert "body_limit = " in (home / "config.toml").read_text()
    assert [one.name for one in home.iterdir()] == ["config.toml"]


def test_a_sandbox_has_settings_of_its_own_and_no_printer_of_the_real_store(
    home: Path, project: Path
) -> None:
    box = home / "sandbox"
    config.write_all(home, {"printer": "dock2", "weight_unit": "LB", "currency": "USD"})
    config.write_all(box, {"currency": "EUR"})
    found = config.load(box, {}, project, sandbox_of=home)
    assert (found["printer"], found["weight_unit"], found["currency"]) == ("", "LB", "EUR")
    assert config.load(home, {}, project)["currency"] == "USD"


def test_of_several_values_a_wrong_one_keeps_all_from_being_written(home: Path) -> None:
    with pytest.raises(Invalid, match="did you mean LB"):
        config.write_all(home, {"size_unit": "IN", "weight_unit": "LBS"})
    assert not (home / "config.toml").exists()


def test_a_wrong_value_is_not_written(home: Path) -> None:
    with pytest.raises(Invalid):
        config.write(home, "mode", "prod")
    assert not (home / "config.toml").exists()


def test_a_damaged_file_is_not_overwritten(home: Path) -> None:
    (home / "config.toml").write_text("mode = [")
    with pytest.raises(Invalid, match=r"config\.toml"):
        config.write(home, "mode", "live")
    assert (home / "config.toml").read_text() == "mode = ["


def test_the_home_is_the_users_own_unless_named(tmp_path: Path) -> None:
    assert config.find_default_home({"SHIPCLI_HOME": str(tmp_path)}) == tmp_path
    assert config.find_default_home({"XDG_DATA_HOME": str(tmp_path)}).name == "shipcli"
