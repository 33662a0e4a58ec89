"""The filters of the list of connections."""

from __future__ import annotations

from shipcli.features.core.filters import CARRIER, METADATA, Rules, equal, flag, only

CONNECTIONS: Rules = {
    "carrier_name": equal("carrier_name", "Carrier slug.", CARRIER),
    "active": flag("active", "In use or not.", "--active/--inactive"),
    "system_only": only("is_system", "Shared accounts only."),
    **METADATA,
}
