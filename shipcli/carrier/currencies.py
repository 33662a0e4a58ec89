"""Money in the currency of a carrier's forms: as it is where the form can say so, converted at a rate that
the user states, else refused by name. A number never goes out under another currency than its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.contents import list_currencies_of
from shipcli.carrier.request_options import UNIFIED
from shipcli.carrier.wire.rounding import read_amount
from shipcli.models import Commodity, Customs, Invalid, RateRequest, ShipmentRequest
from shipcli.models.basics.reference import find_currency
from shipcli.models.parts.exchange import OPTION, ExchangeRate, convert_money, read_exchange_rates

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier
    from shipcli.carrier.request_options import RequestOptions

RequestT = TypeVar("RequestT", RateRequest, ShipmentRequest)
GOODS, DUTY, DECLARED = "customs.commodities", "customs.duty.declared_value", "declared_value"


def settle_money(request: RequestT, carrier: Carrier[Any, Any]) -> RequestT:
    """Return the request with all its money as the carrier's forms take it.

    Errors: Invalid naming the goods or the option in a currency that the forms can't say, with no rate.
    """
    converter = Converter(carrier, request)
    options = {name: value for name, value in request.options.items() if name != OPTION}
    changes: dict[str, Any] = {"options": converter.convert_options(options, options)}
    changes["parcels"] = [
        parcel.model_copy(update={"options": converter.convert_options(parcel.options, options)})
        if parcel.options
        else parcel
        for parcel in request.parcels
    ]
    if not declares(request, carrier) or carrier.values_each:
        return request.model_copy(update=changes)
    target = converter.choose_target(request)
    changes["parcels"] = [
        parcel.model_copy(update={"items": converter.convert_goods(parcel.items, target)})
        for parcel in changes["parcels"]
    ]
    changes["customs"] = converter.convert_customs(request.customs, target)
    converter.check_declared(request.model_copy(update={"options": changes["options"]}), target)
    return request.model_copy(update=changes)


def list_exchange_rates(
    request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]
) -> list[ExchangeRate]:
    """Return the rates that a user states with the request, then those of the settings."""
    return [
        *read_exchange_rates(request.options.get(OPTION)),
        *read_exchange_rates(carrier.context.exchange_rates, "exchange_rates"),
    ]


def declares(request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]) -> bool:
    """Whether the carrier is told what the goods are worth."""
    abroad = request.shipper.country_code != request.recipient.country_code
    return abroad or request.customs is not None or carrier.values_at_home


def name_declared_currency(
    request: RateRequest | ShipmentRequest, options: RequestOptions, usual: str | None = None
) -> str | None:
    """Return the currency of what a shipment declares: that of its goods, which is one (see `settle_money`),
    else that of its duties, else that of the request or the account.
    """
    goods = list_every_goods(request)
    duty = request.customs.duty.currency if request.customs and request.customs.duty else None
    return next(iter(list_currencies_of(goods)), None) or duty or options.currency(usual)


def list_every_goods(request: RateRequest | ShipmentRequest) -> list[Commodity]:
    declared = request.customs.commodities if request.customs else ()
    return [*declared, *(item for parcel in request.parcels for item in parcel.items)]


class Converter:
    """Converts money for the forms of one carrier, at the rates that a user states."""

    def __init__(self, carrier: Carrier[Any, Any], request: RateRequest | ShipmentRequest) -> None:
        self._carrier, self._rates = carrier, list_exchange_rates(request, carrier)
        self._target = carrier.name_option_currency(request)

    def find_rate(self, source: str, target: str) -> ExchangeRate | None:
        if source == target:
            return ExchangeRate(source, Decimal(1), target)
        return next((rate for rate in self._rates if rate[::2] == (source, target)), None)

    def choose_target(self, request: RateRequest | ShipmentRequest) -> str | None:
        """Return the currency to declare in; None when no value names one.

        Errors: Invalid when the goods can't all be told in one currency of the forms.
        """
        named = list_currencies_of(list_every_goods(request))
        duty = request.customs.duty if request.customs else None
        if duty and duty.currency and (duty.declared_value or not named):
            named = list(dict.fromkeys([*named, duty.currency]))
        if not named:
            return None
        for target in self._list_targets(request, named):
            if all(self.find_rate(source, target) for source in named):
                return target
        raise Invalid(GOODS, self._explain(named))

    def _list_targets(self, request: RateRequest | ShipmentRequest, named: Sequence[str]) -> list[str]:
        """Return the currencies to try: a single one of the goods' first, then the one asked for, then
        those of the rates.
        """
        takes = self._carrier.goods_currencies
        requested = [str(request.options["currency"])] if request.options.get("currency") else []
        every = [
            *(named if len(named) == 1 else ()),
            *requested,
            *named,
            *(rate.target for rate in self._rates),
        ]
        return [currency for currency in dict.fromkeys(every) if not takes or currency in takes]

    def _explain(self, named: Sequence[str]) -> str:
        takes = self._carrier.goods_currencies
        target = takes[0] if takes else named[-1]
        forms = f"its forms are in {' or '.join(takes)}" if takes else "its forms are in one currency"
        wrong = next((currency for currency in named if currency != target), named[0])
        return (
            f"are in {' and '.join(named)}, and {self._carrier.name} can't say so: {forms}; "
            f"state a rate: {wrong}=...{target}"
        )

    def convert_goods(self, items: Sequence[Commodity], target: str | None) -> list[Commodity]:
        return [self._convert_item(item, target) for item in items]

    def _convert_item(self, item: Commodity, target: str | None) -> Commodity:
        source, value = item.value_currency, item.value_amount
        if target is None or value is None or not source or source == target:
            return item
        return item.model_copy(
            update={"value_amount": self.convert(value, source, target, GOODS), "value_currency": target}
        )

    def convert_customs(self, customs: Customs | None, target: str | None) -> Customs | None:
        """Return the declaration, the value for its duties included, in the target currency."""
        if customs is None or target is None:
            return customs
        duty = customs.duty
        if duty and duty.currency and duty.declared_value is not None:
            value = self.convert(duty.declared_value, duty.currency, target, DUTY)
            duty = duty.model_copy(update={"declared_value": value})
        if duty:
            duty = duty.model_copy(update={"currency": target})
        return customs.model_copy(
            update={"commodities": self.convert_goods(customs.commodities, target), "duty": duty}
        )

    def convert(self, amount: Decimal, source: str, target: str, field: str) -> Decimal:
        """Errors: Invalid on the field when no rate is stated."""
        rate = self.find_rate(source, target)
        if rate is None:
            name = self._carrier.name
            raise Invalid(
                field, f"is in {source}, and {name} is told {target}: state a rate, {source}=...{target}"
            )
        return amount if source == target else convert_money(amount, rate)

    def convert_options(self, options: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return options with their amounts in the one currency that the carrier insures and collects in."""
        source = str(options.get("currency") or whole.get("currency") or "").upper()
        target = self._target
        if not target or not source or source == target:
            return options
        converted: dict[str, Any] = {
            name: self.convert(amount, source, target, f"options.{name}")
            for name, value in options.items()
            if self._is_money(name) and (amount := read_amount(value))
        }
        if converted and self._carrier.options.get("currency"):  # the form names it beside the amounts
            converted["currency"] = target
        return {**options, **converted}

    def _is_money(self, name: str) -> bool:
        """Whether an option is an amount, as decimals are at all carriers that state a currency."""
        row = self._carrier.options.get(name) or UNIFIED.get(name)
        return bool(row and (row.type is Decimal or row.is_money))

    def check_declared(self, request: RateRequest | ShipmentRequest, target: str | None) -> None:
        """Errors: Invalid when goods and the option `declared_value`, which stands for them, are in two
        currencies.
        """
        if target is None or not read_amount(request.options.get(DECLARED)):
            return
        home = self._carrier.home or request.shipper.country_code
        source = str(request.options.get("currency") or "").upper() or find_currency(home or "") or target
        if source != target and self._target is None:
            text = f"is in {source} and the goods in {target}: say both in one currency"
            raise Invalid(f"options.{DECLARED}", text)
