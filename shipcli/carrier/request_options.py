"""The options of a request as a writer reads them: typed, under any of their names, with their defaults."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from shipcli.carrier.catalogue import OptionTable
from shipcli.carrier.catalogue_rows import NO, YES, ChosenOption, Option
from shipcli.carrier.fields import read_model
from shipcli.carrier.wire.address_parts import fit_email
from shipcli.carrier.wire.json_paths import Json, set_path
from shipcli.carrier.wire.rounding import share_amount
from shipcli.carrier.wire.times import MORNING
from shipcli.models import Address, Customs, Invalid, Parcel, PostalAddress
from shipcli.models.basics.reference import find_currency

if TYPE_CHECKING:
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

HOLD, HOLD_ID = "hold_at_location", "hold_location_id"  # that a parcel is held, and the id of the place
DAY_LENGTH = len("2025-03-04")


class OptionReader(Protocol):
    """What a carrier states about the options that it reads."""

    @property
    def options(self) -> OptionTable: ...

    @property
    def also_reads(self) -> frozenset[str]: ...

    @property
    def home(self) -> str | None: ...

    @property
    def home_country(self) -> str | None: ...


class RequestOptions:
    """The options chosen in a request, read by their slug or by a unified word.

    A name that neither the carrier (its table, `also_reads`) nor `UNIFIED` has is a KeyError.
    Errors: Invalid naming the option whose value is not of its type.
    """

    def __init__(
        self,
        table: OptionTable,
        options: Mapping[str, Any],
        *,
        email: str | None = None,
        country: str | None = None,
        extra_names: Collection[str] = (),
        within: str = "",
    ) -> None:
        self._table, self._options, self._extra_names = table, options, extra_names
        self._email, self._country, self._within = email, country, within

    @classmethod
    def of(cls, carrier: OptionReader, request: Any, parcel: Parcel | None = None) -> RequestOptions:
        """Return the options of a request together with those of all its parcels, or of one parcel."""
        parcels = [parcel] if parcel else getattr(request, "parcels", ())
        recipient = getattr(request, "recipient", None)
        return cls(
            carrier.options,
            merge_options(carrier.options, request.options, [parcel.options for parcel in parcels]),
            email=recipient.email if recipient else None,
            country=carrier.home or carrier.home_country,
            extra_names=carrier.also_reads,
        )

    @classmethod
    def of_customs(cls, catalogue: Catalogue, customs: Customs) -> RequestOptions:
        """Return the options of a customs declaration, by `customs_options` in the carrier's catalogue."""
        return cls(catalogue.customs_options, customs.options, within="customs")

    # -- one option ----------------------------------------------------------------------------

    def value(self, name: str) -> Any:
        """Return the value in the option's type: None if it is not given, False if it is declined."""
        row = self._find_row(name)
        if not self._options:
            return None
        values = (self._options.get(key) for key in (row.slug, *row.aliases, name))
        value = next((value for value in values if value not in (None, "")), None)
        try:
            return None if value is None else row.read(value)
        except Invalid as error:
            raise error.under(self._within) if self._within else error from None

    def flag(self, name: str, default: bool = False) -> bool:
        """Whether an option is chosen; `default` when it is not mentioned."""
        value = self.value(name)
        return default if value is None else bool(value)

    def text(self, name: str) -> str | None:
        value = self.value(name)
        return None if value is None else str(value)

    def amount(self, name: str) -> Decimal | None:
        """Return an amount above zero, in the request's currency."""
        value = self.value(name)
        number = None if value in (None, False) else Option(slug=name, code="", type=Decimal).read(value)
        return number if number and number > 0 else None

    def items(self, name: str) -> list[Any]:
        return list(self.value(name) or ())

    def objects(self, name: str, member: str) -> list[Json]:
        """Return a list of objects, such as the documents of a shipment.

        Errors: Invalid for anything else, and for an object without that member.
        """
        rows = self.value(name) or []
        if not isinstance(rows, list) or not all(isinstance(row, dict) and row.get(member) for row in rows):
            raise Invalid(f"options.{name}", f"is a list of objects with {member}")
        return rows

    def address(self, name: str) -> Address | None:
        """Errors: Invalid naming the option, or its member, that is no address."""
        value = self.value(name)
        has_none = isinstance(value, dict) and value and not value.keys() & PostalAddress.model_fields.keys()
        if isinstance(value, list) or has_none:
            raise Invalid(f"options.{name}", "is not an address")
        return read_model(Address, value, f"options.{name}.") if value else None

    def list_chosen(self) -> list[ChosenOption]:
        """Return the carrier's own options among those given, in the order in which they are given."""
        slugs = [row.slug for name in self._options if (row := self._table.get(name))]
        return sorted(self._table.list_chosen(self._options), key=lambda choice: slugs.index(choice.slug))

    def codes_at(self, level: str) -> list[str]:
        """Return the codes of the chosen options of a level; an amount of 0 chooses nothing."""
        return [choice.code for choice in self.list_chosen() if choice.value and level in choice.row.levels]

    def write(self, body: Json, verb: str) -> None:
        """Put every option that was chosen where its row says, in the body of a verb."""
        for choice in self.list_chosen():
            if path := choice.row.path_in(verb):
                set_path(body, path, choice.sent)

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Errors: Invalid naming the first of these options that is chosen, with the reason against it."""
        for name, reason in reasons.items():
            if self.flag(name):
                raise Invalid(f"options.{name}", reason)

    def refuse_alone(self, reasons: Mapping[str, str]) -> None:
        """Errors: Invalid naming the first of these options that is wanted without an option for its kind."""
        named = {choice.row.kind_of for choice in self.list_chosen() if str(choice.value).lower() != "false"}
        self.refuse({name: reason for name, reason in reasons.items() if name not in named})

    def _find_row(self, name: str) -> Option:
        row = self._table.get(name) or UNIFIED.get(name)
        if row is None and name in self._extra_names:
            return Option(slug=name, code="", type=str)
        if row is None:
            raise KeyError(f"no option {name!r} in the catalogue of the carrier, nor in what it also reads")
        return row

    # -- unified words -------------------------------------------------------------------------

    def notify_email(self, most: int | None = None) -> str | None:
        """Return who is notified by e-mail: the address given, else the recipient's; None for nobody.

        A carrier may take addresses of so many characters at `most`: a longer one of a recipient is left out.
        Errors: Invalid for a longer one that is given.
        """
        if not self.flag("email_notification", default=True):
            return None
        given = self.text("email_notification_to")
        if most and given and not fit_email(given, most):
            raise Invalid("options.email_notification_to", f"has more than the {most} characters that fit")
        email = given or self._email or None
        return fit_email(email, most) if most else email

    def signature(self) -> bool:
        return self.flag("signature_confirmation")

    def insurance(self) -> Decimal | None:
        return self.amount("insurance")

    def currency(self, default: str | None = None) -> str | None:
        """Return the currency of the request, else that of the account's country, else the default."""
        home_currency = find_currency(self._country) if self._country else None
        return self.text("currency") or home_currency or default

    def ship_date(self) -> date | None:
        """Return the day on which the shipment leaves.

        Errors: Invalid on `options.shipping_date`.
        """
        text = self.text("shipment_date")
        return None if text is None else _read_time(text).date()

    def ship_time(self) -> datetime | None:
        """Return the time at which the shipment leaves, without a zone: local to the shipper.

        A date without a time is 10:00 of that day.
        Errors: Invalid on `options.shipping_date`.
        """
        text = self.text("shipping_date") or self.text("shipment_date")
        if text is None:
            return None
        at = _read_time(text).replace(tzinfo=None)
        return at if len(text) > DAY_LENGTH else datetime.combine(at, MORNING)


def read_place_id(value: Any) -> str:
    """Return the id of a place that stands in `hold_at_location`; an empty text for a yes or no."""
    text = "" if value is None or isinstance(value, bool) else str(value).strip()
    return "" if text.lower() in YES | NO else text.upper()


def _read_time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise Invalid("options.shipping_date", f"{text!r} is not a date") from None


def share_amounts(table: OptionTable, options: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """Return a shipment's options for each of its parcels: amounts in equal shares, all else unchanged."""
    shared: list[dict[str, Any]] = [dict(options) for _ in range(count)]
    for name, value in options.items():
        row = table.get(name) or UNIFIED.get(name)
        if row and row.type is Decimal and value not in (None, "") and not isinstance(value, bool):
            for parcel_options, share in zip(shared, share_amount(row.read(value), count), strict=True):
                parcel_options[name] = share
    return shared


def merge_options(
    table: OptionTable, shipment: Mapping[str, Any], parcels: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the options of a shipment together with those of its parcels.

    Amounts of parcels are added up. A flag is set where one parcel sets it; a parcel that does not mention it
    has that of the shipment. Of other options the value of the last parcel counts. Null and empty values are
    ignored.
    """
    merged = dict(shipment)
    for name in dict.fromkeys(name for options in parcels for name in options):
        row = table.get(name) or UNIFIED.get(name)
        values = _list_values(parcels, name)
        if row and row.type is bool and len(values) < len(parcels):
            values += _list_values([shipment], name)
        if values:
            merged[name] = _combine(row, values)
    return merged


def _list_values(options: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    return [value for option in options if (value := option.get(name)) not in (None, "")]


def _combine(row: Option | None, values: Sequence[Any]) -> Any:
    """Return several values of one option as one: a no or a zero undoes nothing that another chose."""
    if row is None or len(values) == 1 or row.type not in (bool, Decimal):
        return values[-1]
    typed = [row.read(value) for value in values]
    amounts = [value for value in typed if not isinstance(value, bool)]
    return sum(amounts) if any(amounts) else True in typed or typed[-1]
