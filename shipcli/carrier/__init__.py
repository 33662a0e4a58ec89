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
    ChosenOption,
    DoneBefore,
    Option,
    OptionTable,
    Preset,
    RowTable,
    Service,
    ServiceTable,
    StatusMap,
)
from shipcli.carrier.catalogue_file import Catalogue, load_catalogue
from shipcli.carrier.number_forms import FEDEX, ONE_Z, POSTAL, NumberForm, has_check_digit
from shipcli.carrier.parcel_purchases import ask_strictly, buy_each, combine_labels
from shipcli.carrier.parcel_sums import sum_goods, sum_parcels, sum_quotes
from shipcli.carrier.request_options import RequestOptions
from shipcli.carrier.wire import Bought, Call, Flow, MultipartPart, Pause, Reply, Request, Token, ask, ask_all

__all__ = [
    "DESTINATION_NOT_SERVICED",
    "FEDEX",
    "FIELD_ERROR",
    "NOT_SUPPORTED",
    "ORIGIN_NOT_SERVICED",
    "Bought",
    "Call",
    "Carrier",
    "CarrierError",
    "RowTable",
    "ChosenOption",
    "CarrierConfig",
    "Context",
    "Credentials",
    "DoneBefore",
    "Flow",
    "NumberForm",
    "Option",
    "OptionTable",
    "MultipartPart",
    "Pause",
    "ONE_Z",
    "POSTAL",
    "Preset",
    "Reply",
    "Request",
    "RequestOptions",
    "Catalogue",
    "CatalogueRow",
    "Service",
    "ServiceTable",
    "StatusMap",
    "Token",
    "ask",
    "ask_all",
    "ask_strictly",
    "basic_auth",
    "has_check_digit",
    "buy_each",
    "combine_labels",
    "load_catalogue",
    "sum_goods",
    "sum_parcels",
    "sum_quotes",
]
