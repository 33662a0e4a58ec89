"""Methods that customers paid for and no service is chosen for, named before money is spent."""

from __future__ import annotations

from collections.abc import Mapping

from shipcli.cli.console.stderr import note, warn
from shipcli.models.basics.text import count_text


def warn_of_unknown_methods(methods: Mapping[str, int]) -> None:
    """Name each method, of how many orders it is, and what to type."""
    for name, count in methods.items():
        warn(f"{count_text(count, 'order')} paid as {name}, a method that no service is chosen for")
    if methods:
        note(f'shipcli methods map "{next(iter(methods))}" SERVICE, or cheapest in the place of SERVICE')
