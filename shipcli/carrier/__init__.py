"""The kit every carrier is written with, and the driver that sends its calls."""

from shipcli.carrier.base import (
    DESTINATION_NOT_SERVICED,
    FIELD_ERROR,
    NOT_SUPPORTED,
    ORIGIN_NOT_SERVICED,
    Carrier,
    CarrierError,
    Config,
    Context,
    Credentials,
    basic,
)
from shipcli.carrier.catalogue import (
    Catalogue,
    Chosen,
    Option,
    Options,
    Preset,
    Row,
    Service,
    Services,
    StatusMap,
)
from shipcli.carrier.prices import whole
from shipcli.carrier.wire import Call, Flow, Part, Reply, Request, Token, ask, ask_all

__all__ = [
    "DESTINATION_NOT_SERVICED",
    "FIELD_ERROR",
    "NOT_SUPPORTED",
    "ORIGIN_NOT_SERVICED",
    "Call",
    "Carrier",
    "CarrierError",
    "Catalogue",
    "Chosen",
    "Config",
    "Context",
    "Credentials",
    "Flow",
    "Option",
    "Options",
    "Part",
    "Preset",
    "Reply",
    "Request",
    "Row",
    "Service",
    "Services",
    "StatusMap",
    "Token",
    "ask",
    "ask_all",
    "basic",
    "whole",
]
