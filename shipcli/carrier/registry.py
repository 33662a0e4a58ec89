"""Which carriers exist: folders of `shipcli.carriers` and the entry points of other authors.

A carrier's module is imported when it is first asked for; what is asked of all of them stands in an index
(`get_facts`). A broken plugin is listed as broken and disturbs nobody.
"""

from __future__ import annotations

import importlib
import inspect
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from shipcli import carriers
from shipcli.carrier.base import Carrier
from shipcli.carrier.index import NAME as INDEX
from shipcli.carrier.index import CarrierFacts, gather_facts, read_index
from shipcli.models import NotFound, ShipcliError, find_nearest

if TYPE_CHECKING:
    from shipcli.carrier.simulation.simulator import Simulator

GROUP = "shipcli.carriers"
AnyCarrier = type[Carrier[Any, Any]]


class BrokenCarrier(ShipcliError):
    """A carrier whose module can't be used."""

    def __init__(self, slug: str, reason: str) -> None:
        super().__init__(f"The carrier {slug} can't be loaded: {reason}")
        self.slug = slug


@cache
def list_slugs() -> tuple[str, ...]:
    """All carriers, in alphabetical order."""
    return tuple(sorted({*_find_folders(), *_find_plugins()}))


@cache
def _find_folders() -> dict[str, str]:
    roots = [Path(root) for root in carriers.__path__]
    found = {one.name for root in roots for one in root.iterdir() if (one / "__init__.py").is_file()}
    return {slug: f"{carriers.__name__}.{slug}" for slug in found}


@cache
def _find_plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def get(slug: str) -> AnyCarrier:
    """The class of a carrier.

    Errors: NotFound naming the nearest slug; BrokenCarrier when its module fails.
    """
    if slug in _find_folders():
        return _find_carrier_class(_load_module(slug, _find_folders()[slug]), slug)
    if slug in _find_plugins():
        return _load_plugin(slug)
    near = find_nearest(slug, list_slugs())
    hint = f" Did you mean {near}?" if near else ""
    raise NotFound(
        "carrier", slug, message=f"There is no carrier {slug!r}.{hint} Known: {', '.join(list_slugs())}."
    )


@cache
def get_simulator(slug: str) -> type[Simulator]:
    """The simulator class of a carrier: the one in the module `sandbox` beside it."""
    # A fifth of what `carriers list` costs, which needs none.
    from shipcli.carrier.simulation.simulator import Simulator

    module = _load_module(slug, f"{get(slug).__module__}.sandbox")
    found = _find_class(module, Simulator, slug)
    if found is None:
        raise BrokenCarrier(slug, f"{module.__name__} has no Simulator of that slug")
    return found


@cache
def get_facts(slug: str) -> CarrierFacts:
    """A carrier in short, from its index where it has one; its module is not loaded then.

    Errors: NotFound naming the nearest slug; BrokenCarrier when a carrier without an index can't be loaded.
    """
    path = _find_indexes().get(slug)
    return read_index(path) if path else gather_facts(get(slug))


def list_facts() -> list[CarrierFacts]:
    """All carriers in short; those that can't be loaded are left out."""
    found = []
    for slug in list_slugs():
        try:
            found.append(get_facts(slug))
        except BrokenCarrier:
            continue
    return found


@cache
def _find_indexes() -> dict[str, Path]:
    paths = (Path(root) / slug / INDEX for root in carriers.__path__ for slug in _find_folders())
    return {path.parent.name: path for path in paths if path.is_file()}


def list_broken() -> dict[str, str]:
    """Carriers that can't be loaded, and why."""
    found = {}
    for slug in list_slugs():
        try:
            get(slug)
        except BrokenCarrier as error:
            found[slug] = str(error)
    return found


def list_working() -> list[AnyCarrier]:
    """The classes of all carriers that can be loaded."""
    bad = list_broken()
    return [get(slug) for slug in list_slugs() if slug not in bad]


def _load_module(slug: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (ImportError, SyntaxError, TypeError, ValueError, AttributeError, NameError, LookupError) as error:
        raise BrokenCarrier(slug, f"{type(error).__name__}: {error}") from error


def _load_plugin(slug: str) -> AnyCarrier:
    try:
        found = _find_plugins()[slug].load()
    except (ImportError, SyntaxError, TypeError, ValueError, AttributeError, NameError, LookupError) as error:
        raise BrokenCarrier(slug, f"{type(error).__name__}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Carrier) and found.slug == slug):
        raise BrokenCarrier(slug, "its entry point is no Carrier of that slug")
    return found


def _find_carrier_class(module: ModuleType, slug: str) -> AnyCarrier:
    found = _find_class(module, Carrier, slug)
    if found is None:
        raise BrokenCarrier(slug, f"{module.__name__} has no Carrier of that slug")
    return found


def _find_class(module: ModuleType, kind: type[Any], slug: str) -> type[Any] | None:
    classes = (one for _, one in inspect.getmembers(module, inspect.isclass))
    return next(
        (one for one in classes if issubclass(one, kind) and getattr(one, "slug", None) == slug), None
    )
