"""Replays recorded carrier exchanges: what is sent and what is made of the answers.

    python -m tests.carriers.replay DIR... [--json] [--verbose]

Exit codes: 0 all differences are declared deviations, 1 otherwise, 2 usage.
"""

from __future__ import annotations

import argparse
import logging
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from shipcli import models
from shipcli.carrier import registry
from shipcli.carrier.base import Carrier, Context
from shipcli.carrier.preparation.flows import start_flow
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.models import json as plain_json
from shipcli.models.basics.errors import ShipcliError
from tests.carriers import deviations
from tests.carriers.bench import pass_time
from tests.carriers.comparison import compare_calls, compare_messages, compare_result
from tests.carriers.deviations import Deviation
from tests.carriers.recordings import Case, PresetTokens, Recording, find

KEY = "0123456789abcdef0123456789abcdef"  # the purchase key of every replay
ASPECTS = ("requests", "results", "messages")
VERBS: Mapping[str, tuple[str, str]] = {
    "rates": ("rate", "RateRequest"),
    "shipment": ("ship", "ShipmentRequest"),
    "cancel_shipment": ("void", "CancelRequest"),
    "tracking": ("track", "TrackingRequest"),
    "pickup": ("schedule_pickup", "PickupRequest"),
    "pickup_update": ("update_pickup", "PickupUpdateRequest"),
    "pickup_cancel": ("cancel_pickup", "PickupCancelRequest"),
    "manifest": ("manifest", "ManifestRequest"),
    "address_validation": ("validate_address", "AddressValidationRequest"),
    "document_upload": ("upload_document", "DocumentUploadRequest"),
    "transit": ("estimate_transit", "RateRequest"),
}
Lookup = Callable[[str], type[Carrier[Any, Any]]]


@dataclass
class Report:
    """What one case came to: the differences of each aspect its `checks` name."""

    case: Case
    aspects: dict[str, list[str]] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        return list(dict.fromkeys(line for lines in self.aspects.values() for line in lines))

    @property
    def declared(self) -> list[Deviation]:
        """The deviations that its carrier declares for its operation."""
        kinds = (self.case.operation, deviations.SUPERSEDED)
        return [one for one in deviations.of_carrier(self.case.slug) if one.operation in kinds]

    @property
    def undeclared(self) -> list[str]:
        """The differences that nobody meant."""
        return deviations.undeclared(self.lines, self.declared)

    def state(self, aspect: str) -> str:
        """`matched`, `deviating` (all differences are declared) or `different`."""
        lines = self.aspects[aspect]
        if not lines:
            return "matched"
        return "different" if deviations.undeclared(lines, self.declared) else "deviating"


# -- one case --------------------------------------------------------------------------------------


def replay(case: Case, lookup: Lookup = registry.get) -> Report:
    """Run a case's operation on its recorded answers and compare."""
    try:
        carrier_class = lookup(case.slug)
    except ShipcliError as error:
        return _broken(case, error.message.partition(" Known:")[0])
    if case.superseded:
        return _broken(case, case.superseded)
    if case.is_unbound or (case.is_unrecorded and carrier_class.hosts):
        return Report(case)
    try:
        with Listening() as log:
            attempts = [_attempt(case, carrier_class, name) for name in login_names(case, carrier_class)]
    except (ShipcliError, ValidationError) as error:
        return _broken(case, f"the case does not fit the carrier: {error}")
    except Exception as error:  # noqa: BLE001 - a carrier that breaks is a case that failed
        trace = "".join(traceback.format_exception(error))
        return _broken(case, f"{case.slug} raised {type(error).__name__}: {error}{_place(trace)}", [trace])
    best = min(attempts, key=lambda one: len(one.lines))
    best.log = log.lines
    return best


def _broken(case: Case, reason: str, log: Sequence[str] = ()) -> Report:
    return Report(case, {name: [reason] for name in _aspects(case)}, list(log))


def _aspects(case: Case) -> list[str]:
    """What the case can prove: `http` the requests, `parsed` the results and the messages."""
    checks = case.checks
    return ["requests"] * ("http" in checks) + ["results", "messages"] * ("parsed" in checks)


def _attempt(case: Case, carrier_class: type[Carrier[Any, Any]], login: str | None) -> Report:
    outcome, recording = run(case, carrier_class, login)
    found = {
        "requests": compare_calls(case, recording),
        "results": [*compare_result(case, outcome.result), *_uninvited(case, recording)],
        "messages": compare_messages(case, outcome.messages),
    }
    return Report(case, {name: found[name] for name in _aspects(case)})


def _uninvited(case: Case, recording: Recording) -> list[str]:
    """A case that proves no request still proves that none is sent, where it records none."""
    if case.calls or "http" in case.checks or not recording.sent:
        return []
    return [f"http: {len(recording.sent)} call(s) sent, none expected"]


def run(
    case: Case, carrier_class: type[Carrier[Any, Any]], login: str | None = None
) -> tuple[FlowOutcome[Any], Recording]:
    """The outcome of the case's operation, and what was sent on the way."""
    recording = Recording(case)
    driver = Driver(lambda _: recording, tokens=PresetTokens(case), clock=lambda: case.clock, sleep=pass_time)
    try:
        return driver.run(_job(case, carrier_class, login)), recording
    finally:
        driver.close()


class Rerun:
    """Runs many cases on one driver: a driver for each of thousands would cost more than the cases."""

    def __init__(self) -> None:
        self._case: Case
        self.driver = Driver(
            lambda _: self._recording, tokens=self, clock=lambda: self._case.clock, sleep=pass_time
        )

    def run(self, case: Case) -> FlowOutcome[Any]:
        """The outcome of the case's operation."""
        self._case, self._recording, self._tokens = case, Recording(case), PresetTokens(case)
        return self.driver.run(_job(case, registry.get(case.slug), None))

    def __getattr__(self, name: str) -> Any:
        """Tokens are those of the case."""
        return getattr(self._tokens, name)


def _job(case: Case, carrier_class: type[Carrier[Any, Any]], login: str | None) -> CarrierJob[Any]:
    carrier = _open(case, carrier_class)
    if login is not None:
        return CarrierJob(carrier, "login", carrier.login(login))
    verb, model = VERBS[case.operation]
    request = getattr(models, model).model_validate(case.data["unified_request"])
    return CarrierJob(carrier, verb, start_flow(carrier, verb, request))


def _open(case: Case, carrier_class: type[Carrier[Any, Any]]) -> Carrier[Any, Any]:
    settings, connection = case.data.get("settings") or {}, case.data.get("connection") or {}
    context = Context(
        now=case.clock,
        zone=UTC,
        key=KEY,
        test_mode=bool(connection.get("test_mode")),
        carrier_id=str(connection.get("carrier_id") or case.slug),
        connection_id=str(connection.get("carrier_id") or case.slug),
    )
    return carrier_class.open(settings, settings.get("config") or {}, context)


def login_names(case: Case, carrier_class: type[Carrier[Any, Any]]) -> list[str | None]:
    """Names a token case may mean (the one that fits best is taken); None for every other operation."""
    if case.operation != "authenticate":
        return [None]
    parsed = case.data.get("parsed") or {}
    told = [key.removesuffix("_token").removesuffix("_access") for key in parsed if key.endswith("_token")]
    return list(dict.fromkeys([*carrier_class.tokens, *told, "access", "payment", "token", "track"]))


class Listening(logging.Handler):
    """Keeps what the driver logs of a reader that broke, in place of standard error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []
        self._logger = logging.getLogger("shipcli.driver")

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(logging.Formatter().format(record))

    def __enter__(self) -> Listening:
        self._before = self._logger.propagate
        self._logger.propagate = False
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.propagate = self._before


def _place(trace: str) -> str:
    """Where a trace ends: the last file and line it names."""
    places = [line.strip() for line in trace.splitlines() if line.strip().startswith("File ")]
    return f" ({places[-1]})" if places else ""


# -- all cases -------------------------------------------------------------------------------------


def totals(reports: Iterable[Report]) -> dict[str, Any]:
    """Total, matched and deviating cases of each aspect, by carrier and operation."""
    found: dict[str, Any] = {}
    for report in reports:
        operations = found.setdefault(report.case.slug, {})
        counts = operations.setdefault(
            report.case.operation, {name: {"total": 0, "matched": 0, "deviating": 0} for name in ASPECTS}
        )
        for name in report.aspects:
            counts[name]["total"] += 1
            state = report.state(name)
            if state in counts[name]:
                counts[name][state] += 1
    return found


def show(reports: Sequence[Report], *, verbose: bool) -> Iterable[str]:
    """The differences, case by case."""
    for report in reports:
        if not report.lines:
            continue
        yield f"{'FAIL' if report.undeclared else 'DEVIATES'} {report.case.key}"
        meant = set(report.lines) - set(report.undeclared)
        yield from (f"    {'declared: ' if line in meant else ''}{line}" for line in report.lines)
        for trace in report.log:
            yield from (f"    | {line}" for line in (trace.splitlines() if verbose else [_last(trace)]))


def _last(trace: str) -> str:
    return f"{trace.strip().splitlines()[-1]}{_place(trace)}"


def table(found: Mapping[str, Any]) -> Iterable[str]:
    """One line for each carrier and operation: matched, declared deviations, total."""
    for slug, operations in found.items():
        for operation, counts in operations.items():
            cells = (_cell(name, counts[name]) for name in ASPECTS)
            yield f"{slug:24}{operation:20}" + "  ".join(f"{cell:20}" for cell in cells).rstrip()


def _cell(name: str, count: Mapping[str, int]) -> str:
    meant = f"+{count['deviating']}" if count["deviating"] else ""
    return f"{name} {count['matched']}{meant}/{count['total']}"


def listing(reports: Sequence[Report]) -> Iterable[str]:
    """The deviations that were met, with their reasons."""
    met = {
        (report.case.slug, one): None
        for report in reports
        for one in deviations.covering(report.lines, report.declared)
    }
    if met:
        yield "declared deviations:"
    for slug, one in met:
        yield f"    {slug} {one.operation} {one.path}: {one.reason} Source: {one.source}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.carriers.replay", description=__doc__.partition("\n")[0]
    )
    parser.add_argument(
        "places", nargs="+", type=Path, metavar="DIR", help="folder that holds recorded cases"
    )
    parser.add_argument(
        "--json", action="store_true", help="print counts as JSON; differences go to standard error"
    )
    parser.add_argument("--verbose", action="store_true", help="print whole traces of readers that broke")
    options = parser.parse_args(arguments)
    missing = [str(place) for place in options.places if not place.exists()]
    if missing:
        parser.error(f"no such folder: {', '.join(missing)}")
    try:
        cases = list(find(options.places))
    except ValueError as error:
        parser.error(str(error))
    if not cases:
        parser.error("no recorded case there")
    return _report([replay(case) for case in cases], options)


def _report(reports: Sequence[Report], options: argparse.Namespace) -> int:
    found = totals(reports)
    out = sys.stderr if options.json else sys.stdout
    for line in [*show(reports, verbose=options.verbose), *table(found), *listing(reports)]:
        print(line, file=out)
    judged = [report for report in reports if report.aspects]
    matched = sum(not report.lines for report in judged)
    meant = sum(bool(report.lines) and not report.undeclared for report in judged)
    silent = f", {len(reports) - len(judged)} more prove nothing" if len(judged) < len(reports) else ""
    print(f"{matched} of {len(judged)} cases match, {meant} deviate as declared{silent}", file=out)
    if options.json:
        print(plain_json.dumps(found, indent=True))
    return int(any(report.undeclared for report in reports))


if __name__ == "__main__":
    sys.exit(main())
