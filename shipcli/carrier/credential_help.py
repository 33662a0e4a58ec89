"""Where people find what a connection asks for: a sentence of the carrier, else of that kind of field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

COUNTRY = re.compile(r"country")
# The first pattern that a field's name holds; {} is the carrier's name.
KINDS = (
    (COUNTRY, "Two letters: the country in which your account with {} is billed, such as US."),
    (re.compile(r"lang"), "Two letters: the language in which {} answers, such as en."),
    (
        re.compile(r"services|service_type"),
        "The services and prices of this account; leave them as they are.",
    ),
    (re.compile(r"region"), "The region of your account with {}."),
    (re.compile(r"count$"), "How many {} has set aside for you, when it told you so."),
    (
        re.compile(r"account|contract|customer|billing|mailer|registration|meter|code_client"),
        "A number of your account, on invoices of {} and in your contract.",
    ),
    (
        re.compile(r"secret|pass|credential|pin$"),
        "Shown or sent by {} together with the user name or key that it belongs to.",
    ),
    (
        re.compile(r"key|token|client_id|app_id|developer_id"),
        "On the web site of {} for developers, or in your account there under API or Integrations.",
    ),
    (
        re.compile(r"user|principal|identi|id$"),
        "The name with which your programs log in at {}; it came with the access to its API.",
    ),
)
OTHERWISE = "{} gave it to you with the access to its API."


def explain_credential(kind: type[Carrier[Any, Any]], field: str) -> str:
    """A sentence on where the value of a credential is found."""
    own = kind.credential_help.get(field)
    if own:
        return own
    general = next((text for pattern, text in KINDS if pattern.search(field)), OTHERWISE)
    return general.format(kind.name)
