"""The facts that are needed of every carrier, a line each in one file, so that no carrier must be loaded.

`index.jsonl` in the folder of the carriers is generated (`python -m tests.carriers.index`) and checked by a
test. A carrier without a line (of another author) is loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr
from pydantic_core import PydanticUndefined

from shipcli.carrier.customs_names import list_customs_names
from shipcli.models import json as plain_json

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

NAME = "index.jsonl"
HELD_NAME = "published.json"  # what a carrier was held against, beside its catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class CarrierFacts:
    """A carrier in short.

    Shapes: `api_state`, `api_since` and `successor` are those of `ApiState`; `recovers`: it can be asked what
            became of a purchase; `tracking_link` has "{}" for the number; `sample_account` are the
            credentials of its simulated connection; `held_against` are the published documents, each with its
            version, that the carrier was compared with on the day `held_on`.
    """

    slug: str
    name: str
    integration_status: str
    api_state: str = "unknown"
    api_since: str | None = None
    successor: str | None = None
    held_against: list[str] = field(default_factory=list)
    held_on: str | None = None
    operations: list[str] = field(default_factory=list)
    recovers: bool = False
    label_formats: list[str] = field(default_factory=list)
    service_count: int = 0
    tracking_link: str | None = None
    capabilities: list[str]
    hub: bool
    trackable: bool
    connection_fields: dict[str, dict[str, Any]]
    config_fields: dict[str, dict[str, Any]]
    secret_fields: list[str]
    sample_account: dict[str, Any]
    presets: dict[str, dict[str, Any]] = field(default_factory=dict)
    option_names: list[str] = field(default_factory=list)
    customs_names: list[str] = field(default_factory=list)


def gather_facts(kind: type[Carrier[Any, Any]]) -> CarrierFacts:
    """Return the facts of a carrier class."""
    held = read_held(Path(str(sys.modules[kind.__module__].__file__)).parent)
    return CarrierFacts(
        slug=kind.slug,
        name=kind.name,
        integration_status=kind.integration_status,
        api_state=kind.api.state,
        api_since=kind.api.since,
        successor=kind.successor(),
        held_against=[document.title for document in held.documents],
        held_on=held.date,
        operations=kind.operations(),
        recovers=kind.can("recover"),
        label_formats=list(kind.label_formats),
        service_count=len(kind.services.codes()),
        tracking_link=kind.tracking_link,
        capabilities=kind.capabilities(),
        hub=kind.hub,
        trackable=kind.trackable,
        connection_fields=kind.connection_fields(),
        config_fields=kind.config_fields(),
        secret_fields=sorted(kind.secret_fields()),
        sample_account=_fill_sample_account(kind),
        presets={preset.slug: preset.to_dict() for preset in kind.presets},
        option_names=list_names_of_options(kind),
        customs_names=list_customs_names(kind),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldDocument:
    """A document that a carrier publishes: its own name and version, and a digest of its files.

    A fact sheet, which stands for what no carrier publishes, has a version and no digest.
    """

    name: str
    version: str | None = None
    files: str
    digest: str | None = None

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}" if self.version else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldDocuments:
    """What a carrier was compared with, and on which day; nothing for a carrier that says nothing."""

    date: str | None = None
    documents: list[HeldDocument] = field(default_factory=list)


def read_held(folder: Path) -> HeldDocuments:
    """Read what the carrier in a folder was held against.

    Errors: TypeError when the file has other members.
    """
    path = folder / HELD_NAME
    if not path.is_file():
        return HeldDocuments()
    held = plain_json.loads(path.read_bytes())
    rows = [HeldDocument(**row) for row in held["documents"]]
    return HeldDocuments(date=held["date"], documents=rows)


def list_names_of_options(kind: type[Carrier[Any, Any]]) -> list[str]:
    """Return all names of options that a carrier does not ignore: its own with their aliases, those that its
    flows also read, and those that it refuses.
    """
    rows = [name for row in kind.options for name in (row.slug, *row.aliases)]
    refused = {*kind.refused_options, *kind.refused_alone, *kind.limits.option_names}
    returns = {"is_return"} if kind.can("ship_return") else set()
    return [*rows, *sorted((kind.also_reads | refused | returns).difference(rows))]


def _fill_sample_account(kind: type[Carrier[Any, Any]]) -> dict[str, Any]:
    """Return all credentials of the simulated connection, with defaults for those it does not name."""
    account = {}
    for name, info in kind.Credentials.model_fields.items():
        default = info.get_default(call_default_factory=True, validated_data={})
        plain = default.get_secret_value() if isinstance(default, SecretStr) else default
        account[name] = kind.sample_account.get(name, None if plain is PydanticUndefined else plain)
    return account


def read_lines(path: Path) -> dict[str, bytes]:
    """Return the unread line of each carrier, by slug. A file that is not there has none."""
    lines = path.read_bytes().splitlines() if path.is_file() else []
    # The slug stands first, so that the lines of carriers that nobody asks for are never parsed.
    return {line.split(b'"', 4)[3].decode(): line for line in lines}


def parse_facts(line: bytes) -> CarrierFacts:
    """Errors: TypeError when the line is of another version of this program."""
    plain: Mapping[str, Any] = plain_json.loads(line)
    return CarrierFacts(**plain)


def format_facts(facts: CarrierFacts) -> str:
    """Return the line of a carrier."""
    return plain_json.dumps(asdict(facts)) + "\n"
