"""The input of a command: a file, `-d key=value`, flags. Later ones win: file, then `-d`, then flags."""

from __future__ import annotations

import csv
import io
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from shipcli.cli.arguments.scale_weight import names_scale, read_scale_weight
from shipcli.cli.console.field_names import check_data_paths
from shipcli.cli.console.paths import assign
from shipcli.cli.console.stderr import warn_deprecated
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.models.basics import units
from shipcli.models.basics.errors import Invalid, InvalidRows
from shipcli.models.basics.json import load_strict

Data = Annotated[
    list[str] | None,
    typer.Option(
        "-d",
        "--data",
        metavar="KEY=VALUE",
        help="Set a field, such as parcels[0].weight=2 (shipcli fields lists them); @FILE reads a file.",
    ),
]
File = Annotated[
    str | None,
    typer.Option("--from-file", metavar="FILE", help="A .json, .yaml or .csv file, or - for stdin."),
]

DEPRECATED_OPTIONS: Mapping[str, str] = {"shipment_date": "shipping_date"}
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_MODEL = TypeVar("_MODEL")


def read_body(
    flags: Mapping[str, Any], data: Sequence[str] | None = None, file: str | None = None
) -> dict[str, Any]:
    """One object from file, `-d` and flags; a flag of None was not given.

    Errors: Usage for a file that contains several objects, or can't be read.
    """
    return _take_only(read_bodies(flags, data, file), file)


def read_free_body(data: Sequence[str] | None, file: str | None = None) -> dict[str, Any]:
    """One object with arbitrary keys: data of a template, a payload, the body of any request.

    Errors: Usage for a file that contains several objects, or can't be read.
    """
    return _take_only(_read_objects({}, data, file), file)


def _take_only(objects: Sequence[dict[str, Any]], file: str | None) -> dict[str, Any]:
    if len(objects) != 1:
        raise Usage(f"{file} holds {len(objects)} objects; this command takes one")
    return objects[0]


def read_bodies(
    flags: Mapping[str, Any], data: Sequence[str] | None = None, file: str | None = None
) -> list[dict[str, Any]]:
    """The objects of a file, each changed by `-d` and flags; one object without a file.

    Names after `-d` must be fields of the model that the objects are read as (`check_body`).
    """
    get_run().data_paths += [item.partition("=")[0] for item in data or () if not item.startswith("@")]
    return _read_objects(flags, data, file)


def _read_objects(
    flags: Mapping[str, Any], data: Sequence[str] | None, file: str | None
) -> list[dict[str, Any]]:
    made = []
    for row in read_file(file) if file else [{}]:
        for item in data or ():
            _apply(row, item)
        made.append(row | {key: value for key, value in flags.items() if value is not None})
    return made


def _apply(row: dict[str, Any], item: str) -> None:
    if item.startswith("@"):
        for other in read_file(item[1:]):
            row.update(other)
        return
    _assign_pair(row, item, "-d")


def read_value(text: str) -> Any:
    """A value as typed: exact numbers, true, false, null, JSON in brackets or quotes; all else is text.

    Numbers that would not come back the same, such as 007 or 1e5, are text.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text) and text != "-0":
        return Decimal(text) if "." in text else int(text)
    if text.startswith(("{", "[", '"')):
        try:
            return load_strict(text)
        except ValueError as error:
            raise Usage(f"{text[:40]!r} begins like JSON but cannot be read: {error}") from None
    return text


def read_pairs(items: Sequence[str] | None, option: str) -> dict[str, Any]:
    """`key=value` options as an object."""
    values: dict[str, Any] = {}
    for item in items or ():
        _assign_pair(values, item, option)
    return values


def _assign_pair(target: dict[str, Any], item: str, option: str) -> None:
    path, sign, text = item.partition("=")
    if not sign or not path:
        raise Usage(f"{option} {item}: write key=value")
    assign(target, path, read_value(text))


def check_body(model: type[_MODEL], value: Mapping[str, Any]) -> _MODEL:
    """A body read as a model.

    Errors: Usage for a path of `-d` that the model lacks; Invalid naming every wrong field.
    """
    _check_typed_paths(model)
    warn_of_deprecated_options([value])
    return _read_model(model, value)


def _check_typed_paths(model: type[Any]) -> None:
    """Errors: Usage for a path of `-d` that leads to no field of the model. Files may contain more."""
    run = get_run()
    paths, run.data_paths = run.data_paths, []
    check_data_paths(model, paths)


def warn_of_deprecated_options(bodies: Iterable[Mapping[str, Any]]) -> None:
    """Warn once when options of a body, or of an element of a batch, use a name that will go away."""
    all_options = [element.get("options") for body in bodies for element in (body, *_list_elements(body))]
    for name, instead in DEPRECATED_OPTIONS.items():
        if any(isinstance(options, Mapping) and options.get(name) for options in all_options):
            warn_deprecated(f"the option {name}", instead)


def _list_elements(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows = body.get("shipments")
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _read_model(model: type[_MODEL], value: Mapping[str, Any], index: int | None = None) -> _MODEL:
    from pydantic import ValidationError

    try:
        read: _MODEL = model.model_validate(value)  # type: ignore[attr-defined]  # every model has it
    except ValidationError as error:
        raise Invalid.from_pydantic(error, index=index) from None
    return read


def check_bodies(model: type[_MODEL], values: Sequence[Mapping[str, Any]]) -> list[_MODEL]:
    """Several bodies read as models; nothing is returned if one is wrong.

    Errors: Invalid for a lone body; InvalidRows naming every wrong row.
    """
    if len(values) == 1:
        return [check_body(model, values[0])]
    _check_typed_paths(model)
    warn_of_deprecated_options(values)
    read, errors = [], []
    for position, value in enumerate(values):
        try:
            read.append(_read_model(model, value, position))
        except Invalid as error:
            errors.append(error)
    if errors:
        raise InvalidRows(errors)
    return read


# -- files -----------------------------------------------------------------------------------------


def read_file(name: str) -> list[dict[str, Any]]:
    """The objects of a JSON, YAML or CSV file, or of standard input (`-`, JSON or YAML).

    Errors: Usage if it can't be read or contains something else.
    """
    text, form = _read_content(name)
    value = READERS[form](text, name)
    rows = value if isinstance(value, list) else [value]
    if not all(isinstance(row, dict) for row in rows):
        raise Usage(f"{name} must hold an object, or a list of objects")
    return rows


def _read_content(name: str) -> tuple[str, str]:
    if name == "-":
        text = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
        suffix = ".json" if text.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[") else ".yaml"
    else:
        text, suffix = read_bytes(Path(name)), Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise Usage(f"{name}: the name must end in {', '.join(SUFFIXES)}")
    try:
        return text.decode("utf-8-sig"), SUFFIXES[suffix]
    except UnicodeDecodeError:
        raise Usage(f"{name} is not UTF-8 text") from None


def read_bytes(path: Path) -> bytes:
    """The content of a file that the command names.

    Errors: Usage if it can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise Usage(f"{path} can't be read: {error.strerror}") from None


def _read_json(text: str, name: str) -> Any:
    try:
        return load_strict(text)
    except ValueError as error:
        raise Usage(f"{name} is not JSON: {error}") from None


def _read_yaml(text: str, name: str) -> Any:
    """YAML whose numbers stay exact and whose codes stay text: `NO` is Norway, 02134 is a postal code."""
    import yaml

    class Exact(yaml.SafeLoader):
        yaml_implicit_resolvers: dict[str, Any] = {}

    Exact.add_implicit_resolver("word", re.compile("(?:true|false|null|True|False|~|)$"), [*"tfnTF~", ""])
    Exact.add_implicit_resolver("number", re.compile(f"(?:{_NUMBER.pattern})$"), list("-0123456789"))
    Exact.add_constructor("word", lambda _, node: _WORDS.get(node.value.lower()))
    Exact.add_constructor("number", lambda _, node: read_value(node.value))
    try:
        return yaml.load(text, Exact)
    except yaml.YAMLError as error:
        raise Usage(f"{name} is not YAML: {' '.join(str(error).split())}") from None


def _read_csv(text: str, name: str) -> list[dict[str, Any]]:
    """A row per object; the header holds paths, empty cells are left out, all values are text."""
    rows: list[dict[str, Any]] = []
    for line in csv.DictReader(io.StringIO(text)):
        row: dict[str, Any] = {}
        for path, value in line.items():
            if path is None or isinstance(value, list):
                raise Usage(f"{name}: row {len(rows) + 1} has more cells than the header")
            if value:
                assign(row, path.strip(), value)
        rows.append(row)
    return rows


READERS = {"json": _read_json, "yaml": _read_yaml, "csv": _read_csv}
SUFFIXES = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".csv": "csv"}


# -- weights and sizes -----------------------------------------------------------------------------


def read_weight(text: str | None) -> dict[str, Any]:
    """`2.3kg`, `1lb 4oz` or `scale` as the two fields of a parcel; empty if nothing is given.

    Errors: Invalid for a number without a unit, unless the setting `weight_unit` gives one; those of a scale.
    """
    if text is None:
        return {}
    if names_scale(text):
        value, unit = read_scale_weight(text)
    else:
        value, unit = units.parse_weight(text, get_run().config["weight_unit"])
    return {"weight": value, "weight_unit": unit}


def read_size(text: str | None) -> dict[str, Any]:
    """`30x20x10cm` as the four fields of a parcel; empty if nothing is given.

    Errors: Invalid for numbers without a unit, unless the setting `size_unit` gives one.
    """
    if text is None:
        return {}
    length, width, height, unit = units.parse_size(text, get_run().config["size_unit"])
    return {"length": length, "width": width, "height": height, "dimension_unit": unit}
