"""What transactions read and write, and which locks they declare, by the syntax tree of the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import shipcli
from shipcli.store.queries import Reader
from shipcli.store.schema import KINDS
from shipcli.store.transaction import Transaction

READS = {name for name in vars(Reader) if not name.startswith("_")}
WRITES = {name for name in vars(Transaction) if not name.startswith("_")}
FOLDER = Path(shipcli.__file__).parent
# The locks that cover reads of a table: the rows of one key request, of one shipment's actions ... Whoever
# announces a purchase holds the orders in it, and so does who changes what a shipment covers of them.
COVERS = {
    **{kind: {kind} for kind in KINDS}, **{shape.plural: {kind} for kind, shape in KINDS.items()},
    "locks": {"lock"}, "intents": {"intent", "shipment", "order"}, "members": {"order"},
    "counters": {"counter"}, "idempotency": {"idempotency"}, "order_shipments": {"order"},
    "shipment": {"shipment", "order"},
    "batch_resources": {"batch"}, "batch_work": {"batch"}, "files": {"batch"}, "import_rows": {"import_row"},
}  # fmt: skip
FOLLOWER = "follow"  # what a save calls for each room that follows it
SAVE, NOTED = "save", "noted"  # ... unless it is told that none of them needs to know
Function = ast.FunctionDef | ast.AsyncFunctionDef
Event = tuple[str, str]  # what is called, and on which table
# What only transactions that are alone change.
SETTLED = frozenset({"store_facts"})
# What may read an older state: an event may go to a webhook that was disabled a moment ago.
ANY_TIME = frozenset({"list_subscribers"})
_DEPTH = 6  # of functions that name locks and call each other
ADDITIONS = frozenset({"put", "upsert_many", "next_number"})


@dataclass
class Code:
    """All functions of some modules, by name; the modules' constants by theirs."""

    functions: dict[str, list[tuple[str, Function]]] = field(default_factory=dict)
    constants: dict[tuple[str, str], str] = field(default_factory=dict)
    imports: dict[tuple[str, str], str] = field(default_factory=dict)
    events: dict[tuple[ast.AST, str], list[Event]] = field(default_factory=dict)
    read: set[tuple[ast.AST, str]] = field(default_factory=set)
    blocks: list[tuple[str, ast.With, ast.Call, str]] = field(default_factory=list)

    def add(self, name: str, text: str) -> None:
        """Take up a module."""
        tree = ast.parse(text)
        for statement in tree.body:
            if isinstance(statement, ast.Assign):
                for target, value in zip(_split(statement.targets[0]), _split(statement.value), strict=False):
                    if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
                        self.constants[name, target.id] = str(value.value)
        for node in ast.walk(tree):
            if isinstance(node, Function):
                self.functions.setdefault(node.name, []).append((name, node))
            elif isinstance(node, ast.ImportFrom) and node.module:
                self._note_imports(name, node)
            elif isinstance(node, ast.With):
                self.blocks += [(name, node, call, alias) for call, alias in _list_transactions(node)]

    def _note_imports(self, name: str, node: ast.ImportFrom) -> None:
        folder = (node.module or "").replace(".", "/").removeprefix("shipcli/")
        is_package = (FOLDER / folder / "__init__.py").is_file()
        for alias in node.names:
            path = f"{folder}/{alias.name}.py"
            home = f"{folder}/__init__.py" if is_package else f"{folder}.py"
            is_module = (FOLDER / path).is_file()
            self.imports[name, alias.asname or alias.name] = path if is_module else home

    def _find_home(self, module: str, name: str) -> str | None:
        """The module that defines what a module calls by a name: a package may only hand it on."""
        home = self.imports.get((module, name))
        return self.imports.get((home, name), home) if home else None

    def list_events(self, module: str, nodes: Sequence[ast.AST], tx: str) -> Iterator[Event]:
        """The reads and writes of a transaction in these nodes, in order; those of a loop come twice."""
        for node in nodes:
            children = list(ast.iter_child_nodes(node))
            again = 2 if isinstance(node, ast.For | ast.While) else 1
            yield from self.list_events(module, children * again, tx)
            if isinstance(node, ast.Call):
                yield from self._list_of_call(module, node, tx)

    def _list_of_call(self, module: str, call: ast.Call, tx: str) -> Iterator[Event]:
        function = call.func
        if isinstance(function, ast.Attribute) and _is_on(function.value, tx):
            if function.attr in READS | WRITES:
                yield function.attr, self._name_table(module, call.args[0] if call.args else None)
        elif _get_name(function) == SAVE and any(_is_constant(each, NOTED) for each in call.args):
            yield "put", self._name_table(module, call.args[2])
        else:
            for where, callee, parameter in self._find_callees(module, call, tx):
                yield from self._list_of_function(where, callee, parameter)

    def _list_of_function(self, module: str, function: Function, tx: str) -> list[Event]:
        """The first and last of each event in a function; one that is under way adds what is known of it."""
        if function.name in ANY_TIME:
            return []
        if (function, tx) not in self.read:
            self.read.add((function, tx))
            events = list(self.list_events(module, function.body, tx))
            first = {event: at for at, event in reversed([*enumerate(events)])}
            last = {event: at for at, event in enumerate(events)}
            kept = sorted({*first.values(), *last.values()})
            self.events[function, tx] = [events[at] for at in kept]
        return self.events.get((function, tx), [])

    def read_again(self) -> None:
        """Read all transactions, with what is known now of functions that call each other in a circle."""
        self.read.clear()
        for module, block, _, tx in self.blocks:
            list(self.list_events(module, block.body, tx))

    def _name_table(self, module: str, first: ast.expr | None) -> str:
        if isinstance(first, ast.Name):
            home = self._find_home(module, first.id) or module
            return self.constants.get((home, first.id), first.id)
        return str(first.value) if isinstance(first, ast.Constant) else "?"

    def _find_functions(self, module: str, function: ast.expr) -> list[tuple[str, Function]]:
        """The functions that a call may mean: of its module, of the one it is imported from, or all."""
        candidates = self.functions.get(_get_name(function), [])
        owner = function.value if isinstance(function, ast.Attribute) else function
        home = self._find_home(module, _get_name(owner))
        if home is None and isinstance(function, ast.Name):
            home = module
        if home == module and _get_name(function) == FOLLOWER:
            return candidates
        near = [item for item in candidates if item[0] == home]
        return near or ([] if isinstance(function, ast.Name) else candidates)

    def _find_callees(self, module: str, call: ast.Call, tx: str) -> Iterator[tuple[str, Function, str]]:
        """The functions that are handed the transaction, with the parameter that takes it."""
        is_handed = any(_is_on(argument, tx) for argument in call.args) or any(
            _is_on(keyword.value, tx) for keyword in call.keywords
        )
        for where, callee in self._find_functions(module, call.func) if is_handed else ():
            for parameter in ("tx", "reader"):
                if parameter in {each.arg for each in (*callee.args.args, *callee.args.kwonlyargs)}:
                    yield where, callee, parameter

    def list_prefixes(self, module: str, node: ast.AST, depth: int = 0) -> set[str]:
        """The kinds of locks that an expression names, itself or by the functions of this name."""
        found: set[str] = set()
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and "/" in each.value:
                found.add(each.value.partition("/")[0])
            elif isinstance(each, ast.Name | ast.Attribute) and depth < _DEPTH:
                candidates = self.functions.get(_get_name(each), [])
                near = self._find_functions(module, each) or candidates
                for where, function in filter(_gives_names, near):
                    found |= self.list_prefixes(where, ast.Module(function.body, []), depth + 1)
        return found


def read_code() -> Code:
    """All modules that may have the store at hand: carriers do not."""
    code = Code()
    for path in sorted(FOLDER.rglob("*.py")):
        name = path.relative_to(FOLDER).as_posix()
        if not name.startswith(("carriers/", "carrier/", "drawing/", "readers/", "models/")):
            code.add(name, path.read_text())
    for _ in range(2):
        code.read_again()
    return code


def list_unnamed(code: Code) -> list[str]:
    """The declared transactions that read, before they write, what none of their locks covers."""
    unnamed = []
    for module, block, call, tx in code.blocks:
        locks = get_locks(call)
        if locks is None:
            continue
        if isinstance(locks, ast.Name):
            locks = _find_value(code, module, locks.id, block)
        events = list(code.list_events(module, block.body, tx))
        last = max((at for at, (name, _) in enumerate(events) if name in WRITES), default=0)
        prefixes = code.list_prefixes(module, locks)
        tables = {table for name, table in events[:last] if name in READS} - SETTLED
        missing = sorted(table for table in tables if not COVERS.get(table, set()) & prefixes)
        unnamed += [f"{module}:{block.lineno} reads {table}" for table in missing]
    return unnamed


def list_lone_additions(code: Code) -> list[str]:
    """The transactions that only add documents, and yet keep all others out."""
    lone = []
    for module, block, call, tx in code.blocks:
        events = [event for event in code.list_events(module, block.body, tx) if event[1] != "idempotency"]
        names = {name for name, _ in events}
        if get_locks(call) is None and "put" in names and names <= ADDITIONS:
            lone.append(f"{module}:{block.lineno}")
    return lone


def get_locks(call: ast.Call) -> ast.expr | None:
    """What a transaction declares; None if it is exclusive."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == "locks"), None)


def _find_value(code: Code, module: str, name: str, block: ast.With) -> ast.expr:
    """What a variable was set to in the function around a block."""
    for functions in code.functions.values():
        for where, function in functions:
            if where == module and block in ast.walk(function):
                for node in ast.walk(function):
                    if isinstance(node, ast.Assign) and _get_name(node.targets[0]) == name:
                        return node.value
    raise LookupError(name)


def _list_transactions(node: ast.With) -> Iterator[tuple[ast.Call, str]]:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and _get_name(call.func) == "transaction":
            yield call, _get_name(item.optional_vars) if item.optional_vars else ""


def _split(node: ast.expr) -> list[ast.expr]:
    """The parts of a tuple; the only part of anything else."""
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _is_constant(node: ast.expr, value: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _gives_names(item: tuple[str, Function]) -> bool:
    """Whether a function may return locks."""
    returns = item[1].returns
    return returns is None or ast.unparse(returns) in ("str", "list[str]")


def _is_on(node: ast.expr, tx: str) -> bool:
    """Whether an expression is the transaction, or may be: `(reader or app.store)`."""
    return any(isinstance(each, ast.Name) and each.id == tx for each in _list_choices(node))


def _list_choices(node: ast.expr) -> list[ast.expr]:
    return node.values if isinstance(node, ast.BoolOp) else [node]


def _get_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
