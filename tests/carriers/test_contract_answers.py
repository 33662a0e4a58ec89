"""What every carrier promises of strange answers: links to other hosts, files, purchases without a label."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from shipcli.carrier import Reply, Request
from shipcli.carrier.wire.calls import read_origin
from shipcli.models import Address, AddressValidationRequest
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, KEY, run_errand, verbs_of
from tests.carriers.promises import READERS_FAULT, needs
from tests.carriers.tap import Tap, is_own, refuse

pytestmark = pytest.mark.usefixtures("impatient")
FOREIGN = "https://files.elsewhere.example"
LONG_BASE64 = re.compile(rb"[A-Za-z0-9+/=\\]{400,}")
# What a reader would take for a refusal, or for a body that is broken.
MISLEADING = b'\n%{"errors": [{"code": "E1"}], "error": <messages><message><code>E1</code></message>'
FILE_HEADS = (b"%PDF", b"^XA", b"\x89PNG", b"GIF8")


# -- other hosts -----------------------------------------------------------------------------------


@needs(network=True)
def test_a_link_to_another_host_is_told_no_credentials(carrier_class: AnyCarrier) -> None:
    for verb in verbs_of(carrier_class):
        bench = Bench(carrier_class, lane(carrier_class))
        request, tap = ERRANDS[verb](bench), Tap(bench)
        own = bench.carrier().own_origins()
        tap.after = lambda request, reply, own=own: elsewhere(reply, own)  # type: ignore[misc]
        tap.instead = lambda request: Reply(404) if is_foreign(request) else None
        run_errand(bench, verb, request)
        told = [one for one in tap.sent if is_foreign(one) and tells(bench, one)]
        bench.close()
        assert [f"{verb}: {one.method} {one.url}" for one in told] == []


def elsewhere(reply: Reply, own: frozenset[str]) -> Reply:
    """The answer with every link to the carrier's own hosts leading to another."""
    content = reply.content
    for origin in own:
        content = content.replace(origin.encode(), FOREIGN.encode())
    return replace(reply, content=content)


def is_foreign(request: Request) -> bool:
    return read_origin(request.url) == FOREIGN


def tells(bench: Bench, request: Request) -> bool:
    """Whether a request holds something that nobody else may know."""
    carrier = bench.carrier()
    hidden = [*carrier.secrets(), *(one.value for one in bench.known_tokens())]
    text = " ".join([request.url, *request.headers.values(), request.content.decode("latin-1")])
    names = {name.lower() for name in request.headers}
    return "authorization" in names or any(one in text for one in hidden if len(one) >= 3)


# -- files -----------------------------------------------------------------------------------------


@needs("ship", network=True)
def test_a_label_that_comes_as_a_file_is_not_parsed(bench: Bench) -> None:
    for label_type in ("PDF", "ZPL"):
        for kind in ("application/octet-stream", "text/plain", "application/pdf", None):
            tap = Tap(bench)
            tap.after = lambda request, reply, kind=kind: misleading(reply, kind)  # type: ignore[misc]
            outcome = bench.buy(label_type=label_type)
            assert outcome.result, f"{label_type} as {kind}: {said(outcome)}"
            assert outcome.messages == []
            assert base64.b64decode(outcome.result.docs["label"])


def misleading(reply: Reply, kind: str | None) -> Reply:
    """A file with words in it that look like a refusal; any other answer as it is."""
    if not reply.content.startswith(FILE_HEADS):
        return reply
    return replace(reply, content=reply.content + MISLEADING, headers={"content-type": kind} if kind else {})


# -- purchases without a label ---------------------------------------------------------------------


@needs("ship", network=True)
def test_a_purchase_answered_200_with_a_refusal_is_the_carriers_own_message(bench: Bench) -> None:
    """For every call of the purchase in turn, but for those to a storage."""
    clean = Bench(bench.carrier_class, bench.lane)
    request, tap = ERRANDS["ship"](clean), Tap(clean)
    run_errand(clean, "ship", request)
    clean.close()
    for index in [at for at, one in enumerate(tap.sent) if is_own(bench, one)]:
        attempt = Bench(bench.carrier_class, bench.lane)
        request, tap = ERRANDS["ship"](attempt), Tap(attempt)
        tap.instead = refuse_at(attempt, tap, index)
        outcome = run_errand(attempt, "ship", request)
        own = [one.message for one in attempt.carrier().read_messages(refuse(attempt, tap.sent[index]))]
        attempt.close()
        assert own, "its simulator refuses in no form that it reads"
        assert READERS_FAULT not in said(outcome)
        assert outcome.result or [one for one in outcome.messages if one.message in own], said(outcome)


def refuse_at(bench: Bench, tap: Tap, index: int) -> Callable[[Request], Reply | None]:
    """The carrier's own refusal, with status 200, in place of one answer."""
    return lambda request: replace(refuse(bench, request), status=200) if len(tap.sent) == index + 1 else None


@needs("ship", network=True)
def test_a_purchase_answered_without_its_file_is_no_success_and_not_lost(bench: Bench) -> None:
    request, tap = ERRANDS["ship"](bench), Tap(bench)
    taken: list[bytes] = []
    tap.after = lambda request, reply: without_files(reply, taken)
    outcome = run_errand(bench, "ship", request)
    if not taken:
        assert outcome.result  # its answers hold no file: there is none to lose
        return
    assert outcome.result is None
    assert outcome.messages
    assert outcome.unknown
    assert READERS_FAULT not in said(outcome) or len(outcome.messages) == 1


def without_files(reply: Reply, taken: list[bytes]) -> Reply:
    """The answer with its files gone."""
    found = LONG_BASE64.findall(reply.content)
    whole = reply.content.startswith(FILE_HEADS)
    taken += found or ([reply.content] if whole else [])
    return replace(reply, content=b"" if whole else LONG_BASE64.sub(b"", reply.content))


@needs("ship", network=True)
def test_a_purchase_answered_with_nothing_is_one_message_and_of_unknown_outcome(bench: Bench) -> None:
    """A carrier that was asked for nothing that costs money is a plain failure."""
    bench.bought()
    request, tap = bench.request(), Tap(bench)
    tap.instead = lambda request: Reply(200)
    bench.calls.clear()
    outcome = bench.ask("ship", request, key=KEY)
    assert (outcome.result, len(outcome.messages)) == (None, 1), said(outcome)
    assert outcome.unknown == any(not call.may_repeat for call in bench.calls)


# -- addresses -------------------------------------------------------------------------------------


@needs("validate_address", when=lambda carrier: carrier.slug != "canpar")  # it knows Canada alone
def test_a_territory_is_answered_as_it_was_asked(carrier_class: AnyCarrier) -> None:
    for country, state in (("US", "PR"), ("PR", None)):
        bench = Bench(carrier_class)
        asked = Address(
            person_name="Ann Sender",
            address_line1="1 Calle Sol",
            city="San Juan",
            postal_code="00901",
            country_code=country,
            state_code=state,
        )
        outcome = bench.ask("validate_address", AddressValidationRequest(address=asked))
        bench.close()
        answered = outcome.result and outcome.result.complete_address
        assert not answered or (answered.country_code, answered.state_code) == (country, state)
