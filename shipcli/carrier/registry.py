"""Which carriers exist: folders of `shipcli.carriers` and the entry points of other authors.

A carrier's module is imported when it is first needed; what is needed of all carriers stands in an index
(`get_facts`). A broken plugin is listed as broken and affects no other carrier.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli import carriers
from shipcli.carrier.base import Carrier
from shipcli.carrier.index import NAME as INDEX
from shipcli.carrier.index import CarrierFacts, gather_facts, parse_facts, read_lines
from shipcli.models import NotFound, ShipcliError, suggest_nearest

if TYPE_CHECKING:
    from shipcli.carrier.simulation.simulator import Simulator

GROUP = "shipcli.carriers"
AnyCarrier = type[Carrier[Any, Any]]
T = TypeVar("T")


class BrokenCarrier(ShipcliError):
    """A carrier whose module can't be used."""

    def __init__(self, slug: str, reason: str) -> None:
        super().__init__(f"The carrier {slug} can't be loaded: {reason}")
        self.slug = slug


@cache
def list_slugs() -> tuple[str, ...]:
    """Return the slugs of all carriers, in alphabetical order."""
    return tuple(sorted({*_find_folders(), *_find_plugins()}))


@cache
def _find_folders() -> dict[str, str]:
    roots = [Path(root) for root in carriers.__path__]
    folders = {
        folder.name for root in roots for folder in root.iterdir() if (folder / "__init__.py").is_file()
    }
    return {slug: f"{carriers.__name__}.{slug}" for slug in folders}


@cache
def _find_plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def get(slug: str) -> AnyCarrier:
    """Return the class of a carrier.

    Errors: NotFound naming the nearest slug; BrokenCarrier when its module fails.
    """
    if slug in _find_folders():
        return _find_class(_load(slug, partial(import_module, _find_folders()[slug])), Carrier, slug)
    if slug in _find_plugins():
        carrier = _load(slug, _find_plugins()[slug].load)
        if not (isinstance(carrier, type) and issubclass(carrier, Carrier) and carrier.slug == slug):
            raise BrokenCarrier(slug, "its entry point is no Carrier of that slug")
        return carrier
    hint = suggest_nearest(slug, list_slugs())
    raise NotFound(
        "carrier", slug, message=f"There is no carrier {slug!r}.{hint} Known: {', '.join(list_slugs())}."
    )


@cache
def get_simulator(slug: str) -> type[Simulator]:
    """Return the simulator class of a carrier: the one in the module `sandbox` beside it."""
    # A fifth of what `carriers list` costs, which needs none.
    from shipcli.carrier.simulation.simulator import Simulator

    return _find_class(
        _load(slug, partial(import_module, f"{get(slug).__module__}.sandbox")), Simulator, slug
    )


@cache
def get_facts(slug: str) -> CarrierFacts:
    """Return the facts of a carrier, from its index where it has one; its module is not loaded then.

    Errors: NotFound naming the nearest slug; BrokenCarrier when a carrier without an index can't be loaded.
    """
    line = _read_index().get(slug)
    return parse_facts(line) if line else gather_facts(get(slug))


def list_facts() -> list[CarrierFacts]:
    """Return the facts of all carriers but those that can't be loaded."""
    facts = []
    for slug in list_slugs():
        with suppress(BrokenCarrier):
            facts.append(get_facts(slug))
    return facts


@cache
def _read_index() -> dict[str, bytes]:
    lines: dict[str, bytes] = {}
    for root in carriers.__path__:
        lines |= read_lines(Path(root) / INDEX)
    return {slug: line for slug, line in lines.items() if slug in _find_folders()}


def drop_superseded(slugs: Sequence[str]) -> list[str]:
    """Return the carriers but for those whose successor is among them."""
    return [slug for slug in slugs if get_facts(slug).successor not in slugs]


def list_broken() -> dict[str, str]:
    """Return the slugs of carriers that can't be loaded, and why."""
    errors = {}
    for slug in list_slugs():
        try:
            get(slug)
        except BrokenCarrier as error:
            errors[slug] = str(error)
    return errors


def list_working() -> list[AnyCarrier]:
    """Return the classes of all carriers that can be loaded."""
    broken = list_broken()
    return [get(slug) for slug in list_slugs() if slug not in broken]


def _load(slug: str, load: Callable[[], T]) -> T:
    try:
        return load()
    except (ImportError, SyntaxError, TypeError, ValueError, AttributeError, NameError, LookupError) as error:
        raise BrokenCarrier(slug, f"{type(error).__name__}: {error}") from error


def _find_class(module: ModuleType, base: type[Any], slug: str) -> type[Any]:
    for _, carrier in inspect.getmembers(module, inspect.isclass):
        if issubclass(carrier, base) and getattr(carrier, "slug", None) == slug:
            return carrier
    raise BrokenCarrier(slug, f"{module.__name__} has no {base.__name__} of that slug")
