"""The process that renders templates: `python -m shipcli.documents.worker`.

It reads jobs from standard input and writes documents to standard output, each with its length before it.
Every job
runs in a fork of its own that ends with it, behind walls: no file but Python's own modules, no network, no
program,
limits on time and memory. Where there is no fork the process ends after one job.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from shipcli.documents import html, sandbox, tools
from shipcli.documents.rendering import DONE, HEAD, too_long, wrong
from shipcli.models import json

REFUSED = (
    "socket.", "subprocess.", "os.", "shutil.", "ctypes.", "pty.", "webbrowser.", "urllib.", "ftplib.",
    "http.", "smtplib.", "sqlite3.", "tempfile.", "mmap.", "winreg.", "pathlib.", "glob.",
    "fcntl.", "signal.",
)  # fmt: skip
HARMLESS = ("os.listdir", "os.scandir", "os.putenv", "os.unsetenv")
READING = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
)


def main() -> None:
    """Render jobs until standard input ends."""
    html.prepare()
    jobs, answers = sys.stdin.buffer, sys.stdout.buffer
    while request := _read(jobs):
        job = json.loads(request)
        answer = _forked(job) if hasattr(os, "fork") else _walled(job)
        answers.write(HEAD.pack(len(answer)) + answer)
        answers.flush()
        if not hasattr(os, "fork"):
            return


def _read(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD.size)
    return stream.read(HEAD.unpack(head)[0]) if len(head) == HEAD.size else b""


def _forked(job: Mapping[str, Any]) -> bytes:
    """What a fork of this process makes of a job, or why it ended."""
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(near)
        _serve(job, far)
    os.close(far)
    with open(near, "rb") as stream:
        answer = stream.read(job["limits"]["pdf"] + 2)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if len(answer) > job["limits"]["pdf"] + 1:
        return wrong(f"gives a document of more than {job['limits']['pdf']} bytes")
    if not answer:
        is_late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return too_long(job["limits"]["cpu_s"]) if is_late else wrong("made the renderer fail")
    return answer


def _serve(job: Mapping[str, Any], far: int) -> None:
    """The whole life of a fork."""
    try:
        os.close(0)
        os.close(1)
        _limit(job["limits"])
        answer = _walled(job)
        rest = memoryview(answer)
        while rest:
            rest = rest[os.write(far, rest) :]
    finally:
        os._exit(0)


def _limit(limits: Mapping[str, Any]) -> None:
    import resource

    for name, soft, hard in (
        (resource.RLIMIT_CPU, limits["cpu_s"], limits["cpu_s"] + 1),
        (resource.RLIMIT_AS, limits["memory"], limits["memory"]),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        with suppress(ValueError, OSError):  # not every system knows every limit
            resource.setrlimit(name, (soft, hard))


def _walled(job: Mapping[str, Any]) -> bytes:
    """A job behind the walls."""
    sys.addaudithook(_wall())
    try:
        return DONE + _document(job)
    except sandbox.Failure as error:
        return wrong(error.reason, error.line, error.where)
    except MemoryError:
        return wrong("needs more memory than a document may take")
    except RecursionError:
        return wrong("is nested too deeply")
    except Exception as error:  # noqa: BLE001  # HTML of a stranger may break the renderer in any way
        return wrong(f"gives HTML that can't be made a PDF: {str(error) or type(error).__name__}"[:500])


def _document(job: Mapping[str, Any]) -> bytes:
    """The PDFs of a job, one per context, each with its length before it.

    Errors: sandbox.Failure.
    """
    most, groups = job["limits"]["html"], []
    fixed = {"metadata": job["metadata"], "units": tools.units(), "utils": tools.utils(_now(job))}
    for context in job["contexts"]:
        text = sandbox.render(job["template"], job["prefetch"], {**context, **fixed}, most)
        groups.append(html.to_pdf(text))
        most -= len(text)
    return b"".join(HEAD.pack(len(group)) + group for group in groups)


def _now(job: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(job["now"]) if job["now"] else datetime.now()


def _wall() -> Any:
    """A hook that refuses every event of the process that reaches outside; it can't be taken off."""
    places = (*sys.path, sys.prefix, sys.base_prefix, Path(__file__).parents[1])
    own = {str(Path(str(path)).resolve()) for path in places if path}
    roots = tuple(f"{path}{os.sep}" for path in own)

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = given
            reads = not flags or flags & ~READING == 0
            if not reads or not str(path).startswith(roots):
                raise PermissionError("a template can't open files")
        elif event.startswith(REFUSED) and event not in HARMLESS:
            raise PermissionError(f"a template can't do {event}")

    return hook


if __name__ == "__main__":
    main()
