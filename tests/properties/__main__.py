"""Property-based runs over a sandbox server: no 5xx, no undocumented status, no answer outside its schema.

Usage: python -m tests.properties [--seconds S] [--seed N]

Three runs: a fixed seed, a random one (or the one given), and one without credentials.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.api.running import Running
from tests.properties.world import made_on

HERE = Path(__file__).parent
ROOT = HERE.parents[1]  # where Schemathesis finds the hooks
FIXED = 20241206
PATIENT = {"SHIPCLI_REFUSAL_LIMIT": "1000000"}  # thousands of wrong credentials are tried from one address
ALL = "examples,coverage,fuzzing,stateful"
RANDOM = "examples,fuzzing,stateful"
SHORT = "examples,fuzzing"


@dataclass(frozen=True)
class Plan:
    """One run. Its time is spread over its phases: too little leaves the last ones without a case."""

    title: str
    seed: int
    seconds: int
    phases: str = ALL
    with_key: bool = True

    def words(self, server: Running, report: Path) -> list[str]:
        """The command line. One worker: Python 3.11 cannot parse syntax trees in two threads, and fails."""
        program = [str(Path(sys.executable).parent / "schemathesis"), "--config-file",
                   str(HERE / "schemathesis.toml"), "run"]  # fmt: skip
        key = ["--header", f"Authorization: Token {server.said['api_key']}"] if self.with_key else []
        limits = ["--phases", self.phases, "--seed", str(self.seed), "--max-time", str(self.seconds)]
        output = ["--report", "json", "--report-json-path", str(report), "--warnings", "off", "--no-color"]
        return [*program, f"{server.said['url']}/shipping-openapi", *key, *limits, *output]


def passes(plan: Plan) -> bool:
    """Whether a run found nothing, and that in all its phases: a run that asks nothing finds nothing.

    A machine that is too busy to reach all phases gets more time, once.
    """
    for seconds in (plan.seconds, 3 * plan.seconds):
        found_nothing, unreached = run(replace(plan, seconds=seconds))
        if not (found_nothing and unreached):
            return found_nothing
        print(f"no case was asked in {', '.join(unreached)} within {seconds} seconds", flush=True)
    return False


def run(plan: Plan) -> tuple[bool, list[str]]:
    """Whether a run found nothing, and the phases it did not reach; what it found is printed."""
    print(f"\n-- {plan.title}, seed {plan.seed}, {plan.seconds} seconds", flush=True)
    with TemporaryDirectory() as folder, Path(folder, "stderr").open("w+") as errors:
        file, report = Path(folder, "world.json"), Path(folder, "report.json")
        words = ("sandbox", "up", "--carriers", "all", "--port", "0", "--json")
        with Running(*words, errors=errors, environ=PATIENT) as server:
            file.write_text(json.dumps(asdict(made_on(server))), "utf-8")
            environ = {**os.environ, "PYTHONPATH": str(ROOT), "SHIPCLI_PROPERTIES_WORLD": str(file)}
            done = subprocess.run(plan.words(server, report), env=environ, cwd=folder, check=False)
            ended = server.stop()
        errors.seek(0)
        complaints = _complaints(ended, errors.read())
        unreached = _unreached(plan, report)
    print(complaints, flush=True)
    return not done.returncode and not complaints, unreached


def _unreached(plan: Plan, report: Path) -> list[str]:
    """The phases in which nothing was asked; none where Schemathesis itself failed and wrote no report."""
    if not report.exists():
        return []
    phases = json.loads(report.read_text("utf-8"))["phases"]
    return [name for name in plan.phases.split(",") if phases[name]["status"] == "skip"]


def _complaints(ended: int, said: str) -> str:
    """What the server did not survive, or wrote down of itself."""
    if not ended and "Traceback" not in said:
        return ""
    return f"the server ended with {ended} and said:\n{said[-5000:]}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.properties")
    parser.add_argument("--seconds", type=int, default=70, help="for all three runs together")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="of the random run")
    asked = parser.parse_args()
    tenth = max(asked.seconds // 10, 1)
    plans = [
        Plan("fixed seed", FIXED, 5 * tenth),
        Plan("random seed", asked.seed, 3 * tenth, RANDOM),
        Plan("without credentials", asked.seed, 2 * tenth, SHORT, with_key=False),
    ]
    found_nothing = [passes(plan) for plan in plans]  # all of them, whatever the first finds
    return 0 if all(found_nothing) else 1


if __name__ == "__main__":
    sys.exit(main())
