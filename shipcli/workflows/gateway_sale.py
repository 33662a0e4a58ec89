"""Sales that are carried out over a gateway: on this machine or on a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.features.shipments.price_ceiling import take_back
from shipcli.features.shipments.sale import LabelSale

if TYPE_CHECKING:
    from shipcli.features.shipments.budget import Budget
    from shipcli.features.shipments.ship import RateCriteria
    from shipcli.gateway.gateway import Gateway
    from shipcli.models import Shipment


@dataclass(frozen=True)
class GatewaySale(LabelSale):
    """A sale by the criteria of a command."""

    gateway: Gateway
    criteria: RateCriteria

    @property
    def budget(self) -> Budget:
        """The budget of the command."""
        return self.criteria.budget

    @property
    def is_open(self) -> bool:
        """Whether another rate may be taken if the carrier refuses the first one."""
        return self.criteria.open

    def take_back(self, shipment_id: str, most: str) -> Shipment:
        """Void a label that passes the budget together with others."""
        return self.gateway.ask(take_back, shipment_id, most=most)
