"""Modules that a command names at its top and pays for when it first uses them.

While a command is imported, our modules below the faces are stood for by empty ones. The first time something
of one is read, the real module is imported, and everybody else gets the real one only: so threads never see
a half-loaded module, as they would with `importlib.util.LazyLoader` on Python 3.11. `from module import name`
reads something and is never late: a command says `from shipcli.features.orders import service as orders`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

FACES = ("shipcli.cli", "shipcli.api")


class LateModule(ModuleType):
    """A module that stands for the real one of the same name."""

    def __getattr__(self, name: str) -> Any:
        """What the real module has; this one has a name and a place only.

        Errors: AttributeError.
        """
        if name == "__path__":  # Python asks whether it is a package
            raise AttributeError(name)
        _step_aside(self)
        _finder.pauses += 1
        try:
            return getattr(import_module(self.__name__), name)
        finally:
            _finder.pauses -= 1


class LateLoader:
    """Makes modules that stand for others."""

    def create_module(self, spec: ModuleSpec) -> LateModule:
        """An empty module."""
        _finder.made.append(module := LateModule(spec.name))
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is executed."""


class LateFinder:
    """Finds our modules below the faces, packages excepted."""

    def __init__(self) -> None:
        self.made: list[LateModule] = []
        self.pauses = 0  # while a real module is imported, what it imports is real

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """The place of a module, with a loader that makes one to stand for it."""
        if self.pauses or not name.startswith("shipcli.") or name.startswith(FACES):
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.submodule_search_locations is not None:
            return None
        return ModuleSpec(name, LateLoader(), origin=spec.origin)  # type: ignore[arg-type]  # `importlib.abc` is slow


_finder = LateFinder()


@contextmanager
def import_late() -> Iterator[None]:
    """Import modules late in this block, those of the terminal excepted."""
    sys.meta_path.insert(0, _finder)
    try:
        yield
    finally:
        sys.meta_path.remove(_finder)
        for module in _finder.made:
            _step_aside(module)
        _finder.made.clear()


def _step_aside(module: LateModule) -> None:
    """Let the next import get the real module."""
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]
        parent, _, name = module.__name__.rpartition(".")
        vars(sys.modules[parent]).pop(name, None)
