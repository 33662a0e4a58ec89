"""A scenario: what is prepared, killed, done again and examined; and its tries."""

from __future__ import annotations

import importlib
import pkgutil
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.faults.children import Act, Outcome, Parent
from tests.faults.points import Grain

KEY = "the-same-key"


@dataclass(frozen=True)
class Line:
    """A command line in the sandbox of a folder's home; `{folder}` in a word is the folder."""

    words: tuple[str, ...]

    def __init__(self, *words: str) -> None:
        object.__setattr__(self, "words", words)

    def __call__(self, folder: Path) -> int:
        from shipcli.cli.main import main

        words = [word.replace("{folder}", str(folder)) for word in self.words]
        return main(["--sandbox", "--home", str(folder / "home"), *words])


@dataclass(frozen=True)
class Request:
    """A request to the API of a folder's home; its exit code is 0 for a success. The answer is put out.

    A body of bytes is sent as it is.
    """

    method: str
    path: str
    body: Any = None
    key: str | None = KEY
    media: str = "application/json"

    def __call__(self, folder: Path) -> int:
        from shipcli.api.in_process import InProcess
        from shipcli.bootstrap import open_app

        app = open_app(folder / "home", sandbox=True, environ={})
        served = InProcess(app)
        try:
            keyed = {"idempotency-key": self.key} if self.key else {}
            headers = {"content-type": self.media, **keyed}
            reply = served.send(self.method, self.path, "", headers, self._content())
            print(reply.status, reply.content.decode())
        finally:
            served.close()
            app.close()
        return 0 if reply.status < 400 else reply.status % 256

    def _content(self) -> bytes:
        from shipcli.models import json

        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dump_bytes(self.body)


@dataclass(frozen=True)
class Done:
    """A try that is over: the folder as it is now, and how both runs ended."""

    folder: Path
    first: Outcome
    second: Outcome

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def said(self) -> str:
        """All that either run put out or wrote into a file of text beside the home."""
        files = [one for one in self.folder.iterdir() if one.suffix in (".json", ".csv")]
        texts = [one.read_text("utf-8", "replace") for one in files]
        return "\n".join([self.first.out, self.second.out, self.second.err, *texts])


Figures = Mapping[str, int]


@dataclass(frozen=True)
class Scenario:
    """One row of the table. `accepted` names the figures that may be above zero."""

    name: str
    prepare: Act
    act: Act
    examine: Callable[[Done], Figures]
    again: Act | None = None
    accepted: frozenset[str] = frozenset()


@dataclass
class Report:
    """What the tries of a scenario found."""

    scenario: Scenario
    points: Sequence[str]
    tries: int = 0
    figures: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def enter(self, number: int, found: Figures, done: Done) -> None:
        """Add one try."""
        self.tries += 1
        self.figures.update(found)
        wrong = {name: n for name, n in found.items() if n and name not in self.scenario.accepted}
        if wrong:
            point = self.points[number - 1] if number <= len(self.points) else "not killed"
            said = " / ".join((done.second.err or done.second.out).split("\n"))[:300]
            self.broken.append(
                f"before write {number} ({point}): {wrong}, then exit {done.second.code}: {said}"
            )


def try_all(scenario: Scenario, grain: Grain, parent: Parent, most: int | None = None) -> Report:
    """Kill at every write, and once not at all; with `most`, at so many of these, spread over the line."""
    with TemporaryDirectory(prefix="faults-") as scratch:
        folder, seed = Path(scratch, "try"), Path(scratch, "seed")
        folder.mkdir()
        made = parent.run(scenario.prepare, folder)
        assert made.code == 0, f"{scenario.name} cannot be prepared: {made.err}"
        folder.rename(seed)
        shutil.copytree(seed, folder)
        points = parent.run(scenario.act, folder, grain=grain).points
        report = Report(scenario, points)
        for number in spread(len(points) + 1, most):
            shutil.rmtree(folder)
            shutil.copytree(seed, folder)
            first = parent.run(scenario.act, folder, last=number, grain=grain)
            done = Done(folder, first, parent.run(scenario.again or scenario.act, folder))
            report.enter(number, scenario.examine(done), done)
    return report


def spread(count: int, most: int | None) -> list[int]:
    """The numbers from 1 to a count, or so many of them at even distances, the first and last included."""
    if most is None or count <= most:
        return list(range(1, count + 1))
    return sorted({1 + round(step * (count - 1) / (most - 1)) for step in range(most)})


def scenarios() -> Iterator[Scenario]:
    """Every scenario of `tests/faults/scenarios`."""
    package = importlib.import_module("tests.faults.scenarios")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        yield from importlib.import_module(module.name).SCENARIOS
