"""What a driver is given and what it gives: a flow of one connection, ready to run, and its outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from shipcli.carrier.base import Carrier
from shipcli.carrier.preparation.flows import start_checked_flow
from shipcli.carrier.wire.calls import Bought, Call, Flow
from shipcli.models import Message, Model, ShipcliError

T = TypeVar("T")
AnyCarrier = Carrier[Any, Any]

# Verbs that change something at a carrier: a reply that is lost leaves it in doubt.
BINDING = frozenset({"ship", "void", "schedule_pickup", "update_pickup", "cancel_pickup", "manifest"})


@dataclass(frozen=True)
class CarrierJob(Generic[T]):
    """A flow of one connection, ready to run.

    Traces are filed under `object_id`; `on_bought` is called with every `Bought` before the flow goes on;
    `request` is what is asked for. A flow that takes longer than `limit_s` fails: only what changes nothing
    at a carrier may have a limit.
    """

    carrier: AnyCarrier
    verb: str
    flow: Flow[T]
    object_id: str | None = None
    on_bought: Callable[[Bought], None] | None = None
    request: Any = None
    limit_s: float | None = None

    @classmethod
    def of(
        cls,
        carrier: AnyCarrier,
        verb: str,
        request: Model,
        object_id: str | None = None,
        on_bought: Callable[[Bought], None] | None = None,
    ) -> CarrierJob[Any]:
        """Return the job of a verb with its request prepared (see `shipcli.carrier.preparation`)."""
        return cls(carrier, verb, start_checked_flow(carrier, verb, request), object_id, on_bought, request)

    def is_binding(self, call: Call) -> bool:
        """Whether a call changes something at the carrier and must not be sent twice."""
        return self.verb in BINDING and not call.may_repeat


@dataclass(frozen=True)
class FlowOutcome(Generic[T]):
    """The outcome of a flow.

    `unknown` is true when a call that may not be repeated could have taken effect although the flow failed.
    `bought` is what the flow said it had bought, unless it undid that. `ours` is an error on our own side, in
    the store for example: the carrier has nothing to do with it, and another attempt may succeed.
    """

    result: T | None
    messages: list[Message] = field(default_factory=list)
    failed: bool = False
    unknown: bool = False
    bought: tuple[Bought, ...] = ()
    ours: ShipcliError | None = None

    @property
    def paid(self) -> Bought | None:
        """The shipment that was bought although the flow failed afterwards, if any."""
        whole = [piece for piece in self.bought if not piece.part]
        return whole[-1] if whole and self.result is None else None
