"""Customs declarations: as stored, and as callers send them."""

from typing import Annotated, Any

from pydantic import Field, model_validator

from shipcli.models.base import NO_ITEMS, NO_KEYS, Day, ListOrNull, Model, Object, Stored
from shipcli.models.basics.enums import CustomsContentOrBlank, Incoterm
from shipcli.models.parts.address import Address, AddressInput, Text50
from shipcli.models.parts.parcel import Commodity, CommodityInput
from shipcli.models.parts.payment import Duty, DutyData
from shipcli.models.parts.stored import OrStoredReference, StoredReference

Commodities = Annotated[list[CommodityInput], Field(min_length=1)]


class Declaration(Model):
    """What a declaration says beside goods and duties: nothing is checked."""

    content_type: str | None = None
    content_description: str | None = None
    incoterm: str | None = None
    invoice: str | None = None
    invoice_date: str | None = None
    commercial_invoice: bool | None = None
    certify: bool | None = None
    signer: str | None = None
    options: Object = NO_KEYS


class Customs(Declaration, Stored):
    """A declaration as stored."""

    object_type: str = "customs_info"
    commodities: ListOrNull[Commodity] = NO_ITEMS
    duty: Duty | None = None
    duty_billing_address: Address | None = None


class CustomsPatch(Declaration):
    """Changes to a declaration; the duty payor's address may stand inside `duty` too."""

    commodities: Commodities = NO_ITEMS
    duty: DutyData | None = None
    duty_billing_address: AddressInput | None = None
    content_type: CustomsContentOrBlank | None = None
    incoterm: Incoterm | None = None
    invoice: Text50 | None = None
    invoice_date: Day | None = None
    signer: Text50 | None = None

    @model_validator(mode="before")
    @classmethod
    def _lift_billing_address(cls, body: Any) -> Any:
        duty = body.get("duty") if isinstance(body, dict) else None
        inner = duty.get("duty_billing_address") if isinstance(duty, dict) else None
        if inner and not body.get("duty_billing_address"):
            return body | {"duty_billing_address": inner}
        return body


class CustomsData(CustomsPatch):
    """A declaration as a caller sends it."""

    commodities: Commodities


CustomsInput = Annotated[CustomsData | StoredReference, OrStoredReference("customs", CustomsData)]
