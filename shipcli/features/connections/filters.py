"""The filters of the list of connections."""

from __future__ import annotations

from shipcli.features.core.filters import (
    CARRIER,
    METADATA,
    Rules,
    filter_by_flag,
    filter_by_value,
    filter_only_true,
)

CONNECTIONS: Rules = {
    "carrier_name": filter_by_value("carrier_name", "Carrier slug.", CARRIER),
    "active": filter_by_flag("active", "In use or not.", "--active/--inactive"),
    "system_only": filter_only_true("is_system", "Shared accounts only."),
    **METADATA,
}
