"""The options of a request as a writer reads them: typed, under any of their names, with their defaults."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier.catalogue import ChosenOption, Option, OptionTable
from shipcli.carrier.fields import read_model
from shipcli.carrier.office_hours import MORNING
from shipcli.carrier.wire.json_paths import Json, set_path
from shipcli.carrier.wire.rounding import share_amount
from shipcli.models import Address, Customs, Invalid, Parcel
from shipcli.models.basics.reference import find_currency

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier
    from shipcli.carrier.catalogue_file import Catalogue

# Words of every carrier; a carrier's own row of that name or alias goes before the row here.
UNIFIED = OptionTable(
    [
        Option(slug="cash_on_delivery", code="", type=Decimal),
        Option(slug="currency", code="", type=str),
        Option(slug="dangerous_good", code=""),
        Option(slug="declared_value", code="", type=Decimal),
        Option(slug="doc_files", code="", type=list),
        Option(slug="doc_references", code="", type=list),
        Option(slug="email_notification", code=""),
        Option(slug="email_notification_to", code="", type=str),
        Option(slug="hold_at_location", code=""),
        Option(slug="hold_at_location_address", code="", type=dict, object_name="Address"),
        Option(slug="insurance", code="", type=Decimal),
        Option(slug="invoice_date", code="", type=str),
        Option(slug="invoice_number", code="", type=str),
        Option(slug="is_return", code=""),
        Option(slug="paperless_trade", code=""),
        Option(slug="saturday_delivery", code=""),
        Option(slug="shipment_date", code="", type=str),
        Option(slug="shipment_identifiers", code="", type=list),
        Option(slug="shipment_note", code="", type=str),
        Option(slug="shipping_date", code="", type=str),
        Option(slug="signature_confirmation", code=""),
    ]
)

DAY_LENGTH = len("2025-03-04")


class RequestOptions:
    """The options a request chose, asked for by their slug or by a unified word.

    A name that neither the carrier (its table, `also_reads`) nor `UNIFIED` has is a KeyError.
    Errors: Invalid naming the option whose value is not of its type.
    """

    def __init__(
        self,
        table: OptionTable,
        given: Mapping[str, Any],
        *,
        email: str | None = None,
        country: str | None = None,
        more: Collection[str] = (),
    ) -> None:
        self._table, self._given, self._more = table, given, more
        self._email, self._country = email, country

    @classmethod
    def of(cls, carrier: Carrier[Any, Any], request: Any, parcel: Parcel | None = None) -> RequestOptions:
        """Of a whole request with those of its parcels, or as they are for one parcel."""
        table = carrier.options
        parcels = getattr(request, "parcels", ())
        more = [parcel.options] if parcel else [one.options for one in parcels]
        given = merge_options(table, request.options, more) if any(more) else request.options
        recipient = getattr(request, "recipient", None)
        country = carrier.home or carrier.home_country
        email = recipient.email if recipient else None
        return cls(table, given, email=email, country=country, more=carrier.also_reads)

    @classmethod
    def of_customs(cls, catalogue: Catalogue, customs: Customs) -> RequestOptions:
        """Of a customs declaration, by the rows under `customs_options` in the carrier's catalogue."""
        return cls(catalogue.customs_options, customs.options)

    # -- one option ----------------------------------------------------------------------------

    def value(self, name: str) -> Any:
        """The value in the option's type; None if it is not given, False if it is refused."""
        row = self._row(name)
        names = (row.slug, *row.aliases, name)
        found = next((one for key in names if (one := self._given.get(key)) not in (None, "")), None)
        return None if found is None else row.read(found)

    def flag(self, name: str, default: bool = False) -> bool:
        """Whether an option is wanted; `default` when nothing is said of it."""
        value = self.value(name)
        return default if value is None else bool(value)

    def text(self, name: str) -> str | None:
        value = self.value(name)
        return None if value is None else str(value)

    def amount(self, name: str) -> Decimal | None:
        """An amount above zero, in the request's currency."""
        value = self.value(name)
        number = None if value in (None, False) else Option(slug=name, code="", type=Decimal).read(value)
        return number if number and number > 0 else None

    def items(self, name: str) -> list[Any]:
        return list(self.value(name) or ())

    def objects(self, name: str, member: str) -> list[Json]:
        """A list of objects, the papers of a shipment for example.

        Errors: Invalid for anything else, and for an object without that member: none is left out in silence.
        """
        given = self.value(name) or []
        if not isinstance(given, list) or not all(isinstance(one, dict) and one.get(member) for one in given):
            raise Invalid(f"options.{name}", f"is a list of objects with {member}")
        return given

    def address(self, name: str) -> Address | None:
        """Errors: Invalid naming the option, or its member, that is no address."""
        given = self.value(name)
        if isinstance(given, list):
            raise Invalid(f"options.{name}", "is not an address")
        return read_model(Address, given, f"options.{name}.") if given else None

    def list_chosen(self) -> list[ChosenOption]:
        """The carrier's own options among those given, in the order in which they are given."""
        slugs = [row.slug for name in self._given if (row := self._table.get(name))]
        return sorted(self._table.list_chosen(self._given), key=lambda one: slugs.index(one.slug))

    def codes_at(self, level: str) -> list[str]:
        """The codes of the chosen options of a level; an amount of 0 chooses nothing."""
        return [one.code for one in self.list_chosen() if one.value and level in one.row.levels]

    def write(self, body: Json, verb: str) -> None:
        """Put every option that was chosen where its row says, in the body of a verb."""
        for one in self.list_chosen():
            if path := one.row.path_in(verb):
                set_path(body, path, one.sent)

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Errors: Invalid naming the first of these options that is wanted, with the reason against it."""
        for name, reason in reasons.items():
            if self.flag(name):
                raise Invalid(f"options.{name}", reason)

    def refuse_alone(self, reasons: Mapping[str, str]) -> None:
        """Errors: Invalid naming the first of these options that is wanted without an option for its kind."""
        named = {one.row.kind_of for one in self.list_chosen() if str(one.value).lower() != "false"}
        self.refuse({name: reason for name, reason in reasons.items() if name not in named})

    def _row(self, name: str) -> Option:
        row = self._table.get(name) or UNIFIED.get(name)
        if row is None and name in self._more:
            return Option(slug=name, code="", type=str)
        if row is None:
            raise KeyError(f"no option {name!r} in the catalogue of the carrier, nor in what it also reads")
        return row

    # -- unified words -------------------------------------------------------------------------

    def notify_email(self) -> str | None:
        """Who is told by e-mail: the address given, else the recipient's; None if nobody is to be told."""
        if not self.flag("email_notification", default=True):
            return None
        return self.text("email_notification_to") or self._email or None

    def signature(self) -> bool:
        return self.flag("signature_confirmation")

    def insurance(self) -> Decimal | None:
        return self.amount("insurance")

    def currency(self, default: str | None = None) -> str | None:
        """The request's, else that of the account's country, else the default."""
        own = find_currency(self._country) if self._country else None
        return self.text("currency") or own or default

    def ship_date(self) -> date | None:
        """The day on which the shipment leaves.

        Errors: Invalid on `options.shipping_date`.
        """
        given = self.text("shipment_date")
        return None if given is None else _read_time(given).date()

    def ship_time(self) -> datetime | None:
        """The time at which the shipment leaves, without a zone: local to the shipper.

        A day alone is 10:00 of that day.
        Errors: Invalid on `options.shipping_date`.
        """
        given = self.text("shipping_date") or self.text("shipment_date")
        if given is None:
            return None
        at = _read_time(given).replace(tzinfo=None)
        return at if len(given) > DAY_LENGTH else datetime.combine(at, MORNING)


def _read_time(given: str) -> datetime:
    try:
        return datetime.fromisoformat(given)
    except ValueError:
        raise Invalid("options.shipping_date", f"{given!r} is not a date") from None


def share_amounts(table: OptionTable, options: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """The options of a shipment for each of its parcels: every amount in equal shares, all else as it is."""
    rows = {name: table.get(name) or UNIFIED.get(name) for name in options}
    found: list[dict[str, Any]] = [dict(options) for _ in range(count)]
    for name, row in rows.items():
        said = options[name]
        if row and row.type is Decimal and said not in (None, "") and not isinstance(said, bool):
            for own, share in zip(found, share_amount(row.read(said), count), strict=True):
                own[name] = share
    return found


def merge_options(
    table: OptionTable, shipment: Mapping[str, Any], parcels: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The options of a shipment with those of its parcels.

    Amounts of parcels add up; a flag is up where one parcel wants it, and a parcel that says nothing of it
    wants what the shipment wants; of all else the last parcel's word counts. Null and empty say nothing.
    """
    found = dict(shipment)
    for name in dict.fromkeys(name for options in parcels for name in options):
        row = table.get(name) or UNIFIED.get(name)
        said = _list_answers(parcels, name)
        if row and row.type is bool and len(said) < len(parcels):
            said += _list_answers([shipment], name)
        if said:
            found[name] = _combine(row, said)
    return found


def _list_answers(given: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    return [said for options in given if (said := options.get(name)) not in (None, "")]


def _combine(row: Option | None, said: Sequence[Any]) -> Any:
    """What several said of one option, as one value: a no or a zero takes back nothing that another wants."""
    if row is None or len(said) == 1 or row.type not in (bool, Decimal):
        return said[-1]
    values = [row.read(one) for one in said]
    amounts = [one for one in values if not isinstance(one, bool)]
    return sum(amounts) if any(amounts) else True in values or values[-1]
