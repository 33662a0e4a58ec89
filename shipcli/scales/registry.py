"""The scales of this machine by name, in a file of its home: a port belongs to a machine, not to a store."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from shipcli.models.basics.device_names import check_device_name, explain_unknown_device
from shipcli.models.basics.errors import Conflict, Invalid
from shipcli.scales.readings import ScaleError
from shipcli.scales.targets import ScaleTarget, parse_target

FILE = "scales.toml"


@dataclass(frozen=True)
class NamedScale:
    """A scale with a name."""

    name: str
    target: ScaleTarget
    is_default: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The scale as it is shown."""
        parts = {"name": self.name, "kind": self.target.kind, "place": self.target.place or None}
        serial = {
            "protocol": self.target.protocol,
            "line": self.target.line,
            "unit": self.target.unit or None,
        }
        is_serial = self.target.kind == "serial"
        return {**parts, **(serial if is_serial else dict.fromkeys(serial)), "is_default": self.is_default}


def list_scales(home: Path, default: str = "") -> list[NamedScale]:
    """The scales, by name.

    Errors: Invalid for a file that can't be read.
    """
    targets = _read_file(home)
    usual = default or (next(iter(targets)) if len(targets) == 1 else "")
    return [NamedScale(name, parse_target(text), name == usual) for name, text in sorted(targets.items())]


def _read_file(home: Path) -> dict[str, str]:
    path = home / FILE
    try:
        table = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
        return {name: str(row["to"]) for name, row in table.items()}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise Invalid(str(path), f"not a file of scales: {error}") from None


def add_scale(home: Path, name: str, target: ScaleTarget, *, replace: bool = False) -> None:
    """Store a scale.

    Errors: Invalid for a name that is none; Conflict if it is taken.
    """
    check_device_name(name)
    targets = _read_file(home)
    if name in targets and not replace:
        raise Conflict(f"There is a scale {name} already; to change it say --replace")
    _write_file(home, {**targets, name: str(target)})


def remove_scale(home: Path, name: str) -> None:
    """Remove a scale.

    Errors: NotFound.
    """
    targets = _read_file(home)
    if name not in targets:
        raise explain_unknown_device("scale", name, targets)
    _write_file(home, {key: text for key, text in targets.items() if key != name})


def _write_file(home: Path, targets: Mapping[str, str]) -> None:
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = home / FILE
    part = path.with_suffix(".part")
    part.write_text(tomlkit.dumps({name: {"to": text} for name, text in sorted(targets.items())}), "utf-8")
    os.replace(part, path)


def choose_scale(home: Path, named: str | None = None, default: str = "") -> NamedScale:
    """The scale with a name, or at a target; without one the default, else the only one.

    Errors: NotFound; Invalid for a target; ScaleError if none can be chosen.
    """
    scales = {scale.name: scale for scale in list_scales(home, default)}
    wish = named or default
    if wish:
        if wish not in scales and ":" not in wish:
            raise explain_unknown_device("scale", wish, scales)
        return scales.get(wish) or NamedScale(wish, parse_target(wish))
    if len(scales) != 1:
        names = f"; name one: {', '.join(scales)}" if scales else ""
        hint = (
            "shipcli config set scale NAME" if scales else "shipcli scales add NAME --to serial:/dev/ttyUSB0"
        )
        raise ScaleError(f"{'Several scales are' if scales else 'No scale is'} known here{names}", hint=hint)
    return next(iter(scales.values()))
