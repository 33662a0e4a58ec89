"""What a carrier would refuse of a label, said without asking it: for files that are checked.

It is what the carrier's adapter refuses, and what its published schema forbids of the first call.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from shipcli.carrier import registry
from shipcli.carrier.base import Carrier, CarrierError, Context
from shipcli.carrier.preparation.flows import start_checked_flow
from shipcli.carrier.sending.field_probes import FieldProbe, ProbeBudget
from shipcli.carrier.simulation.published_schema import read_published_schema
from shipcli.carrier.wire.calls import UNREADABLE, Call, encode
from shipcli.carrier.wire.rows import collect_unread
from shipcli.models import Invalid, Problem, ShipcliError, ShipmentRequest

VERB, ANYWHERE = "ship", "https://carrier.invalid"


def find_seller(service: str) -> registry.AnyCarrier | None:
    """Return the carrier whose service has a slug."""
    slugs = (slug for slug in registry.list_slugs() if service.startswith(f"{slug}_"))
    kinds = map(registry.get, sorted(slugs, key=len, reverse=True))
    return next((kind for kind in kinds if service in kind.services), None)


def foresee_refusal(kind: registry.AnyCarrier, request: ShipmentRequest, now: datetime) -> list[Problem]:
    """Return the fields of a request for a label that its carrier would not take, as far as that is known."""
    context = Context(now=now, test_mode=True, sample=True)
    carrier = kind.open({**kind.sample_account}, {}, context)
    try:
        with collect_unread():
            flow = start_checked_flow(carrier, VERB, request)
            step = flow.send(None)
            flow.close()
    except Invalid as error:
        return list(error.problems)
    except (StopIteration, CarrierError, ShipcliError, *UNREADABLE):
        return []
    return list(_list_misfits(carrier, request, step)) if isinstance(step, Call) else []


def _list_misfits(carrier: Carrier[Any, Any], request: ShipmentRequest, call: Call) -> Iterator[Problem]:
    """Yield what the published schema forbids of a call, as fields of the request."""
    schema = read_published_schema(inspect.getfile(type(carrier)))
    probe = FieldProbe(carrier, VERB, request, (), call, call, ProbeBudget())
    for problem in schema.problems(encode(call, ANYWHERE, {})) if schema else ():
        value = None if problem.value is None else str(problem.value)
        for field in probe.find_fields(problem.path, value) if problem.reason else ():
            yield Problem(field, problem.reason.format(carrier=carrier.name))
