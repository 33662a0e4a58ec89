"""The file of an import, the options of all imports, and what to say of a file that lacks columns."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.bodies import read_file
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.features.book import products as parts_products
from shipcli.features.files import data_templates
from shipcli.models import data_template
from shipcli.models.basics import units
from shipcli.models.basics.enums import BATCH_RESOURCE_TYPES
from shipcli.models.basics.json import write_number
from shipcli.models.basics.text import count_text
from shipcli.readers import guessing, mapping, ready_made, tables
from shipcli.readers import headers as readers_headers

if TYPE_CHECKING:
    from shipcli.models.data_template import DataTemplate
    from shipcli.readers.headers import MissingColumns
    from shipcli.readers.mapping import MappedFile
    from shipcli.readers.tables import DataFile

FileName = Annotated[Path, typer.Argument(metavar="FILE", help="A CSV, XLSX, XLS or ODS file.")]
OldMap = Annotated[str | None, typer.Option("--template", hidden=True)]
OnDuplicate = Annotated[
    str, typer.Option("--on-duplicate", metavar="WAY", help="For known rows: skip, update or error.")
]
DUPLICATES = ("skip", "update", "error")
MOST_NAMED = 20  # columns that a hint names
# What fills a field that no column of a file does.
OTHERWISE: Mapping[str, str] = {
    "shipper_country": "or a default shipper: shipcli addresses default ADDRESS",
    "parcel_weight": "or --set parcel_weight=1lb",
    "weight": "or --set weight=0.5kg, or --products FILE",
}
SHOP_FILES = ("orders", "shipments")
MAPPING_FILES = (".json", ".yaml", ".yml")


def check_choice(option: str, value: str | None, choices: Sequence[str]) -> None:
    """Errors: Usage naming what may be said."""
    if value is not None and value not in choices:
        raise Usage(f"{option} {value}: say one of {', '.join(choices)}")


@dataclass(frozen=True)
class TableOptions:
    """Which table of a file is read, what its columns mean, and what becomes of its bad rows."""

    sheet: Annotated[
        str | None, typer.Option("--sheet", help="Sheet of a spreadsheet; the first by default.")
    ] = None
    header_row: Annotated[
        str | None,
        typer.Option("--header-row", metavar="N|N-M", help="Row that names the columns, or two: 3, 2-3."),
    ] = None
    maps: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="NAME|FILE|FIELD=COLUMN",
            help="A shop such as shopify or woocommerce, or a template of your own; a .json or .yaml file of "
            "fields and their columns; or one column. Repeat it for more columns.",
        ),
    ] = None
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="FIELD=VALUE", help="Value for rows that leave a field empty: weight=0.5kg."
        ),
    ] = None
    check: Annotated[bool, typer.Option("--check", help="Only check the file; store nothing.")] = False
    rejects: Annotated[
        Path | None,
        typer.Option("--rejects", metavar="OUT", help="Import the good rows; write the bad ones here."),
    ] = None

    def list_maps(self) -> list[str]:
        """The values of `--map`."""
        return list(self.maps or ())

    def open_table(
        self,
        resource_type: str,
        file: Path,
        products: Path | None = None,
        since: tuple[str, str] | None = None,
    ) -> MappedFile:
        """The rows of a file under the default headers.

        Errors: Usage; those of the file and of its template.
        """
        content = tables.DataFile.open(file, self.sheet, self.header_row)
        table = data_templates.map_file(
            get_run().local_app,
            content,
            resource_type,
            template=_choose_template(resource_type, self.list_maps(), content),
            constants=_read_values(resource_type, self.values),
            products=_read_products(products) if resource_type == "orders" else None,
        )
        if since and since[0] not in table.sources:
            raise Usage(f"--since needs the column of {since[0]}, which {file} lacks")
        return replace(table, since=since)


@dataclass(frozen=True)
class ImportOptions(TableOptions):
    """The options of every import that reports on its rows."""

    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="OUT", help="Write the outcome of every row: .json, .csv, .xlsx."),
    ] = None
    template: OldMap = None

    def list_maps(self) -> list[str]:
        """The values of `--map`, and that of the option's former name."""
        return [*super().list_maps(), *([self.template] if self.template else ())]


def _read_products(file: Path | None) -> dict[str, Mapping[str, str]]:
    """What is known of articles by SKU: what a list says goes before what the store knows.

    Errors: those of the file.
    """
    stored = dict(parts_products.read_as_cells(get_run().local_app))
    listed = mapping.read_products(tables.DataFile.open(file)) if file else {}
    return stored | {sku: {**stored.get(sku, {}), **row} for sku, row in listed.items()}


def _choose_template(resource_type: str, maps: Sequence[str], file: DataFile) -> DataTemplate | None:
    """What the words of --map say together: one template or mapping file, and columns that go before it.

    Without a template it is the ready-made one of the shop whose headings the file has; the columns of an
    address book are guessed by the words of their headings.

    Errors: Usage for two templates.
    """
    whole = [word for word in maps if "=" not in word]
    columns = dict(word.split("=", 1) for word in maps if "=" in word)
    if len(whole) > 1:
        raise Usage(f"--map {whole[0]} and --map {whole[1]} can't be used together")
    base = None
    if whole and whole[0].lower().endswith(MAPPING_FILES):
        base = _read_mapping_file(resource_type, whole[0])
    elif whole:
        base = data_templates.find_for(get_run().local_app, resource_type, whole[0])
    else:
        base = _recognise(resource_type, file) or _guess(resource_type, file)
    return data_templates.map_columns(base, resource_type, columns) if columns else base


def _recognise(resource_type: str, file: DataFile) -> DataTemplate | None:
    """The template of the shop that wrote a file, by its headings."""
    slug = ready_made.recognise_shop(file.headers) if resource_type in SHOP_FILES else None
    if slug is None:
        return None
    note(f"{file.name} has the headings of {slug} and is read with --map {slug}")
    return data_templates.find_for(get_run().local_app, resource_type, slug)


def _guess(resource_type: str, file: DataFile) -> DataTemplate | None:
    """Columns that no usual heading names, by their words; an address book has one address to a row."""
    if resource_type != "addresses":
        return None
    columns = guessing.guess_every_column(file.headers, resource_type)
    return data_templates.map_columns(None, resource_type, columns)


def _read_mapping_file(resource_type: str, name: str) -> DataTemplate:
    """A template from a file: fields and their columns, or the whole body of a template."""
    held = read_file(name)
    if len(held) != 1:
        raise Usage(f"{name} must hold one object: fields and their columns")
    is_whole = isinstance(held[0].get("fields_mapping"), Mapping)
    columns: Mapping[str, Any] = held[0]["fields_mapping"] if is_whole else held[0]
    rules = (
        data_template.RowRules.model_validate(held[0].get("rows") or {})
        if is_whole
        else data_template.RowRules()
    )
    return data_templates.map_columns(None, resource_type, columns).model_copy(update={"rows": rules})


def _read_values(resource_type: str, items: Sequence[str] | None) -> dict[str, str]:
    """Values of fields; a weight says its unit itself, and no more than its own: `weight=500g`.

    Errors: Usage for words other than FIELD=VALUE; Invalid for an unknown field, a wrong weight, or one that
            says no unit.
    """
    values: dict[str, str] = {}
    for item in items or ():
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise Usage(f"--set {item}: write FIELD=VALUE")
        values[data_templates.find_field(resource_type, name, "set")] = value
    for name in [name for name in values if name.endswith("weight")]:
        values[name] = _read_weight(values[name], values.get(f"{name}_unit"))
    return values


def _read_weight(text: str, unit: str | None) -> str:
    value, unit = units.parse_weight(text, (unit or get_run().config["weight_unit"]).upper())
    return f"{write_number(value)}{unit}"


# -- columns that are missing ----------------------------------------------------------------------


@contextmanager
def add_column_hint(table: MappedFile) -> Iterator[None]:
    """What lacks columns says how to name those of the file.

    Errors: MissingColumns, with the commands to type.
    """
    try:
        yield
    except readers_headers.MissingColumns as error:
        error.hint = _write_hint(table, error)
        raise


def _write_hint(table: MappedFile, error: MissingColumns) -> str:
    headers = table.table.headers
    guesses = guessing.guess_columns(headers, table.resource_type)
    maps = " ".join(f"--map {name}={shlex.quote(guesses.get(name, 'COLUMN'))}" for name in error.fields)
    others = "".join(f" ({OTHERWISE[name]})" for name in error.fields if name in OTHERWISE)
    slug = re.sub(r"[^a-z0-9]+", "_", Path(table.name).stem.lower()).strip("_")[:25] or "own"
    slug = (
        f"own_{slug}"[:25] if slug in ready_made.list_ready_made() else slug
    )  # it would hide the ready-made one
    make = f"shipcli import templates create {slug} --type {table.resource_type}"
    named = [name for name in headers if name]
    some = ", ".join(named[:MOST_NAMED]) + (", ..." if len(named) > MOST_NAMED else "")
    template = f"; or keep them all as a template: {make} --for {shlex.quote(table.name)}, then --map {slug}"
    sheet, *other_sheets = table.table.sheets or [""]
    where = f"the sheet {sheet!r} (--sheet: {', '.join(other_sheets)})" if other_sheets else "the file"
    is_kept = table.template or table.resource_type not in BATCH_RESOURCE_TYPES
    return f"{where} has {some}; name its columns: {maps}{others}{'' if is_kept else template}"


def list_left_out_options(table: MappedFile) -> None:
    """Say how many rows the last reading left out."""
    order_lines = ", or one more line of an order" if table.resource_type == "shipments" else ""
    if count := table.skipped:
        rows = f"{count_text(count, 'row')} left out"
        note(f"{rows}: cancelled, refunded, already fulfilled or older than asked for{order_lines}")
