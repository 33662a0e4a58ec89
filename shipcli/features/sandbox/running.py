"""Sandboxes that run: each writes a run file, by which other commands of the same home find it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import mkstemp

from shipcli.features.core.processes import is_running, name_process, read_namespace
from shipcli.models.basics.errors import Conflict, Invalid, ShipcliError

RUN_FOLDER, ENDING = "run", ".json"
DEFAULT = "default"
KEPT = "kept"  # the permanent sandbox of a home
LONGEST_NAME = 40


@dataclass(frozen=True)
class RunningSandbox:
    """A sandbox that runs; `folder` is its home, `process` and `namespace` say whose process id it is."""

    name: str
    url: str
    folder: str
    pid: int
    process: str
    namespace: str
    api_key: str = field(repr=False)

    @property
    def is_alive(self) -> bool:
        """Whether its process still runs, as far as this process can see."""
        return self.namespace == read_namespace() and is_running(self.process) is True


class NoSandbox(ShipcliError):
    """There is no sandbox to look into."""

    code = "no_sandbox"
    exit_code = 5
    hint = "shipcli sandbox up"


class AmbiguousSandbox(ShipcliError):
    """Several sandboxes run and none was named."""

    code = "usage"
    exit_code = 2

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"several sandboxes run: {', '.join(names)}")
        self.hint = f"say which: --sandbox={names[0]}"


def make_running(name: str, url: str, folder: Path, api_key: str) -> RunningSandbox:
    """The sandbox that this process serves."""
    return RunningSandbox(name, url, str(folder), os.getpid(), name_process(), read_namespace(), api_key)


def check_name(name: str) -> str:
    """Errors: Invalid for a name that is no file name."""
    if not 0 < len(name) <= LONGEST_NAME or not name.replace("-", "").replace("_", "").isalnum():
        raise Invalid("name", f"{name!r} is not a name of letters, digits, - and _")
    return name


def list_running(home: Path) -> list[RunningSandbox]:
    """The sandboxes of a home that run, by name; files that dead ones left behind are ignored."""
    places = sorted((home / RUN_FOLDER).glob(f"*{ENDING}"))
    sandboxes = [sandbox for place in places if (sandbox := _read(place))]
    return [sandbox for sandbox in sandboxes if sandbox.is_alive]


def _read(place: Path) -> RunningSandbox | None:
    try:
        return RunningSandbox(**json.loads(place.read_bytes()))
    except (OSError, ValueError, TypeError):  # it just ended, or another version wrote it
        return None


def choose_running(home: Path, name: str | None = None) -> RunningSandbox | None:
    """The running sandbox of this name, else the only one; None if none runs.

    Errors: NoSandbox for a name that no running sandbox has; AmbiguousSandbox.
    """
    running = {sandbox.name: sandbox for sandbox in list_running(home)}
    if name in running or name == KEPT:
        return running.get(name)
    if name:
        others = f"; these do: {', '.join(running)}" if running else ""
        raise NoSandbox(f"no sandbox {name!r} runs{others}")
    if len(running) > 1:
        raise AmbiguousSandbox(list(running))
    return next(iter(running.values()), None)


def choose_name(home: Path, name: str | None) -> str:
    """The name of a new sandbox: the one asked for, else the first free one.

    Errors: Invalid; Conflict if a running one has it.
    """
    taken = {sandbox.name for sandbox in list_running(home)}
    if name and check_name(name) in taken:
        raise Conflict(f"a sandbox {name!r} runs already")
    number = 1
    while not name or name in taken:
        name, number = (DEFAULT if number == 1 else f"{DEFAULT}-{number}"), number + 1
    return name


@contextmanager
def publish(home: Path, sandbox: RunningSandbox) -> Iterator[None]:
    """Let others find a sandbox as long as the block lasts.

    Errors: Conflict if another one took its name meanwhile; OSError if the home can't be written.
    """
    place = home / RUN_FOLDER / f"{sandbox.name}{ENDING}"
    for folder in (home, place.parent):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, draft = mkstemp(dir=place.parent)  # readable by this user only
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(asdict(sandbox), file)
        _claim(Path(draft), place)
    finally:
        os.unlink(draft)
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def _claim(draft: Path, place: Path) -> None:
    existing = _read(place)
    if existing is None or not existing.is_alive:
        place.unlink(missing_ok=True)
    try:
        os.link(draft, place)
    except FileExistsError:
        raise Conflict(f"a sandbox {place.stem!r} runs already") from None
