"""Begins a carrier from its fact sheet: `python -m tests.carriers.scaffold SLUG [--into FOLDER]`.

Writes the data file, the class with credentials, settings, hosts and verbs' names, and empty modules for the
nouns the carrier has. What it writes is a beginning: every row is to be read over, and a verb without its
flow is no capability, so nothing is pretended. The cases of the carrier are listed as what is to be matched.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from shipcli.models import json as plain_json
from tests.carriers.places import ROOT, find_recorded

VERBS: Mapping[str, tuple[str, str]] = {
    "rates": ("rate", "rates"),
    "create_shipment": ("ship", "shipments"),
    "cancel_shipment": ("void", "shipments"),
    "return_shipment": ("ship_return", "shipments"),
    "tracking": ("track", "tracking"),
    "schedule_pickup": ("schedule_pickup", "pickups"),
    "update_pickup": ("update_pickup", "pickups"),
    "cancel_pickup": ("cancel_pickup", "pickups"),
    "manifest": ("manifest", "manifests"),
    "upload_document": ("upload_document", "documents"),
    "validate_address": ("validate_address", "addresses"),
    "find_locations": ("find_locations", "locations"),
    "estimate_transit": ("estimate_transit", "transit"),
}
PYTHON = {"string": "str", "boolean": "bool", "integer": "int", "float": "Decimal", "list": "list[str]",
          "object": "dict[str, Any]"}  # fmt: skip
SECRET = re.compile(r"secret|password|passwd|token|key\b|api_key|pin\b", re.IGNORECASE)
TYPES = {"bool": "boolean", "str": "string", "int": "integer", "dict": "object"}  # of newer fact sheets
SMALL = 4  # nouns up to which one `wire` module is enough


# -- the data file -----------------------------------------------------------------------------------


def catalogue_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a fact sheet as `catalogue.json` has them."""
    found: dict[str, Any] = {
        "services": [_service(*one) for one in _members(facts, "services")],
        "options": [_option(*one) for one in _members(facts, "options")],
        "packaging": [{"slug": slug, "code": code} for slug, code, _ in _members(facts, "packaging_types")],
        "presets": [{"slug": slug, **sizes} for slug, sizes, _ in _members(facts, "package_presets")],
        "service_levels": facts.get("service_levels") or [],
        "statuses": _statuses(facts.get("tracking") or {}),
        "tables": {_snake(name): _table(rows) for name, rows in (facts.get("enums") or {}).items()},
    }
    slots = (("options", "options"), ("packaging", "packaging_types"), ("presets", "package_presets"))
    for section, slot in slots:
        aliases = (facts.get(slot) or {}).get("aliases") or {}
        for row in found[section]:
            own = [alias for alias, member in aliases.items() if member == row["slug"]]
            row.update({"aliases": own} if own else {})
    return {name: rows for name, rows in found.items() if rows}


def _members(facts: Mapping[str, Any], section: str) -> Iterator[tuple[str, Any, None]]:
    for slug, value in ((facts.get(section) or {}).get("members") or {}).items():
        yield slug, value, None


def _service(slug: str, value: Any, _: None) -> dict[str, Any]:
    return {"slug": slug, "code": str(value)}


def _option(slug: str, value: Any, _: None) -> dict[str, Any]:
    row = {"slug": slug, "code": str(value.get("code"))}
    kind = TYPES.get(value.get("type"), value.get("type"))
    if kind not in (None, "boolean"):
        row["type"] = kind
    return {**row, **({"values": [str(one) for one in value["values"]]} if value.get("values") else {})}


def _statuses(tracking: Mapping[str, Any]) -> dict[str, Any]:
    codes = tracking.get("status_map") or {}
    return {"default": tracking.get("default_status") or "in_transit", "codes": codes} if codes else {}


def _table(rows: Any) -> Any:
    return rows.get("members", rows) if isinstance(rows, Mapping) else rows


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def write_catalogue(data: Mapping[str, Any]) -> str:
    """The text of a data file: a row on each line, so that a change shows as one line."""
    sections = [f"{_json(name)}: {_section(rows)}" for name, rows in data.items()]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _section(rows: Any, depth: int = 1) -> str:
    pad, end = "  " * depth, "  " * (depth - 1)
    if isinstance(rows, list) and rows:
        return "[\n" + ",\n".join(pad + _json(row) for row in rows) + f"\n{end}]"
    if isinstance(rows, Mapping) and len(_json(rows)) > 100:
        pairs = (f"{pad}{_json(name)}: {_section(value, depth + 1)}" for name, value in rows.items())
        return "{\n" + ",\n".join(pairs) + f"\n{end}}}"
    return _json(rows)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=float)


# -- the modules -------------------------------------------------------------------------------------


def class_name(slug: str) -> str:
    return "".join(part.capitalize() for part in slug.split("_"))


def fields(rows: Mapping[str, Any], *, secrets: bool) -> list[str]:
    """The fields of a pydantic model; those that look like secrets are sealed."""
    lines = []
    for name, row in rows.items():
        kind = PYTHON.get(str(row.get("type")), "str")
        if secrets and SECRET.search(name):
            kind = "SecretStr"
        if row.get("enum"):
            kind = f"Literal[{', '.join(map(repr, row['enum']))}]"
        default = f" = {row['default']!r}" if "default" in row else " = None"
        lines.append(f"    {name}: {kind}" if row.get("required") else f"    {name}: {kind} | None{default}")
    return lines or ['    """Nothing of its own."""']


def init_of(facts: Mapping[str, Any]) -> str:
    name, slug = class_name(facts["slug"]), facts["slug"]
    connection, hosts = facts["connection"], facts.get("hosts") or {}
    account, config = (fields(connection[part], secrets=part == "fields") for part in ("fields", "config"))
    link = (facts.get("tracking") or {}).get("link_template")
    body = "\n".join([*account, *config])
    imports = [
        *(["from decimal import Decimal"] if "Decimal" in body else []),
        *([f"from typing import {', '.join(one for one in ('Any', 'Literal') if one in body)}"]
          if "Any" in body or "Literal" in body else []),
        *(["", "from pydantic import SecretStr"] if "SecretStr" in body else []),
        "", "from shipcli.carrier import Carrier, CarrierConfig, Credentials, load_catalogue",
    ]  # fmt: skip
    own = f"{name}Config" if connection["config"] else "CarrierConfig"
    states = [
        f'    slug = "{slug}"',
        f'    name = "{facts["display_name"]}"',
        f'    integration_status = "{facts["integration_status"]}"',
        f'    hosts = {{True: "{hosts.get("test", "")}", False: "{hosts.get("live", "")}"}}',
        f"    Credentials, Config = {name}Account, {own}",
        "    catalogue = load_catalogue(__file__)",
        *(["    hub = True", "    trackable = False"] if facts.get("is_hub") else []),
        *([f'    tracking_link = "{link}"'] if link else []),
    ]
    verbs = ", ".join(VERBS[one][0] for one in facts["operations"] if one in VERBS)
    return "\n".join([
        f'"""{facts["display_name"]}: {verbs}."""',
        "", "from __future__ import annotations", "", *imports, "",
        "", f"class {name}Account(Credentials):", *account,
        *(["", "", f"class {own}(CarrierConfig):", *config] if connection["config"] else []),
        "", "", f"class {name}(Carrier[{name}Account, {own}]):",
        f'    """{facts["display_name"]}."""', "", *states, "",
    ])  # fmt: skip


def modules_of(facts: Mapping[str, Any]) -> dict[str, str]:
    """Every file of the beginning, by its place in the carrier's folder."""
    nouns = list(dict.fromkeys(VERBS[one][1] for one in facts["operations"] if one in VERBS))
    name, slug = facts["display_name"], facts["slug"]
    found = {"__init__.py": init_of(facts), "catalogue.json": write_catalogue(catalogue_of(facts))}
    if len(nouns) < SMALL:
        return {
            **found,
            "wire.py": f'"""Between our models and the wire of {name}."""\n',
            "sandbox.py": _sandbox(slug, name),
        }
    found["parts.py"] = f'"""What the bodies of {name} share: addresses, parcels, money, options."""\n'
    found |= {
        f"{noun}.py": f'"""{noun.capitalize()} of {name}: what is sent, and what is read."""\n'
        for noun in nouns
    }
    return {**found, "sandbox/__init__.py": _sandbox(slug, name)}


def _sandbox(slug: str, name: str) -> str:
    return "\n".join([
        f'"""{name}\'s server in the sandbox."""', "", "from __future__ import annotations", "",
        "from shipcli.carrier.simulation.simulator import Simulator", "", "",
        f"class {class_name(slug)}Simulator(Simulator):", f'    """{name} in a sandbox."""', "",
        f'    slug = "{slug}"', "",
    ])  # fmt: skip


def begin(slug: str, folder: Path) -> list[str]:
    """Write what is not there yet; the names of the files that were written."""
    facts = plain_json.loads((find_recorded(slug) / "facts.json").read_bytes())
    written = []
    for name, text in modules_of(facts).items():
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            written.append(name)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.carriers.scaffold", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("slug")
    parser.add_argument("--into", type=Path, help="folder to write to; carriers/SLUG unless it is given")
    options = parser.parse_args(arguments)
    folder = find_recorded(options.slug)
    if not (folder / "facts.json").is_file():
        parser.error(f"there is no fact sheet {folder / 'facts.json'}")
    for name in begin(options.slug, options.into or ROOT / "carriers" / options.slug):
        print(f"written: {name}")
    cases = sorted(one.name for one in (folder / "cases").glob("*.json"))
    print(f"to be matched ({len(cases)}): {', '.join(cases)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
