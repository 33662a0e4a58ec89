"""Find objects by id, number, reference, unique prefix, `@last`, `@-2`, or `-` for stdin."""

from __future__ import annotations

import getpass
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.candidates import (
    MAX_CANDIDATES,
    drop_cancelled,
    find_numbered_orders,
    find_shipments_by_reference,
    list_candidates,
    suggest_address,
)
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.features.shipments import ship
from shipcli.gateway import where as gateway_where
from shipcli.models.basics.barcodes import read_barcode
from shipcli.models.basics.enums import COMBINED
from shipcli.models.basics.errors import NotFound, ShipcliError
from shipcli.models.basics.json import loads
from shipcli.store import query

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.gateway.gateway import Candidate

Id = Annotated[str, typer.Argument(metavar="ID", help="Id, number, reference, unique prefix, @last or @-2.")]
Ids = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="Ids, numbers, references, prefixes, @last, @-2, or - for stdin."),
]
MaybeIds = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID...]", help="Ids, numbers, references, prefixes, @last, @-2, or - for stdin."),
]
CarrierName = Annotated[
    str, typer.Argument(metavar="CARRIER", help="Carrier, such as ups: shipcli carriers list.")
]
AddressOption = Annotated[
    str | None, typer.Option("--address", metavar="ADDRESS", help="Stored address; the shipper's by default.")
]

_BACK = re.compile(r"@(?:last|-(\d{1,4}))")
_WHOLE_ID = re.compile(r"[a-z]+_[0-9a-f]{32}")
_MAX_REMEMBERED = 50
_SHOWN_FIELDS = ("carrier_id", "tracking_number", "order_id", "source", "reference", "person_name",
                 "company_name", "address_line1", "city", "status")  # fmt: skip


class NotBoughtYet(NotFound):
    """An order without a shipment, named where a shipment is meant."""

    def __init__(self, order: Candidate, word: str) -> None:
        number, host = order["order_id"], (order.get("meta") or {}).get(COMBINED)
        reason = f"was combined with {host}" if host else "has no shipment yet"
        super().__init__("shipment", word, message=f"The order {number} {reason}")
        self.hint = f"name {host}" if host else f"shipcli ship {shlex.quote(word.removeprefix('#'))}"


def select(kind: str, words: Sequence[str]) -> list[str]:
    """The ids of the named objects, each once, in the order given; `-` reads more names, one per line.

    Errors: NotFound; Usage listing the candidates if a name matches several.
    """
    settle(kind)
    ids = list(dict.fromkeys(_find_id(kind, word) for word in expand_stdin(words)))
    remember(kind, *ids)
    return ids


def expand_stdin(words: Sequence[str]) -> list[str]:
    """The words of a command, with `-` replaced by those on standard input, one per line.

    Errors: Usage for an empty word.
    """
    named = [name for word in words for name in (_read_stdin() if word == "-" else [word])]
    if "" in named:
        raise Usage("the name is empty")
    return named


def _read_stdin() -> list[str]:
    return [line.strip() for line in sys.stdin if line.strip()]


def select_one(kind: str, word: str) -> str:
    """The id of one object.

    Errors: NotFound; Usage listing the candidates if the name matches several, or for an empty name.
    """
    if word == "-":
        names = expand_stdin([word])
        if len(names) != 1:
            raise Usage(f"standard input names {len(names)} objects; this command takes one")
        word = names[0]
    settle(kind)
    id = _find_id(kind, word)
    remember(kind, id)
    return id


def select_orders_or(kind: str, words: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Kind and id of what the words name, each once: an order by its full number, else an object of the kind.

    Errors: NotFound; Usage listing the candidates if a name matches several.
    """
    settle(kind)
    named: dict[tuple[str, str], str] = {}
    for word in expand_stdin(words):
        named.setdefault(_select_order_or(kind, word), word)
    for object_kind, id in named:
        remember(object_kind, id)
    return {word: meant for meant, word in named.items()}


def _select_order_or(kind: str, word: str) -> tuple[str, str]:
    numbered = [] if word.startswith("@") else find_numbered_orders(word)
    if numbered or word.startswith("ord_"):
        return "order", _take_only("order", word, numbered) if numbered else _find_id("order", word)
    try:
        return kind, _find_id(kind, word)
    except NotFound as error:
        raise NotFound(kind, word, message=f"There is no order and no {kind} {word}") from error


def settle(kind: str) -> None:
    """Settle what dead processes left open with carriers, so that shipments are found in their true state."""
    run = get_run()
    if kind != "shipment" or run.api_url:
        return
    if run.app.store.select("intents", {"state": "open", "test_mode": run.app.test_mode}):
        settle_interrupted()


def settle_interrupted() -> None:
    """Settle what processes that died left open with carriers, and report the results."""
    for shipment in ask(ship.settle_interrupted):
        number = f", {shipment.tracking_number}" if shipment.tracking_number else ""
        name = shipment.reference or shipment.id
        note(f"an interrupted purchase was settled: {name} is {shipment.status}{number}")


def _find_id(kind: str, word: str) -> str:
    back = count_back(word)
    return _find_last(kind, back) if back else _find_named(kind, word)


def count_back(word: str) -> int | None:
    """1 for `@last`, 2 for `@-2`, and so on; None for any other word."""
    back = _BACK.fullmatch(word)
    return max(int(back[1] or 1), 1) if back else None


def _find_named(kind: str, word: str) -> str:
    word = read_barcode(word)
    candidates = list_candidates(kind, word) if word else []
    if kind == "shipment" and not candidates and not _WHOLE_ID.fullmatch(word):
        _refuse_unbought(word)
    return _take_only(kind, word, candidates)


def find_shipment_of_order(word: str) -> str | None:
    """The id of the shipment whose reference is an order's number but for the #; None if there is none.

    Errors: NotBoughtYet; Usage listing the candidates if there are several.
    """
    candidates = drop_cancelled(find_shipments_by_reference(word))
    if not candidates:
        _refuse_unbought(word)
    return _take_only("shipment", word, candidates) if candidates else None


def select_parcel(word: str) -> str:
    """The id of the shipment that a word means; the word itself if it means none, such as a tracker's number.

    Errors: NotBoughtYet; Usage listing the candidates; NotFound for `@last` and the like.
    """
    try:
        return select_one("shipment", word)
    except NotBoughtYet:
        raise
    except NotFound:
        if word == "-" or count_back(word):
            raise
        return word


def select_any(word: str) -> str:
    """The id of an object of any kind: what this terminal named last for `@last`, else the shipment that the
    word means, the order of that number, or the word itself.

    Errors: Usage listing the candidates; NotFound for `@last` and the like.
    """
    back = count_back(word)
    if back:
        named = _list_named()
        return _go_back(named, back) if named else _find_newest("shipment", back)
    try:
        return select_parcel(word)
    except NotBoughtYet:
        return _take_only("order", word, find_numbered_orders(word))


def _refuse_unbought(word: str) -> None:
    """Errors: NotBoughtYet for the number of an order."""
    for order in find_numbered_orders(word) if word else ():
        raise NotBoughtYet(order, word)


def _take_only(kind: str, word: str, candidates: Sequence[Candidate]) -> str:
    """The id of the only object that a word means.

    Errors: NotFound; Usage listing the candidates if there are several.
    """
    if len(candidates) == 1:
        return str(candidates[0]["id"])
    if candidates:
        lines = [f"  {candidate['id']} {_describe(candidate)}".rstrip() for candidate in candidates]
        many = "several" if len(candidates) < MAX_CANDIDATES else f"{MAX_CANDIDATES} or more"
        raise Usage(f"{word!r} fits {many}; name one of them:", more=lines)
    if _WHOLE_ID.fullmatch(word):
        return word  # it may be an object inside another; the use-case knows
    raise (suggest_address(word) if kind == "address" else None) or NotFound(kind, word)


def _describe(document: Mapping[str, Any]) -> str:
    return " ".join(str(document[name]) for name in _SHOWN_FIELDS if document.get(name))


# -- what this terminal named ----------------------------------------------------------------------


def remember(kind: str, *ids: str) -> None:
    """Remember what was made or named, for `@last`; the command goes on if the store can't be used."""
    try:
        _record_names(get_run().local_app, kind, ids)
    except ShipcliError as error:
        note(f"@last is not kept: {error.message}")


def _record_names(app: App, kind: str, ids: Sequence[str]) -> None:
    here = name_terminal()
    last = app.store.select("named", {"terminal": here}, "-seq", 1)
    new_ids = [id for id in ids if not (last and last[0]["id"] == id and last[0]["kind"] == kind)]
    if not new_ids:
        return
    seq = last[0]["seq"] if last else 0
    with app.store.transaction() as tx:
        for position, id in enumerate(new_ids, seq + 1):
            tx.upsert("named", {"terminal": here, "seq": position, "kind": kind, "id": id, "at": app.now()})
        tx.remove(
            "named",
            [query.equal("terminal", here), query.at_most("seq", seq + len(new_ids) - _MAX_REMEMBERED)],
        )


def _find_last(kind: str, back: int) -> str:
    app, named = get_run().local_app, _list_named(kind=kind)
    if get_run().api_url:
        alive = named  # the server says whether it is still there
    else:
        alive = [id for id in named if app.store.raw(kind, id, app.test_mode) is not None]
    return _go_back(alive, back) if alive else _find_newest(kind, back)


def _list_named(**where: str) -> list[str]:
    """The ids that this terminal named, newest first."""
    rows = get_run().local_app.store.select("named", {"terminal": name_terminal(), **where}, "-seq")
    return list(dict.fromkeys(str(row["id"]) for row in rows))


def _go_back(named: Sequence[str], back: int) -> str:
    """Errors: Usage if there are fewer."""
    if back > len(named):
        raise Usage(f"this terminal named only {len(named)} of these; @-{back} is not known")
    return named[back - 1]


def _find_newest(kind: str, back: int) -> str:
    row = next(iter(get_run().gateway.page(kind, gateway_where.ListFilter(), 1, back - 1)[1]), None)
    if row is None:
        raise NotFound(kind, "@last" if back == 1 else f"@-{back}")
    id = str((loads(row) if isinstance(row, str) else row)["id"])
    note(f"this terminal has named nothing of this kind yet; taking the newest, {id}")
    return id


def name_terminal() -> str:
    """The name of this terminal, with the server it works on if there is one."""
    return f"{_name_device()} {get_run().api_url}".rstrip()


def _name_device() -> str:
    """The terminal's device and session (devices are reused), else the user and `--bench`."""
    for stream in (sys.stdin, sys.stderr, sys.stdout):
        try:
            return f"{os.ttyname(stream.fileno())}@{os.getsid(0)}"
        except (OSError, ValueError, AttributeError):
            continue
    return f"{_name_user()}:{get_run().options.bench or ''}"


def _name_user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return str(os.getuid()) if hasattr(os, "getuid") else ""
