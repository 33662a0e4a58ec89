"""Files, tasks, modules and commands that the guides name exist, with their options."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from shipcli.cli import command_table
from shipcli.cli.command_loader import build, list_own_options
from shipcli.cli.global_options import read_line

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "carriers" / "README.md",
         ROOT / "examples" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]  # fmt: skip
TOP = r"(?:shipcli|carriers|tests|docs|examples|completions|\.ci)"
FILE = re.compile(rf"(?<![\w/.:-]){TOP}/[\w./<>*-]*[\w>*/]")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
MODULE = re.compile(r"python -m ((?:tests|shipcli)[\w.]*)")
TASKS = re.compile(r"\bnox -s ([a-z_ ]+)")
SHELLS = ("sh", "cron", "ini")


def texts() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        yield str(page.relative_to(ROOT)), page.read_text("utf-8")


def collect(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """What a pattern finds in the guides, each once a page."""
    return sorted({(page, str(found)) for page, text in texts() for found in pattern.findall(text)})


def command_lines() -> Iterator[tuple[str, str]]:
    for page, text in texts():
        for language, block in BLOCK.findall(text):
            if language in SHELLS:
                yield from ((page, found) for found in re.findall(r"\bshipcli (?=[-a-z])[^\n&|#]*", block))
        for code in INLINE.findall(BLOCK.sub("", text)):
            if re.match(r"shipcli [-a-z]", code):
                yield page, code


@pytest.mark.parametrize(("page", "path"), collect(FILE), ids=str)
def test_every_named_file_exists(page: str, path: str) -> None:
    """`<room>` and `*` stand for any name."""
    pattern = re.sub(r"<[^>]*>", "*", path).rstrip("/.")
    assert list(ROOT.glob(pattern)), f"{page} names {path}, which does not exist"


@pytest.mark.parametrize(("page", "target"), collect(LINK), ids=str)
def test_every_link_leads_to_a_page(page: str, target: str) -> None:
    assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}, which does not exist"


def sessions() -> set[str]:
    """The tasks of noxfile.py, read without running it."""
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list}


@pytest.mark.parametrize(("page", "words"), collect(TASKS), ids=str)
def test_every_named_task_exists(page: str, words: str) -> None:
    assert set(words.split()) <= sessions(), f"{page} names tasks that noxfile.py does not have"


def test_every_task_that_ci_calls_exists() -> None:
    called = TASKS.findall((ROOT / ".ci" / "run").read_text("utf-8"))
    assert called
    assert set(" ".join(called).split()) <= sessions()


def test_the_readme_tests_as_the_task_does() -> None:
    """The line for newcomers works without knowing of tasks; it must not drift from the task."""
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    tests = next(ast.literal_eval(node.value) for node in tree.body
                 if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TESTS")  # fmt: skip
    assert f"&& {' '.join(tests)}\n" in PAGES[0].read_text("utf-8")


@pytest.mark.parametrize(("page", "module"), collect(MODULE), ids=str)
def test_every_named_module_can_be_run(page: str, module: str) -> None:
    found = find_spec(module)
    assert found, f"{page} names {module}, which does not exist"
    assert found.submodule_search_locations is None or find_spec(f"{module}.__main__")


@pytest.mark.parametrize(("page", "line"), sorted(set(command_lines())), ids=str)
def test_every_named_command_exists_with_its_options(page: str, line: str) -> None:
    words = shlex.split(line.replace("...", ""))[1:]
    read = read_line([word for word in words if word != "&&"], list_own_options)
    if not read.path:  # `shipcli --help` and the like: only global options, which were understood
        assert not [word for word in read.rest if word.startswith("-")]
        return
    row = command_table.find_noun(read.path[0])
    assert row, f"{page}: there is no {read.path[0]}"
    if len(read.path) == 1 and row.verbs:  # the noun alone
        return
    assert build(read.path), f"{page}: there is no {' '.join(read.path)}"
    known = list_own_options(read.path)
    options = [word.split("=")[0] for word in read.rest if re.match(r"-{1,2}[a-z]", word)]
    strange = [option for option in options if option not in known]
    assert strange == [], f"{page}: {' '.join(read.path)} has no {', '.join(strange)}"
