"""The recorded exchanges of every carrier replay cleanly, and the command counts them truly."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Iterable
from dataclasses import replace as changed_part
from pathlib import Path
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.carrier.wire.calls import Request
from shipcli.carrier.wire.multipart import join
from shipcli.models import json as plain_json
from tests.carriers import comparison, deviations
from tests.carriers.comparison import compare_calls, compare_messages, compare_result
from tests.carriers.deviations import Deviation
from tests.carriers.meaning import part_text
from tests.carriers.places import HAND_MADE, UNRECORDED, list_recorded, list_recorded_rows
from tests.carriers.recordings import Case, Recording, Sent, find
from tests.carriers.replay import login_names, main, replay, totals
from tests.carriers.replay import run as run_case
from tests.carriers.samples import RATES, changed, run
from tests.shared import find_shared

# -- every case there is ---------------------------------------------------------------------------


def hand_made() -> list[Case]:
    return list(find(HAND_MADE.glob("*/cases")))


def recorded() -> list[Case]:
    """The shared cases of the carriers that are built."""
    return list(find([folder for folder in list_recorded() if folder.name in registry.list_slugs()]))


def name_cases(origin: str, cases: Iterable[Case]) -> list[Any]:
    return [pytest.param(case, id=f"{origin}:{case.key}") for case in cases]


@pytest.mark.parametrize(
    "case",
    [
        *name_cases("hand_made", hand_made()),
        *list_recorded_rows(lambda folder: name_cases("recorded", find([folder]))),
    ],
)
def test_a_recorded_exchange_replays(case: Case, request: pytest.FixtureRequest) -> None:
    wanted = request.config.getoption("--carrier")
    if wanted and case.slug not in wanted:
        pytest.skip("another carrier was asked for")
    report = replay(case)
    assert report.undeclared == [], "\n".join([*report.undeclared, *report.log])


def test_every_declared_deviation_is_met() -> None:
    find_shared("carriers")
    declared = {
        (slug, one)
        for slug in registry.list_slugs()
        for one in deviations.of_carrier(slug)
        if one.operation not in (deviations.PUBLISHED, deviations.FACTS)
    }
    reports = [replay(case) for case in (*hand_made(), *recorded())]
    met = {
        (report.case.slug, one)
        for report in reports
        for one in deviations.covering(report.lines, report.declared)
    }
    assert declared - met == set(), "take these out: nothing departs there any more"


def test_both_checkers_judge_every_exchange_alike() -> None:
    """The checker beside the recordings and this runner hold the same rules."""
    checker = load_checker(find_shared("carriers/check_cases.py"))
    cases = [case for case in recorded() if not case.is_unbound]
    differing = [case.key for case in cases if verdicts(case) != verdicts_of_checker(checker, case)]
    assert differing == []


def verdicts(case: Case) -> tuple[bool, bool]:
    """Whether the calls differ, and whether the results and messages do, as this runner sees it."""
    outcome, recording = run_once(case)
    answers = [*compare_result(case, outcome.result), *compare_messages(case, outcome.messages)]
    calls = compare_calls(case, recording)
    return bool(calls) and "http" in case.checks, bool(answers) and "parsed" in case.checks


def verdicts_of_checker(checker: Any, case: Case) -> tuple[bool, bool]:
    """The same as the checker beside the recordings sees it."""
    outcome, recording = run_once(case)
    data = json.loads(case.path.read_text("utf-8"))
    result = as_floats(comparison.plain(outcome.result))
    messages = [comparison.plain(message) for message in outcome.messages]
    sent = [seen_by_checker(one) for one in recording.sent]
    calls = checker.compare_http(data, sent) if "http" in case.checks else []
    return bool(calls), bool(checker.compare_parsed(data, result, messages))


def run_once(case: Case) -> tuple[FlowOutcome[Any], Recording]:
    carrier_class = registry.get(case.slug)
    return run_case(case, carrier_class, login_names(case, carrier_class)[0])


def seen_by_checker(sent: Sent) -> dict[str, Any]:
    request = sent.request
    return {"method": request.method, "url": request.url, "headers": request.headers,
            "body": text_of(with_readable_files(request)), "call": sent.index}  # fmt: skip


def with_readable_files(request: Request) -> bytes:
    """The body, files among its parts as base64, which is how the recordings write them."""
    kind, _, boundary = request.header("content-type").partition("; boundary=")
    if kind != "multipart/form-data":
        return request.content
    return join([changed_part(part, content=part_text(part.content)) for part in request.parts], boundary)


def load_checker(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("check_cases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(content: bytes) -> str | None:
    try:
        return content.decode("utf-8") if content else None
    except UnicodeDecodeError:
        return content.decode("latin-1")


def as_floats(value: Any) -> Any:
    """Plain data as the checker knows it: Decimals are floats there."""
    return json.loads(plain_json.dumps(value))


def test_the_shared_recordings_are_there() -> None:
    find_shared("carriers")
    slugs = {case.slug for case in recorded()}
    assert slugs == set(registry._find_folders()) - UNRECORDED


def test_every_recording_agrees_with_itself() -> None:
    find_shared("carriers")
    assert [line for case in recorded() for line in echo(case)] == []


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
    none = {"total": 1, "matched": 0, "deviating": 0}
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "not_there": {"rates": {"requests": none, "results": none, "messages": none}},
    }


def test_a_case_that_proves_nothing_is_counted_apart(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unbound = {**RATES, "carrier": "ups", "settings": None, "unified_request": None}
    (folder / "cases" / "rates-unbound.json").write_text(json.dumps(unbound))
    assert main([str(folder)]) == 1
    assert "0 of 1 cases match, 0 deviate as declared, 1 more prove nothing" in capsys.readouterr().out


def test_the_command_prints_every_difference(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), str(folder)]) == 1
    printed = capsys.readouterr().out
    assert "FAIL not_there/rates-one.json\n    There is no carrier 'not_there'.\n" in printed
    assert "0 of 1 cases match" in printed


def deviating(operation: str, path: str) -> Deviation:
    return Deviation(operation, path, "the recording is wrong", "the guide")


@pytest.mark.parametrize(
    ("path", "line", "covered"),
    [
        ("http/*/body/Shipment/Currency", "http/0/body/Shipment/Currency: expected 1, got 2", True),
        ("http/*/body/Shipment", "http/0/body/Shipment/Currency: missing", True),
        ("http/*/body/Ship", "http/0/body/Shipment/Currency: missing", False),
        ("http/1/url", "http/0/url: expected a, got b", False),
        ("messages: not expected *E1*", 'messages: not expected ["E1", "no"]', True),
        ("messages: not expected *E1*", 'messages: missing ["E1", "no"]', False),
    ],
)
def test_a_deviation_covers_its_path_and_what_lies_below(path: str, line: str, covered: bool) -> None:
    assert deviating("rates", path).covers(line) is covered


def test_a_declared_deviation_is_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    report = run(changed(RATES, "http/0/body", '{"kg": 3}'))
    assert (report.state("requests"), report.undeclared != []) == ("different", True)
    declared = (deviating("rates", "http/*/body/kg"), deviating("shipment", "http/*"))
    monkeypatch.setattr(deviations, "of_carrier", lambda slug: declared)
    assert (report.state("requests"), report.undeclared) == ("deviating", [])
    assert totals([report])["fake"]["rates"]["requests"] == {"total": 1, "matched": 0, "deviating": 1}
    assert report.state("results") == "matched"


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
    counts = totals([good, bad])["fake"]["rates"]
    assert counts["requests"] == {"total": 2, "matched": 1, "deviating": 0}
    assert counts["results"] == {"total": 2, "matched": 2, "deviating": 0}
