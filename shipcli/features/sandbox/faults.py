"""Faults that a sandbox injects: rules, profiles, and which of them a request meets.

The rules are in the store, with their counts: a server, its worker and a command see the same ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.carrier.simulation.scenarios import ANSWER_LOST
from shipcli.events.sender import SendFault
from shipcli.features.core.app import read_fact
from shipcli.features.core.sandbox_request import get_sandbox_request
from shipcli.features.core.scenarios import check_scenario
from shipcli.models import Invalid, NotFound, suggest_nearest
from shipcli.models.sandbox_faults import FaultProfileData, FaultRule, FaultRuleData

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

CACHE, STALE_S = "has_faults", 0.5
FACT, ONCE_FACT = "sandbox_faults", "sandbox_faults_once"
ANY = "*"
MOST_RULES, MOST_COUNTS = 100, 1000
EFFECTS = (
    "status",
    "retry_after",
    "latency",
    "drip",
    "drop",
    "lost",
    "cut",
    "content_type",
    "stale",
    "webhook",
)
THROTTLED, UNAVAILABLE, SERVER_ERROR = 429, 503, 500


@dataclass(frozen=True, slots=True)
class Encounter:
    """A request that may meet a fault: one to the API, one to a carrier, or a webhook."""

    method: str = ""
    path: str = ""
    carrier: str | None = None
    scenario: str | None = None
    is_binding: bool = False  # a carrier is to sell, take back or book
    is_webhook: bool = False

    def fits(self, rule: FaultRule) -> bool:
        """Whether a rule is about this request, counts apart."""
        if bool(rule.webhook) != self.is_webhook or (rule.carrier is None) != (self.carrier is None):
            return False
        if rule.carrier not in (None, ANY, self.carrier) or rule.scenario not in (None, self.scenario):
            return False
        if rule.carrier and rule.lost and not self.is_binding:
            return False  # to lose the answer to a question is to drop it
        return matches(rule.match or ANY, self.method, self.path)


def matches(pattern: str, method: str, path: str) -> bool:
    """Whether a request fits a pattern such as `POST /v1/shipments/*/purchase`, `/v1/*` or `GET`."""
    words = pattern.split()
    has_verb = len(words) > 1 or (words and not words[0].startswith(("/", ANY)))
    verb = words.pop(0) if has_verb else ANY
    place = words[0] if words else ANY
    return verb in (ANY, method) and fnmatchcase(path, place)


# -- rules -------------------------------------------------------------------------------------


def list_rules(app: App) -> list[FaultRule]:
    """The rules, oldest first."""
    return _read(read_fact(app.store, FACT))


def has_rules(app: App) -> bool:
    """Whether there is any rule; of those that another process adds it knows half a second later."""
    value, read_at = app.shared.get(CACHE, (False, -STALE_S))
    if time.monotonic() - read_at > STALE_S:
        value = _remember(app, bool(read_fact(app.store, FACT)))
    return bool(value)


def _remember(app: App, value: bool) -> bool:
    app.shared[CACHE] = value, time.monotonic()
    return value


def _write(app: App, tx: Transaction, rules: Sequence[FaultRule]) -> None:
    tx.upsert("store_facts", {"name": FACT, "value": [rule.model_dump() for rule in rules]})
    _remember(app, bool(rules))


def _read(value: Any) -> list[FaultRule]:
    return [FaultRule.model_validate(row) for row in value or ()]


def add_rule(app: App, data: FaultRuleData) -> FaultRule:
    """Add a rule.

    Errors: Invalid for one without an effect, or for an unknown carrier or scenario.
    """
    check_rule(data)
    return _add(app, [data])[0]


def _add(app: App, rows: Iterable[FaultRuleData]) -> list[FaultRule]:
    with app.store.transaction() as tx:
        rules = _read(read_fact(tx, FACT))
        start = max((int(rule.id.rpartition("-")[2]) for rule in rules), default=0)
        added = [
            FaultRule(id=f"fault-{number}", **data.model_dump())
            for number, data in enumerate(rows, start + 1)
        ]
        if len(rules) + len(added) > MOST_RULES:
            raise Invalid("match", f"There are {MOST_RULES} rules at most: remove some")
        _write(app, tx, [*rules, *added])
    return added


def check_rule(data: FaultRuleData) -> None:
    """Errors: Invalid naming the field that makes no sense."""
    if not any(getattr(data, name) for name in EFFECTS):
        raise Invalid("status", f"A fault has an effect: one of {', '.join(EFFECTS)}")
    if data.carrier not in (None, ANY, *registry.list_slugs()):
        hint = suggest_nearest(str(data.carrier), registry.list_slugs())
        raise Invalid("carrier", f"{data.carrier!r} is not a carrier.{hint}")
    if data.scenario is not None:
        check_scenario("scenario", data.scenario)


def remove_rule(app: App, rule_id: str) -> FaultRule:
    """Remove a rule.

    Errors: NotFound.
    """
    with app.store.transaction() as tx:
        rules = _read(read_fact(tx, FACT))
        removed = next((rule for rule in rules if rule.id == rule_id), None)
        if removed is None:
            raise NotFound("fault", rule_id)
        _write(app, tx, [rule for rule in rules if rule.id != rule_id])
    return removed


def clear_rules(app: App) -> list[FaultRule]:
    """Remove all rules, and return them."""
    with app.store.transaction() as tx:
        rules = _read(read_fact(tx, FACT))
        _write(app, tx, [])
        tx.upsert("store_facts", {"name": ONCE_FACT, "value": {}})
    return rules


# -- profiles ----------------------------------------------------------------------------------

PROFILES: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "flaky-5": ({"probability": 0.05, "status": UNAVAILABLE},),
    "peak-season": (
        {"probability": 0.1, "status": THROTTLED, "retry_after": 30},
        {"probability": 0.3, "latency": 2},
        {"carrier": ANY, "probability": 0.1, "status": UNAVAILABLE},
    ),
    "carrier-down": ({"status": UNAVAILABLE},),
    "slow-3g": ({"latency": 0.4, "drip": 50_000},),
    "poison": (
        {"match": "GET", "every": 5, "cut": True},
        {"match": "GET", "every": 7, "content_type": "text/html"},
        {"webhook": "duplicate", "every": 2},
        {"webhook": "bad_signature", "every": 5},
    ),
}


def apply_profile(app: App, data: FaultProfileData) -> list[FaultRule]:
    """Add the rules of a profile.

    Errors: Invalid, listing the profiles; for `carrier-down` without a carrier.
    """
    if data.name not in PROFILES:
        raise Invalid("name", f"There is no profile {data.name!r}. Known: {', '.join(PROFILES)}.")
    if data.name == "carrier-down" and not data.carrier:
        raise Invalid("carrier", "is required: which carrier is down")
    usual = {"seed": data.seed, **({"carrier": data.carrier} if data.name == "carrier-down" else {})}
    rows = [FaultRuleData.model_validate({**usual, **row}) for row in PROFILES[data.name]]
    for row in rows:
        check_rule(row)
    return _add(app, rows)


# -- which one a request meets -----------------------------------------------------------------


def choose_fault(app: App, encounter: Encounter) -> FaultRule | None:
    """The first rule that a request meets; all rules that it matches count it."""
    if not has_rules(app):
        return None
    with app.store.transaction() as tx:
        rules = _read(read_fact(tx, FACT))
        met: FaultRule | None = None
        counted = []
        for rule in rules:
            if encounter.fits(rule):
                hit = met is None and is_met(rule, rule.seen + 1)
                rule = rule.model_copy(update={"seen": rule.seen + 1, "injected": rule.injected + hit})
                met = rule if hit else met
            counted.append(rule)
        if counted != rules:
            _write(app, tx, counted)
    return met


def is_met(rule: FaultRule, count: int) -> bool:
    """Whether the request with this number, of those that a rule matches, meets it."""
    if rule.times is not None and rule.injected >= rule.times:
        return False
    if rule.every is not None and count % rule.every:
        return False
    if rule.probability is None:
        return True
    return random.Random(f"{rule.seed}/{rule.id}/{count}").random() < rule.probability


def choose_once(app: App, data: FaultRuleData, key: str) -> FaultRule | None:
    """The fault of a header, for the first `times` requests that send it; then it is forgotten."""
    rule = FaultRule(id="header", **data.model_dump())
    with app.store.transaction() as tx:
        counts = dict(read_fact(tx, ONCE_FACT) or {})
        count = counts.pop(key, 0)
        if count < (rule.times or 1):
            counts[key] = count + 1
        kept = dict([*counts.items()][-MOST_COUNTS:])
        tx.upsert("store_facts", {"name": ONCE_FACT, "value": kept})
    return rule if count < (rule.times or 1) else None


# -- effects on carriers and webhooks ----------------------------------------------------------


def find_carrier_trouble(app: App, carrier: str, scenario: str | None, is_binding: bool) -> str | None:
    """The scenario of a carrier that is to be in trouble; None if no rule says so."""
    request = get_sandbox_request()
    rule = choose_fault(app, Encounter(request.method, request.path, carrier, scenario, is_binding))
    return translate_fault(rule) if rule else None


def translate_fault(rule: FaultRuleData) -> str:
    """The scenario in which a carrier does what a rule says."""
    if rule.lost:
        return ANSWER_LOST
    if rule.drop:
        return "closed"
    if rule.cut or rule.content_type:
        return "garbled"
    if rule.status == THROTTLED or (rule.retry_after and rule.status is None):
        return "rate_limited"
    if rule.status is not None:
        return _translate_status(rule.status)
    return "slow"


def _translate_status(status: int) -> str:
    if status < SERVER_ERROR:
        return "declined"
    return "unavailable" if status == UNAVAILABLE else "error"


def choose_webhook_fault(app: App) -> SendFault | None:
    """What happens to the webhook that is sent next."""
    rule = choose_fault(app, Encounter(is_webhook=True))
    return SendFault(rule.id, str(rule.webhook), rule.latency) if rule else None
