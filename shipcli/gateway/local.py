"""Operations carried out in this process, on the store of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate

from shipcli.gateway.gateway import Candidate, P, R, Row

if TYPE_CHECKING:
    from shipcli.config import Config
    from shipcli.features.core.app import App
    from shipcli.features.shipments.defaults import ShipDefaults
    from shipcli.gateway.where import ListFilter
    from shipcli.store.queries import Skip


def _read_again(use: Callable[..., Any], answer: dict[str, Any]) -> Any:
    """The result that a use-case gave the first time, remembered as plain data."""
    from shipcli.gateway.http import find_operation, read_answer

    return read_answer(find_operation(use), answer)


class LocalGateway:
    """The use-cases themselves, with their app."""

    url = ""

    def __init__(self, app: App, skip: Skip | None = None) -> None:
        self.app, self._skip = app, skip

    @property
    def config(self) -> Config:
        """The settings of this machine."""
        return self.app.config

    @property
    def defaults(self) -> ShipDefaults:
        """The defaults that need not be typed, from the store and the printers of this machine."""
        from shipcli.features.paper.printing.rendering import choose_label_type
        from shipcli.features.shipments.defaults import read_defaults  # most commands need none

        return replace(read_defaults(self.app), label_type=choose_label_type(self.app))

    @property
    def workers(self) -> int:
        """Several for real carriers, which are far away; one for simulators, which run in this process."""
        from shipcli.features.core.row_results import WORKERS

        return 1 if self.app.sandbox else WORKERS

    @property
    def is_sandbox(self) -> bool:
        """Whether all carriers are simulated."""
        return self.app.sandbox

    def now(self) -> datetime:
        """The time on this machine."""
        return self.app.now()

    def ask(self, use: Callable[Concatenate[App, P], R], *arguments: P.args, **named: P.kwargs) -> R:
        """The result of a use-case.

        Errors: those of the use-case.
        """
        return use(self.app, *arguments, **named)

    def ask_once(
        self, key: str | None, use: Callable[Concatenate[App, P], R], *arguments: P.args, **named: P.kwargs
    ) -> R:
        """The result of an operation with a body, done once per key; `auto` makes a key from the body.

        Errors: also IdempotencyConflict.
        """
        if key is None:
            return self.ask(use, *arguments, **named)
        from shipcli.features.core import idempotency

        body: Any = arguments[-1]
        request = body.model_dump()
        once = idempotency.make_idempotency_key(
            self.app, use.__name__, idempotency.choose_key(key, request), request
        )
        keyed: Callable[..., Any] = partial(use, self.app, *arguments, **named)
        made = idempotency.perform_with_key(self.app, once, lambda: keyed(once=once))
        answer: R = _read_again(use, made) if isinstance(made, dict) else made
        return answer

    def require_promise(self, what: str) -> None:
        """Nothing to check: this store keeps its promises."""

    def page(self, kind: str, where: ListFilter, limit: int, offset: int) -> tuple[int, Iterable[Row]]:
        """How many of a kind match, and a page of them as stored, newest first."""
        if where.tests:
            count, rows = self.every(kind, where)
            return count, list(rows)[offset : offset + limit]
        page = self.app.store.page(kind, where.conditions, limit, offset, self.app.test_mode, self._skip)
        return page.count, page.items

    def every(self, kind: str, where: ListFilter) -> tuple[int, Iterable[Row]]:
        """How many of a kind match, and all of them, newest first."""
        if where.tests:
            rows = list(self.each(kind, where))
            return len(rows), rows
        count = self.app.store.count(kind, where.conditions, self.app.test_mode)
        return count, self.each(kind, where)

    def each(self, kind: str, where: ListFilter) -> Iterator[dict[str, Any]]:
        """All of a kind that match, as stored, newest first, one after the other."""
        rows = self.app.store.each(kind, where.conditions, self.app.test_mode, skip=self._skip)
        return (row for row in rows if where.passes(row)) if where.tests else rows

    def find(self, kind: str, word: str, most: int) -> list[Candidate]:
        """The objects that a word may mean; if there is only one, its id is enough."""
        store, mode = self.app.store, self.app.test_mode
        matches = store.find_prefix([kind], word, mode, most)
        if len(matches) == 1:
            return [{"id": matches[0].id}]
        return [{**(store.get(kind, match.id) or {}), "id": match.id} for match in matches]
