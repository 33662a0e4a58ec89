"""The return slip, where no carrier that is asked sells return labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.features.connections.catalog import find_facts
from shipcli.features.paper import builtin
from shipcli.features.paper.printing import rendering, spooled_documents
from shipcli.models import Invalid
from shipcli.models.basics.text import join_words
from shipcli.workflows.lookup import list_accounts

if TYPE_CHECKING:
    from shipcli.models import Connection, Shipment

KIND, TITLE, RETURN = "return", "return slip", "return"
NO_LABELS = "no_return_labels"


def find_carriers_without_labels(named: Collection[str]) -> list[str]:
    """The carriers that are asked, named or all, if none of them sells return labels; nothing if one does."""
    asked = [
        account
        for account in list_accounts(get_run().gateway, "shipping")
        if not named or not {account.carrier_name, account.carrier_id, account.id}.isdisjoint(named)
    ]
    return [] if any(map(_sells_returns, asked)) else sorted({account.carrier_name for account in asked})


def _sells_returns(account: Connection) -> bool:
    """Whether it does; of a carrier that is not installed here only the server knows."""
    facts = find_facts(account.carrier_name)
    return facts is None or RETURN in facts.operations


def print_slips(shipments: Sequence[Shipment], carriers: Sequence[str], printer: str | None) -> None:
    """Print the slip with which a customer sends goods back by any carrier; no label is bought.

    `printer` is the one that the command names, "" for the usual one, None to print nothing.
    Errors: Invalid if nothing is to be printed; PrinterError, NotFound without a printer for slips.
    """
    if printer is None:
        raise Invalid("", _describe(carriers), NO_LABELS)
    app = get_run().local_app
    chosen = spooled_documents.choose_document_printer(app, KIND, printer or None)
    if would(f"print the {TITLE} on {chosen.name}"):
        return
    paper = rendering.find_printer_paper(chosen)
    content = builtin.make_documents(app, KIND, list(shipments), None, paper)
    done = spooled_documents.print_document(app, TITLE, content, chosen)
    note(f"{_describe(carriers)}; bought nothing and printed the {done.title} on {done.printer}")


def _describe(carriers: Sequence[str]) -> str:
    return f"{join_words(carriers)} {'sell' if len(carriers) > 1 else 'sells'} no return labels"
