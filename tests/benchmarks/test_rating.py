"""What the rates of each carrier cost beside the parsing of its answers: writers, readers, driver.

The answers are those of its simulator, kept and given again, so that the simulator's own work is not counted.
The aim is 1.2 ms a carrier, a little more than half a piece of work where the limit was set.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.carrier import Reply, Request, registry
from shipcli.carrier.sending.ports import Transport
from shipcli.carrier.wire.calls import Body
from shipcli.models import RateRequest
from tests.benchmarks.yardstick import SLACK, cost, middle, yardstick
from tests.carriers.bench import AnyCarrier, Bench, lane, said

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]
MOST = 0.55  # pieces of work
MORE = {
    "canpar": 0.95,  # asks for each of its services: three calls
    "fedex_ws": 0.95,  # 10 KB of XML with nine services, each with its charges, and an API that is off
}
COUNT, ROUNDS = 10, 7
PRICED = [kind for kind in registry.list_working() if kind.can("rate")]


class KeptAnswers:
    """Asks each thing once and gives the same answer ever after, nothing in it read yet."""

    near = True

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.answers: dict[tuple[str, str, bytes], Reply] = {}

    async def send(self, request: Request) -> Reply:
        asked = (request.method, request.url, request.content)
        if asked not in self.answers:
            self.answers[asked] = await self._transport.send(request)
        reply = self.answers[asked]
        return Reply(reply.status, reply.content, reply.headers)

    def parse(self) -> None:
        for reply in self.answers.values():
            parse(Reply(reply.status, reply.content, reply.headers))


def parse(body: Body) -> None:
    assert body.xml is not None if body.content.lstrip().startswith(b"<") else body.json is not None


@pytest.mark.parametrize("kind", PRICED, ids=[kind.slug for kind in PRICED])
def test_the_rates_of_a_carrier_cost_half_a_piece_of_work(
    kind: AnyCarrier, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    account = registry.get_facts(kind.slug).sample_account
    bench, work = Bench(kind, lane(kind), credentials=account), yardstick(tmp_path)
    request = RateRequest.model_validate(bench.shipment())
    kept = KeptAnswers(bench.driver.transport_of(bench.carrier()))
    bench.driver.transport_of = lambda carrier: kept

    def quote() -> None:
        outcome = bench.ask("rate", request)
        assert outcome.result, said(outcome)
        bench.calls.clear(), bench.traces.clear()

    for _ in range(3):
        quote()
    asked = len(kept.answers)
    rounds = [(cost(quote, COUNT), cost(kept.parse, COUNT), cost(work)) for _ in range(ROUNDS)]
    assert len(kept.answers) == asked, "every round asks the same"
    bench.close()
    ratio = middle([(whole - parsing) / piece for whole, parsing, piece in rounds])
    cost_ms, parsing_ms = (middle([row[at] for row in rounds]) * 1000 for at in (0, 1))
    with capsys.disabled():
        print(
            f"\n{kind.slug:22}{cost_ms:6.2f} ms, parsing {parsing_ms:5.2f}; {ratio:5.2f} pieces of work",
            end="",
        )
    assert ratio <= MORE.get(kind.slug, MOST) * SLACK
