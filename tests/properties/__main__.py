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
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.api.running import Running
from tests.properties.world import made_on

HERE = Path(__file__).parent
FIXED = 20241206
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

    def words(self, server: Running) -> list[str]:
        """The command line. One worker: Python 3.11 cannot parse syntax trees in two threads, and fails."""
        program = [str(Path(sys.executable).parent / "schemathesis"), "--config-file",
                   str(HERE / "schemathesis.toml"), "run"]  # fmt: skip
        key = ["--header", f"Authorization: Token {server.said['api_key']}"] if self.with_key else []
        limits = ["--phases", self.phases, "--seed", str(self.seed), "--max-time", str(self.seconds)]
        address = f"{server.said['url']}/shipping-openapi"
        return [*program, address, *key, *limits, "--warnings", "off", "--no-color"]


def run(plan: Plan) -> bool:
    """Whether a run found nothing; what it found is printed."""
    print(f"\n-- {plan.title}, seed {plan.seed}", flush=True)
    with TemporaryDirectory() as folder, Path(folder, "stderr").open("w+") as errors:
        server = Running("sandbox", "up", "--port", "0", "--json", errors=errors)
        file = Path(folder, "world.json")
        file.write_text(json.dumps(asdict(made_on(server))), "utf-8")
        environ = {**os.environ, "SHIPCLI_PROPERTIES_WORLD": str(file)}
        found = subprocess.run(plan.words(server), env=environ, cwd=folder, check=False).returncode
        ended = server.stop()
        errors.seek(0)
        said = errors.read()
    if ended or "Traceback" in said:
        print(f"the server ended with {ended} and said:\n{said[-5000:]}")
    return not found and not ended and "Traceback" not in said


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.properties")
    parser.add_argument("--seconds", type=int, default=70, help="for all three runs together")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="of the random run")
    asked = parser.parse_args()
    tenth = max(asked.seconds // 10, 1)
    plans = [
        Plan("fixed seed", FIXED, 5 * tenth),
        Plan("random seed", asked.seed, 4 * tenth, RANDOM),
        Plan("without credentials", asked.seed, tenth, SHORT, with_key=False),
    ]
    found_nothing = [run(plan) for plan in plans]  # all of them, whatever the first finds
    return 0 if all(found_nothing) else 1


if __name__ == "__main__":
    sys.exit(main())
