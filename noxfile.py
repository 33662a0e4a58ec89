"""The tasks of this project, by name: `nox -s NAME`; `nox -l` lists them.

They run in the environment that nox runs in: `pip install -c constraints.txt -e '.[dev]'` makes it.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "tests"]
HASHED = Path(".ci") / "constraints-hashed.txt"
ALL_VERSIONS = ("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--no-header",
                "--no-annotate")  # fmt: skip
LOWEST = ("tests/documents", "tests/drawing", "tests/readers", "tests/models", "tests/carrier", "tests/store")
# What may differ with another Python: not what each carrier is told, nor every command.
NEWER = (
    *LOWEST,
    "tests/api/test_embedded.py",
    "tests/api/test_server.py",
    "tests/carriers/test_contract.py",
    "tests/cli/commands/bench",
    "tests/cli/console",
    "tests/events",
    "tests/features",
    "tests/security",
    "tests/test_package.py",
    "tests/worker",
)
# Each process of a run reads all tests: more of them than cores cost more than they save, unless they wait.
TESTS = ("python", "-m", "pytest", "-n", "4")
ENGINE_ROOMS = ("tests/store", "tests/worker", "tests/features", "tests/api")
# What each of many cells tells of a carrier or a scenario is the same on every engine and every Python.
GRIDS = (
    "tests/features/sandbox/test_scenario_matrix.py",
    "tests/features/sandbox/test_desk_matrix.py",
    "tests/features/shipments/test_unprintable.py",
    "tests/features/rules/test_generated.py",
    "tests/api/operations/test_every_carrier.py",
)
FAST = ("tests/models", "tests/carrier", "tests/events", "tests/guides", "tests/test_names.py")
BENCHMARKS = (
    "api",
    "purchase",
    "calls",
    "start_up",
    "bench_lines",
    "batches",
    "printing",
    "drawing",
    "import_rows",
    "rules",
    "reports",
)  # those with limits
TEST_TOOLS = (
    "pytest",
    "pytest-xdist",
    "hypothesis",
    "jsonschema",
    "python-bidi",
    "httpx2",
    "standardwebhooks",
)


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff, and the import contracts."""
    session.run("ruff", "check", ".", external=True)
    session.run("ruff", "format", "--check", ".", external=True)
    session.run("lint-imports", external=True)


@nox.session
def types(session: nox.Session) -> None:
    """Types, strictly."""
    session.run("mypy", external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """All tests; words after -- go to pytest."""
    session.run(*TESTS, *session.posargs, external=True)


@nox.session
def fast(session: nox.Session) -> None:
    """Lint, types and the tests that start no process, in less than a minute: before every commit."""
    lint(session)
    types(session)
    session.run(*TESTS, "-m", "not slow", *FAST, external=True)


@nox.session
def benchmarks(session: nox.Session) -> None:
    """Costs as ratios within one run; BENCHMARK_SLACK=3 makes the limits wide, for busy machines.

    Words after -- choose parts, such as `api purchase`. Each part runs in a process of its own.
    """
    for part in session.posargs or BENCHMARKS:
        session.run("python", "-m", "pytest", f"tests/benchmarks/test_{part}.py", external=True)


@nox.session
def clients(session: nox.Session) -> None:
    """Generate clients from the served document and use them. Needs Node.js and the extra `contract`."""
    session.run("python", "-m", "pytest", "tests/clients", *session.posargs, external=True)


@nox.session
def properties(session: nox.Session) -> None:
    """Search for answers the document does not allow, and for requests no carrier does. Extra `contract`.

    By a fixed seed, and by one that changes with the project but is the same wherever one commit is searched:
    what passes on one machine passes on the next. `-- --seed N` searches elsewhere.
    """
    words = session.posargs if "--seed" in session.posargs else (*session.posargs, "--seed", make_seed())
    session.run("python", "-m", "tests.properties", *words, external=True)
    seed = words[words.index("--seed") + 1]
    session.run(*TESTS, "tests/carriers/witness", "--witness-seed", seed, external=True)


def make_seed() -> str:
    """A number made of the tree that is committed."""
    asked = ("git", "rev-parse", "HEAD^{tree}")
    tree = subprocess.run(asked, cwd=Path(__file__).parent, check=True, capture_output=True, text=True).stdout
    return str(int(tree, 16) % 2**32)


@nox.session
def faults(session: nox.Session) -> None:
    """Kill every command that buys, books, prints or imports at each of its writes."""
    session.run("python", "-m", "tests.faults", *session.posargs, external=True)


@nox.session
def floods(session: nox.Session) -> None:
    """Ten minutes of abuse beside an honest client."""
    session.run("python", "-m", "tests.floods", *session.posargs, external=True)


@nox.session
def freshness(session: nox.Session) -> None:
    """Name each carrier of which something else is published by now than what it was held against."""
    session.run("python", "-m", "tests.carriers.freshness", *session.posargs, external=True)


@nox.session
def mutations(session: nox.Session) -> None:
    """Make small mistakes in what must not fail, and name those that no test notices. Takes hours."""
    session.run("python", "-m", "tests.mutations", *session.posargs, external=True)


@nox.session
def update(session: nox.Session) -> None:
    """Take the newest versions into constraints.txt, and their hashes. Needs uv (from PyPI).

    Markers, such as those for Intel Macs, are kept by hand: look at the difference before you commit it.
    """
    session.run(
        *ALL_VERSIONS, "--upgrade", "--all-extras", "pyproject.toml", "-o", "constraints.txt", external=True
    )
    hashes(session)


@nox.session
def hashes(session: nox.Session) -> None:
    """Write the hashes of the versions in constraints.txt. Needs uv (from PyPI)."""
    command = (
        *ALL_VERSIONS,
        "--generate-hashes",
        "-c",
        "constraints.txt",
        "pyproject.toml",
        "-o",
        str(HASHED),
    )
    session.run(*command, external=True)


@nox.session
def audit(session: nox.Session) -> None:
    """Look for known vulnerabilities of the pinned versions. Needs pip-audit (from PyPI) and its service."""
    session.run("pip-audit", "--require-hashes", "--disable-pip", "-r", str(HASHED), external=True)


@nox.session
def lowest(session: nox.Session) -> None:
    """Test with the oldest versions that pyproject.toml allows. Needs uv (from PyPI)."""
    with tempfile.TemporaryDirectory() as folder:
        python = str(Path(folder) / "bin" / "python")
        session.run("python", "-m", "venv", folder, external=True)
        install = ("uv", "pip", "install", "--quiet", "--python", python)
        session.run(*install, "--resolution", "lowest-direct", ".[postgres]", external=True)
        session.run(*install, "-c", "constraints.txt", *TEST_TOOLS, external=True)
        session.run(python, "-m", "pytest", "-n", "2", "-m", "not slow", *LOWEST, external=True)


@nox.session
def engines(session: nox.Session) -> None:
    """Test what writes and reads in PostgreSQL, but not its grids, and a day of a thousand labels."""
    words = ("--engine", "postgres", "-m", "not slow", *ENGINE_ROOMS, *session.posargs)
    session.run(*TESTS, *words, *(f"--ignore={grid}" for grid in GRIDS), external=True)
    session.env["SHIPCLI_DAY_ROWS"] = "1000"
    session.run("python", "-m", "pytest", "tests/day/test_shared_day.py", external=True)


@nox.session
def crashes(session: nox.Session) -> None:
    """Kill workers, servers and PostgreSQL, cut connections, promote standbys, fifty times each, while
    several machines buy and tell of it; `-- --tries 3 --fault worker cut` tries less.
    """
    session.run("python", "-m", "tests.engines", "crash", "--tries", "50", *session.posargs, external=True)


@nox.session
def browser(session: nox.Session) -> None:
    """Do at the window what people do there, in headless Chromium, where there is one."""
    session.run("python", "-m", "pytest", "tests/browser", *session.posargs, external=True)


@nox.session
def newer(session: nox.Session) -> None:
    """Test what may differ with another version of Python: that of the environment nox runs in."""
    session.run(*TESTS, "-m", "not slow", *NEWER, *(f"--ignore={grid}" for grid in GRIDS), external=True)


@nox.session
def walks(session: nox.Session) -> None:
    """How many functions, files and SQL statements a purchase passes, and the graph of imports."""
    session.run("python", "-m", "tests.walks", external=True)
