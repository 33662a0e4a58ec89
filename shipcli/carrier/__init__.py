"""The kit every carrier is written with, and the driver that sends its calls."""

from shipcli.carrier.base import (
    DESTINATION_NOT_SERVICED,
    FIELD_ERROR,
    NOT_SUPPORTED,
    ORIGIN_NOT_SERVICED,
    Carrier,
    CarrierConfig,
    CarrierError,
    Context,
    Credentials,
    basic_auth,
)
from shipcli.carrier.catalogue import (
    CatalogueRow,
    Chosen,
    Option,
    OptionTable,
    Preset,
    RowTable,
    Service,
    ServiceTable,
    StatusMap,
)
from shipcli.carrier.parcel_sums import sum_parcels
from shipcli.carrier.wire import Call, Flow, MultipartPart, Reply, Request, Token, ask, ask_all

__all__ = [
    "DESTINATION_NOT_SERVICED",
    "FIELD_ERROR",
    "NOT_SUPPORTED",
    "ORIGIN_NOT_SERVICED",
    "Call",
    "Carrier",
    "CarrierError",
    "RowTable",
    "Chosen",
    "CarrierConfig",
    "Context",
    "Credentials",
    "Flow",
    "Option",
    "OptionTable",
    "MultipartPart",
    "Preset",
    "Reply",
    "Request",
    "CatalogueRow",
    "Service",
    "ServiceTable",
    "StatusMap",
    "Token",
    "ask",
    "ask_all",
    "basic_auth",
    "sum_parcels",
]
