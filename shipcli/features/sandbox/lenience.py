"""A lenient sandbox: what its carriers never issued is answered as if they had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.features.core.app import read_fact

if TYPE_CHECKING:
    from shipcli.features.core.app import App

FACT = "sandbox_lenient"


def set_lenient(app: App, *, lenient: bool) -> None:
    """Make a sandbox lenient, or strict again; other processes notice when they start again."""
    with app.store.transaction() as tx:
        tx.upsert("store_facts", {"name": FACT, "value": lenient})
    app.shared[FACT] = lenient
    for simulator in app.shared.get("simulators", {}).values():
        simulator.lenient = lenient


def is_lenient(app: App) -> bool:
    """Whether it is; read once by a process."""
    if not app.sandbox:
        return False
    if FACT not in app.shared:
        app.shared[FACT] = bool(read_fact(app.store, FACT))
    return bool(app.shared[FACT])


def echo_empty_texts(sent: Any, answer: Any) -> Any:
    """Return an answer in which texts that were sent empty are empty, where it has null for them."""
    if isinstance(sent, dict) and isinstance(answer, dict):
        echoed = {
            name: echo_empty_texts(value, answer[name]) for name, value in sent.items() if name in answer
        }
        return {**answer, **echoed}
    if isinstance(sent, list) and isinstance(answer, list):
        pairs = [echo_empty_texts(value, item) for value, item in zip(sent, answer, strict=False)]
        return [*pairs, *answer[len(pairs) :]]
    return "" if sent == "" and answer is None else answer
