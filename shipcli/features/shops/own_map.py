"""A form of one's own for tracking numbers: a YAML or JSON file.

columns:
  Order: order_number
  Parcel: tracking_number
  Carrier: carrier
lines: partial            # or always, never
source: web               # of the orders; any of them if left out
carriers: {ups: UPS Ground}
delimiter: ";"
day: "%d.%m.%Y"
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from shipcli.features.shops.sheets import OWN, PerLine, ShopSheet, check_columns
from shipcli.features.shops.waiting import ANY
from shipcli.models import Invalid
from shipcli.models.base import Model
from shipcli.models.basics import json
from shipcli.models.basics.text import describe_unreadable

ENDINGS = (".yaml", ".yml", ".json")


class OwnMap(Model):
    """What a file of one's own says."""

    columns: dict[str, str] = Field(min_length=1)
    lines: PerLine = "never"
    source: str = ANY
    carriers: dict[str, str] = {}
    delimiter: str = Field(",", min_length=1, max_length=1)
    day: str = "%Y-%m-%d"


def is_own(word: str) -> bool:
    """Whether a word names a file, or the one called `own`."""
    return word == OWN or word.endswith(ENDINGS)


def find_own_map(word: str, folders: tuple[Path, ...]) -> Path:
    """The file that a word means; `own` is own.yaml in the first of the folders that has one.

    Errors: Invalid if there is none.
    """
    if word != OWN:
        return Path(word)
    paths = [folder / f"{OWN}{ending}" for folder in folders for ending in ENDINGS]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise Invalid(
            "map", f"There is no {paths[0].name} in {' or '.join(str(folder) for folder in folders)}."
        )
    return path


def read_own_map(path: Path) -> ShopSheet:
    """The form in a file; numbers are marked as told under the name of the file.

    Errors: Invalid naming the file, or what in it is wrong.
    """
    parsed = _parse(path)
    if not isinstance(parsed, dict):
        raise Invalid(str(path), "is not a map: name its columns as in `columns: {Order: order_number}`")
    try:
        content = OwnMap.model_validate(parsed)
    except ValidationError as error:
        raise Invalid.from_pydantic(error) from None
    check_columns(content.columns)
    if content.delimiter in '"\r\n':
        raise Invalid("delimiter", "is a character that cells and lines are written with; take ; or a tab")
    return ShopSheet(
        path.stem, content.columns, content.lines, content.delimiter, day=content.day,
        spellings=content.carriers, source=content.source,
    )  # fmt: skip


def _parse(path: Path) -> Any:
    import yaml

    try:
        text = path.read_text("utf-8-sig")
        return json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(str(path), f"can't be read: {describe_unreadable(error)}") from None
    except (ValueError, yaml.YAMLError) as error:
        raise Invalid(str(path), f"is not a map: {describe_unreadable(error)}") from None
