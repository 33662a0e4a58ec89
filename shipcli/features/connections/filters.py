"""The filters of the list of connections."""

from __future__ import annotations

from shipcli.features.core.filters import METADATA, Rules, equal, flag, only

CONNECTIONS: Rules = {
    "carrier_name": equal("carrier_name"),
    "active": flag("active"),
    "system_only": only("is_system"),
    **METADATA,
}
