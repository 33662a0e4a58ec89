"""Names that a newcomer can rely on: a class name stands for one thing, a function starts with a verb."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import shipcli

ROOT = Path(shipcli.__file__).parent
# A participle alone says neither what is done nor to what: not `chosen` but `choose_rate`.
PARTICIPLE = re.compile(
    r"_*([a-z]+(ed|ing)|told|kept|made|found|known|chosen|said|held|taken|given|drawn|sent|sold|paid|shown"
    r"|written|bought|begun|gone|left|lost|spent|built|cut)"
)
VERBS = {"succeed", "ring", "embed", "need"}
NOUNS = {"docstring", "setting", "everything", "heading", "bearing", "string", "shipping", "tracking"}
# Of a model they give a copy, as `sorted` does; of a budget and of SQLite they say what holds in a block.
COPIES, BLOCKS = {"changed", "completed", "given"}, {"reserved", "explained"}

# The first words of functions: imperatives, and below them what a condition starts with. Most are nouns too
# (`name`, `list`, `label`); what they are in a name is for its reader to see.
IMPERATIVES = """
    accept act add advance agree allow announce answer apply ask assemble assign authenticate authorize
    begin blame book build buy call cancel carry certify change check choose claim clean clear close collect
    combine compare complete compress compute conclude confirm convert copy correct count create cut decide
    declare decode defer define deflate delete deliver derive describe digest disable discard dismiss do
    download draft drain draw drop dump edit embed emit encode end enqueue enrol enter escape exchange
    expand explain export fail fetch fill filter find finish fit flatten fold follow forbid forget fork
    format free fulfil gather generate get give go group guard guess hand hash hide hold identify import
    indent insert install issue iterate join keep know leave let limit link list listen load log look make
    map mark mask match measure merge migrate move name narrow note number obey obtain offer open override
    pack pad paint parse paste peek perform pick plan prepare price print process propose prune purchase put
    qualify quote rank rate read rebook recall record recover redirect redraw refer refresh refuse register
    reject remember remove render renew replace replay report reprint request require resize resolve restore
    resume retry reveal reverse revoke roll round route run save say scan schedule seal seed select sell
    send serve set settle shape share ship shorten show sign simulate skip sort spell split spread stamp
    start stop store strip succeed suggest sum summarise take tell test tidy track transform try turn undo
    unguard unpack unseal unset update upload upsert use validate verify void wait warn watch wrap write
"""
CONDITIONS = """
    are asks can collects contains crosses differs exceeds exists fits has holds is lacks matches may
    mentions misses must narrows needs owns passes reaches says uses was would
"""
FIRST_WORDS = frozenset((IMPERATIVES + CONDITIONS).split())
# Words of small languages, which read as declarations: filters of the store, columns of a list, rows of the
# table of operations, what templates see; and what Python itself calls so.
DECLARATIONS = {
    "cli/commands/files/data_templates.py": "templates",
    "cli/console/list_views.py": "field either tick",
    "cli/main.py": "main",
    "documents/tools.py": "money date_format",
    "documents/worker.py": "main",
    "models/basics/json.py": "loads dumps",
    "operations/table.py": "of row page",
    "readers/spreadsheet_worker.py": "main",
    "store/query.py": (
        "any_of at_least at_most below equal flag one_of pair pair_key pair_value since starts text until"
    ),
}
# The public words of the kit that the carriers are written with, such as `element` and `first`.
KIT = "carrier/"
COMMAND = re.compile(r"verb\b")


def test_every_class_name_is_used_once() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_shipments_orders_trackers_and_pickups_have_one_writer() -> None:
    kinds = ("shipment", "order", "tracker", "pickup")
    writers = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        for kind in kinds
        if f'.put("{kind}"' in path.read_text("utf-8")
    }
    assert writers == set()
    assert "tx.put(kind, document" in (ROOT / "features" / "core" / "repository.py").read_text("utf-8")


def test_no_function_is_called_by_a_participle_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and PARTICIPLE.fullmatch(node.name)
        and node.name.lstrip("_") not in VERBS | NOUNS | COPIES | BLOCKS
        and not _is_property(node)
    ]
    assert found == []


def test_functions_of_modules_start_with_a_verb() -> None:
    found = [
        f"{place}: {node.name}"
        for path in ROOT.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("__")
        and node.name.strip("_").split("_")[0] not in FIRST_WORDS
        and node.name not in DECLARATIONS.get(place := path.relative_to(ROOT).as_posix(), "").split()
        and not (place.startswith(KIT) and not node.name.startswith("_"))
        and not _is_command(node)
    ]
    assert found == []


def _is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a command: it is called as the command line has it."""
    return any(COMMAND.match(ast.unparse(decorator)) for decorator in node.decorator_list)


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
