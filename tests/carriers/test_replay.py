"""The recorded exchanges of every carrier replay cleanly, and the command counts them truly."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from shipcli.carrier import registry
from shipcli.carrier.wire import Request
from tests.carriers.comparison import compare_calls, compare_messages, compare_result
from tests.carriers.places import HAND_MADE, RECORDED
from tests.carriers.recordings import Case, Recording, find
from tests.carriers.replay import excuses, main, replay, totals
from tests.carriers.samples import RATES, changed, run

# -- every case there is ---------------------------------------------------------------------------


def hand_made() -> list[Case]:
    return list(find(HAND_MADE.glob("*/cases")))


def recorded() -> list[Case]:
    """The shared cases of the carriers that are built."""
    return list(find([RECORDED / slug for slug in registry.slugs() if (RECORDED / slug).is_dir()]))


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(one, id=f"{origin.__name__}:{one.key}")
        for origin in (hand_made, recorded)
        for one in origin()
    ],
)
def test_a_recorded_exchange_replays(case: Case, request: pytest.FixtureRequest) -> None:
    wanted = request.config.getoption("--carrier")
    if wanted and case.slug not in wanted:
        pytest.skip("another carrier was asked for")
    report = replay(case)
    if case.key in excuses():
        assert report.lines, "it matches by now: take it out of excused.json"
    else:
        assert report.lines == [], "\n".join([*report.lines, *report.log])


def test_every_excuse_names_a_case_and_a_reason() -> None:
    known = {case.key for case in (*hand_made(), *recorded())}
    assert all(reason.strip() for reason in excuses().values())
    assert not RECORDED.is_dir() or excuses().keys() <= known


def test_the_shared_recordings_are_there() -> None:
    if not RECORDED.is_dir():
        pytest.skip("the folder shared/carriers is absent: only hand-made cases are replayed")
    assert len({case.slug for case in find([RECORDED])}) == 45


def test_every_recording_agrees_with_itself() -> None:
    if not RECORDED.is_dir():
        pytest.skip("the folder shared/carriers is absent")
    assert [line for case in find([RECORDED]) for line in echo(case)] == []


def echo(case: Case) -> list[str]:
    """Differences of a case with what it records, sent through the runner's own transport."""

    recording = Recording(case)

    async def send_all() -> None:
        for call in case.calls:
            body = (call.get("body") or "").encode()
            await recording.send(Request(call["method"], call["url"], call["headers"], body))

    asyncio.run(send_all())
    lines = [
        *compare_calls(case, recording),
        *compare_result(case, case.data["parsed"]),
        *compare_messages(case, case.data["messages"] or []),
    ]
    return [f"{case.key}: {line}" for line in lines]


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cases").mkdir()
    data = {**RATES, "carrier": "not_there"}
    (tmp_path / "cases" / "rates-one.json").write_text(json.dumps(data))
    (tmp_path / "facts.json").write_text('{"slug": "not_there"}')
    return tmp_path


def test_the_command_counts_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "--json"]) == 1
    none = {"matched": 0, "total": 1}
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "excused": {},
        "not_there": {"rates": {"requests": none, "results": none, "messages": none}},
    }


def test_the_command_prints_every_difference(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), str(folder)]) == 1
    printed = capsys.readouterr().out
    assert "FAIL not_there/rates-one.json\n    There is no carrier 'not_there'.\n" in printed
    assert "0 of 1 cases match" in printed


def test_an_excused_case_stays_in_the_total_and_does_not_fail_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    list_of_excuses = folder / "excused.json"
    list_of_excuses.write_text('{"not_there/rates-one.json": "the recording is wrong"}')
    monkeypatch.setattr("tests.carriers.replay.EXCUSED", list_of_excuses)
    assert main([str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["excused"] == {"not_there/rates-one.json": "the recording is wrong"}
    assert found["not_there"]["rates"]["requests"] == {"matched": 0, "total": 1}


@pytest.mark.parametrize("arguments", [[], ["/no/such/folder"], ["--wrong"]])
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2


def test_a_folder_without_cases_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([str(tmp_path)])
    assert end.value.code == 2


def test_totals_add_up_by_carrier_and_operation() -> None:
    good, bad = run(RATES), run(changed(RATES, "http/0/body", '{"kg": 3}'))
    counts = totals([good, bad], {})["fake"]["rates"]
    assert counts["requests"] == {"matched": 1, "total": 2}
    assert counts["results"] == {"matched": 2, "total": 2}
