"""Who pays: for the transport, and for the duties."""

from typing import Annotated

from pydantic import Field

from shipcli.models.base import Model, Money, OneOf, is_none
from shipcli.models.basics.enums import PaidBy, PaidByOrBlank
from shipcli.models.basics.reference import list_currencies
from shipcli.models.parts.address import Address, AddressInput

CurrencyOrBlank = Annotated[str, OneOf(list_currencies, blank=True)]


class Payment(Model):
    """Who pays the carrier."""

    paid_by: str = "sender"
    currency: str | None = None
    account_number: str | None = None


class PaymentData(Payment):
    """The same as a caller sends it."""

    paid_by: PaidBy = "sender"
    currency: CurrencyOrBlank | None = None


class Duty(Model):
    """Who pays the duties, and for what value."""

    paid_by: str | None = None
    currency: str | None = None
    declared_value: Money | None = None
    account_number: str | None = None
    duty_billing_address: Address | None = Field(default=None, exclude_if=is_none)


class DutyData(Model):
    """The same as a caller sends it."""

    paid_by: PaidByOrBlank | None = None
    currency: CurrencyOrBlank | None = None
    declared_value: Money | None = None
    account_number: str | None = None
    duty_billing_address: AddressInput | None = Field(default=None, exclude_if=is_none)


class Charge(Model):
    """One line of a price."""

    name: str | None = None
    amount: Money | None = None
    currency: str | None = None
