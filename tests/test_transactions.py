"""Transactions that declare locks name what they read, and none goes on after an error of the store."""

from __future__ import annotations

import ast

import pytest

from tests.transactions import Code, get_locks, list_lone_additions, list_unnamed, read_code

# What is done for each row or parcel, or while others pack.
ALL_DAY = (
    "features/pickups/", "features/files/batches/reading.py", "features/files/batches/runner.py",
    "features/files/shipment_store.py", "features/files/order_import.py",
    "features/files/invoice_import.py", "worker/",
)  # fmt: skip

HELPED = """
def look(reader):
    return reader.get("order", "ord_1")

def read(tx, id):
    return tx.select("intents", {"key": id})

def save(app, tx, kind, document, cause):
    tx.put(kind, document)
    for follow in app.followers:
        follow(app, tx, document)

def follow(app, tx, document):
    tx.select("order_shipments", document)
    tx.add("members")
"""


@pytest.fixture(scope="module")
def code() -> Code:
    return read_code()


def test_a_declared_transaction_names_what_it_reads_before_it_writes(code: Code) -> None:
    declared = [call for _, _, call, _ in code.blocks if get_locks(call) is not None]
    assert len(declared) >= 15, "the hot ones"
    assert list_unnamed(code) == []


def test_one_that_only_adds_documents_keeps_nobody_out(code: Code) -> None:
    assert list_lone_additions(code) == []


def test_what_is_done_while_others_pack_keeps_nobody_out(code: Code) -> None:
    alone = [
        f"{module}:{block.lineno}"
        for module, block, call, _ in code.blocks
        if module.startswith(ALL_DAY) and get_locks(call) is None
    ]
    assert alone == []


@pytest.mark.parametrize(
    ("body", "is_lone"),
    [
        ("tx.put('order', made)", True),
        ("for made in all: tx.put('order', made)", True),
        ("tx.put('order', made); tx.update('idempotency', 1)", True),
        ("tx.get('order', 1); tx.put('order', made)", False),
        ("tx.put('order', made); tx.update('orders', 1)", False),
        ("tx.delete('order', 1)", False),
        ("look(reader=tx); tx.put('order', made)", False),
    ],
)
def test_what_adds_only_is_told_from_what_reads(body: str, is_lone: bool) -> None:
    code = Code()
    code.add("helpers.py", HELPED)
    code.add("work.py", f"from shipcli.helpers import look\nwith store.transaction() as tx:\n    {body}")
    assert bool(list_lone_additions(code)) == is_lone


@pytest.mark.parametrize(
    ("locks", "body", "unnamed"),
    [
        ("()", "tx.select('locks'); tx.upsert('locks')", ["locks"]),
        ("[f'lock/{name}']", "tx.select('locks'); tx.upsert('locks')", []),
        ("()", "tx.update('locks'); tx.select('locks')", []),
        ("()", "for name in names: tx.update('locks'); tx.select('locks')", ["locks"]),
        ("()", "look(tx); tx.add('members')", ["order"]),
        ("[f'order/{id}']", "look(reader=tx); tx.add('members')", []),
        ("[f'batch/{id}']", "read(tx, 1); tx.add('members')", ["intents"]),
        ("name_them(id)", "read(tx, 1); tx.add('members')", []),
        ("lambda reader: name_them(reader)", "read(tx, 1); tx.add('members')", []),
        ("partial(name_them, id=1)", "read(tx, 1); tx.add('members')", []),
        ("partial(count_them, id=1)", "read(tx, 1); tx.add('members')", ["intents"]),
        ("()", "save(app, tx, 'order', 1, 'noted')", []),
        ("()", "save(app, tx, 'order', 1, 'content')", ["order_shipments"]),
        ("()", "tx.get(KIND, 1); tx.put(KIND, 1)", ["batch"]),
        ("()", "tx.get(SECOND, 1); tx.put(KIND, 1)", ["order"]),
        ("()", "tx.get(kind, 1); tx.put(kind, 1)", ["kind"]),
    ],
)
def test_reads_are_found_in_what_is_handed_the_transaction(locks: str, body: str, unnamed: list[str]) -> None:
    code = Code()
    code.add("helpers.py", HELPED)
    start = (
        "from shipcli.helpers import look, read, save",
        "KIND = 'batch'",
        "FIRST, SECOND = 'batch', 'order'",
        "def name_them(id): return [f'shipment/{id}']",
        "def count_them(id) -> int: return len(f'shipment/{id}')",
    )
    block = (f"with store.transaction(locks={locks}) as tx:", f"    {body}")
    code.add("work.py", "\n".join((*start, *block)))
    assert [line.rpartition(" ")[2] for line in list_unnamed(code)] == unnamed


def test_no_error_of_the_store_is_caught_within_a_transaction(code: Code) -> None:
    """After such an error PostgreSQL refuses every other statement of the transaction."""
    caught = [
        f"{module}:{node.lineno}"
        for module, block, _, _ in code.blocks
        for node in ast.walk(block)
        if _catches(node)
    ] + [
        f"{module}:{node.lineno}"
        for functions in code.functions.values()
        for module, function in functions
        if "tx" in {argument.arg for argument in function.args.args}
        for node in ast.walk(function)
        if _catches(node)
    ]
    assert [place for place in caught if not place.startswith("store/")] == []


def _catches(node: ast.AST) -> bool:
    """Whether a node goes on after an error of the store: it does not raise another one."""
    if isinstance(node, ast.With):
        calls = [item.context_expr for item in node.items]
        return any(
            isinstance(call, ast.Call) and "suppress(" in ast.unparse(call) and _is_ours(call)
            for call in calls
        )
    if not isinstance(node, ast.Try):
        return False
    for handler in node.handlers:
        if handler.type is not None and _is_ours(handler.type):
            return not any(isinstance(each, ast.Raise) for each in ast.walk(handler))
    return False


def _is_ours(node: ast.AST) -> bool:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return bool(
        names & {"Duplicate", "StoreError", "StoreFull", "ShipcliError", "Exception", "BaseException"}
    )
