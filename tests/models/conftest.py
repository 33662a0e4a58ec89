"""The contract and the recorded requests, when they are there."""

from typing import Any

import pytest

from shipcli.models import json
from tests.carriers.places import list_recorded
from tests.shared import find_shared


def _contract(name: str) -> Any:
    return json.loads(find_shared(f"contract/{name}").read_bytes())


@pytest.fixture(scope="session")
def schemas() -> dict[str, Any]:
    found: dict[str, Any] = _contract("openapi.json")["components"]["schemas"]
    return found


@pytest.fixture(scope="session")
def published() -> dict[str, Any]:
    found: dict[str, Any] = _contract("references.json")
    return found


@pytest.fixture(scope="session")
def cases() -> list[tuple[str, dict[str, Any]]]:
    find_shared("carriers")
    paths = [path for folder in list_recorded() for path in sorted(folder.glob("cases/*.json"))]
    return [(str(path), json.loads(path.read_bytes())) for path in paths]
