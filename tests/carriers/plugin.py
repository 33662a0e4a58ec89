"""A carrier of another author, installed for a test: its files in a package, found by its entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from shipcli.carrier import registry
from tests.carriers.bench import AnyCarrier


@contextmanager
def installed(root: Path, slug: str, name: str, files: Mapping[str, str]) -> Iterator[AnyCarrier]:
    """The carrier class `name` of the package `shipcli_<slug>`, made of these files."""
    module = f"shipcli_{slug}"
    package, info = root / module, root / f"{module}-0.1.dist-info"
    for path in (root, package, info):
        path.mkdir(exist_ok=True)
    for path, text in files.items():
        (package / path).write_text(text)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{slug} = {module}:{name}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        forget(module)
        yield registry.get(slug)
    forget(module)


def forget(module: str) -> None:
    for cached in (registry.list_slugs, registry._find_plugins, registry.get, registry.get_simulator):
        cached.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        del sys.modules[name]
