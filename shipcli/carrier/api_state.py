"""What is published about the state of carriers' APIs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiState:
    """What is published about the state of a carrier's API; nobody asked the carrier.

    Shapes: `state` is one of `API_STATES`; `since` is a day; `successor` names the API that replaced it, for
            people; `checked` is the month in which somebody last looked, and `source` one of `API_SOURCES`.
    """

    state: str = "unknown"
    since: str | None = None
    successor: str | None = None
    checked: str | None = None
    source: str | None = None


API_SOURCES: Mapping[str, str] = {
    "description": "the carrier's published description of its API",
    "schema": "the carrier's published schemas",
    "notice": "a notice of the carrier, or reports about it",
    "connectors": "connectors of others that are still maintained",
    "cases": "exchanges that were recorded with it, and its fact sheet",
}
API_STATES: Mapping[str, str] = {
    "alive": "its owner says so",
    "presumed": "others still use or maintain it",
    "superseded": "a newer one has taken its place, and this one may answer",
    "retiring": "its end is announced",
    "off": "it answers nobody any more",
    "unknown": "nobody says",
    "local": "there is none: nobody is asked",
}
