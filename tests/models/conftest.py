"""Where the contract lies, when it is there."""

from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def _contract(name: str) -> Any:
    path = SHARED / "contract" / name
    if not path.exists():
        pytest.skip(f"the contract is not beside the project: {name} is absent")
    return json.loads(path.read_bytes())


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
    paths = sorted((SHARED / "carriers").glob("*/cases/*.json"))
    if not paths:
        pytest.skip("the recorded exchanges are not beside the project")
    return [(str(path), json.loads(path.read_bytes())) for path in paths]
