"""Who pays the duties, and the terms of trade that say so: the one follows the other."""

from __future__ import annotations

import re

from shipcli.models import Customs, Duty, Invalid

PAID, UNPAID = "DDP", "DAP"
IN_SERVICES = re.compile(r"(?:^|_)p?(ddp|ddu|dap)[a-z]*(?:_|$)")  # terms in the name of a service
PAYERS = {"sender": "the sender", "recipient": "the recipient", "third_party": "a third party"}


def choose_payer(customs: Customs) -> str:
    """Return who pays the duties: who is named, else whom the terms name, else the recipient."""
    named = customs.duty.paid_by if customs.duty else None
    return named or ("sender" if customs.incoterm == PAID else "recipient")


def read_terms(customs: Customs | None, unpaid: str = UNPAID) -> str:
    """Return the terms of trade: those that are named, else those of who pays the duties. By all of them but
    one the recipient pays; `unpaid` is the carrier's usual word for that.
    """
    if customs is None:
        return unpaid
    return customs.incoterm or (unpaid if choose_payer(customs) == "recipient" else PAID)


def find_service_terms(service: str | None) -> str | None:
    """Return the terms of trade by which a service is sold, where its name has them."""
    match = IN_SERVICES.search(service or "")
    return match[1].upper() if match else None


def check_terms(customs: Customs | None) -> None:
    """Errors: Invalid when the terms of trade and the payer of the duties contradict each other."""
    payer = customs.duty.paid_by if customs and customs.duty else None
    if customs is None or not customs.incoterm or not payer:
        return
    if payer in (("recipient",) if customs.incoterm == PAID else ("sender",)):
        pays = "sender" if customs.incoterm == PAID else "recipient"
        text = f"by {customs.incoterm} {PAYERS[pays]} pays the duties, and customs.duty.paid_by is {payer}"
        raise Invalid("customs.incoterm", text)


def complete_duty(customs: Customs) -> Duty:
    """Return who pays the duties, with the payer that is not named."""
    duty = customs.duty or Duty()
    return duty if duty.paid_by else duty.model_copy(update={"paid_by": choose_payer(customs)})
