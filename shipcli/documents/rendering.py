"""Templates that users wrote, rendered as PDF in a process of their own.

A template is untrusted code. The process that runs it has no environment, no files, no network, a
limit on time and memory, and forgets everything after each document. It is started when the first template is
rendered.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from shipcli.isolation import make_bare_environment, stop_process
from shipcli.models import json
from shipcli.models.basics.errors import Invalid, ShipcliError

HEAD = struct.Struct(">I")
DONE, WRONG = b"\x00", b"\x01"
PROCESSES = 3  # that render at once
MOST_PROCESSES = 8  # with those of callers who would have to wait for others
SMALL = 4096  # characters of a template that does not wait for larger ones of the same caller
Turn = tuple[str, bool]  # a caller, and whether the template is small


@dataclass(frozen=True)
class Limits:
    """What one document may cost: seconds, of which so many for its templates, and bytes."""

    template_s: int = 5
    cpu_s: int = 30
    wall_s: float = 60.0
    memory: int = 1 << 30
    html: int = 4 << 20
    pdf: int = 32 << 20


@dataclass(frozen=True)
class RenderJob:
    """A document to render: a page group per context.

    Shapes: `prefetch` are small templates rendered before, with the same context; `now` is ISO text;
            `sheet` is the paper of a template that names none, as CSS calls it.
    """

    template: str
    contexts: Sequence[Mapping[str, Any]] = ({},)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    prefetch: Mapping[str, str] = field(default_factory=dict)
    now: str = ""
    sheet: str = "a4"


class BadTemplate(Invalid):
    """A template that can't be rendered, and the line it stopped at if that is known."""

    def __init__(self, reason: str, line: int | None = None, where: str = "template") -> None:
        self.line = line
        super().__init__(where, f"line {line}: {reason}" if line else reason)


class Renderer:
    """The process that renders, one document at a time. Close it after use."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def render(self, job: RenderJob) -> bytes:
        """The document as PDF.

        Errors: BadTemplate with the line; ShipcliError if the process can't be started.
        """
        if not job.contexts:
            raise BadTemplate("nothing was named that it could show", where="data")
        request = json.dump_bytes({**asdict(job), "limits": asdict(self.limits)})
        with self._lock:
            answer = self._ask(request)
        if answer[:1] == DONE:
            return _merge_groups(answer[1:])
        raise BadTemplate(**json.loads(answer[1:]))

    def _ask(self, request: bytes) -> bytes:
        process = self._start()
        late = threading.Event()
        watch = threading.Timer(self.limits.wall_s, _stop_late, (process, late))
        watch.daemon = True
        watch.start()
        try:
            answer = _exchange(process, request)
        finally:
            watch.cancel()
        if answer:
            return answer
        self._forget()
        if late.is_set():
            return write_timeout(self.limits.wall_s)
        raise ShipcliError("The process that renders templates could not be started or was stopped")

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._forget()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "shipcli.documents.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=make_bare_environment(),
                cwd=os.path.abspath(os.sep),
                start_new_session=True,
            )
        return self._process

    def _forget(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        stop_process(process)
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        process.wait()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._forget()


class RendererPool:
    """Rendering processes for several callers, each started when it is needed. Close it after use.

    `size` documents are rendered at once. Only a caller with none under way gets a process beyond that, up to
    `most`: so nobody waits for the slow documents of somebody else, nor long for a small one of their own.
    """

    def __init__(
        self, limits: Limits | None = None, size: int = PROCESSES, most: int = MOST_PROCESSES
    ) -> None:
        self._size, self._all = size, [Renderer(limits) for _ in range(max(size, most))]
        self._free = list(reversed(self._all))  # the one that rendered last is taken first
        self._under_way = Counter[Turn]()
        self._waiting: list[Turn] = []
        self._changed = threading.Condition()

    def render(self, job: RenderJob, caller: str = "") -> bytes:
        """The document as PDF; errors as those of a renderer."""
        turn = (caller, len(job.template) <= SMALL)
        renderer = self._take(turn)
        try:
            return renderer.render(job)
        finally:
            with self._changed:
                self._free.append(renderer)
                self._under_way[turn] -= 1
                self._changed.notify_all()

    def _take(self, turn: Turn) -> Renderer:
        with self._changed:
            self._waiting.append(turn)
            try:
                self._changed.wait_for(lambda: self._may_start(turn))
            finally:
                self._waiting.remove(turn)
            self._under_way[turn] += 1
            return self._free.pop()

    def _may_start(self, turn: Turn) -> bool:
        """Whether a process is free, and no one who has fewer under way waits for it."""
        count = self._under_way[turn]
        if not self._free or any(self._under_way[other] < count for other in self._waiting):
            return False
        return count == 0 or self._under_way.total() < self._size

    def close(self) -> None:
        """End the processes."""
        for renderer in self._all:
            renderer.close()


def _merge_groups(answer: bytes) -> bytes:
    """The page groups of an answer as one PDF."""
    from shipcli.drawing import merge

    groups, at = list[bytes](), 0
    while at < len(answer):
        start = at + HEAD.size
        at = start + HEAD.unpack_from(answer, start - HEAD.size)[0]
        groups.append(answer[start:at])
    return groups[0] if len(groups) == 1 else merge(groups, "PDF")


def _exchange(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """The answer to a request; empty if the process ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(HEAD.pack(len(request)) + request)
        process.stdin.flush()
        head = process.stdout.read(HEAD.size)
        size = HEAD.unpack(head)[0] if len(head) == HEAD.size else 0
        answer = process.stdout.read(size)
    except (OSError, ValueError):
        return b""
    return answer if len(answer) == size else b""


def _stop_late(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    stop_process(process)


def write_failure(reason: str, line: int | None = None, where: str = "template") -> bytes:
    """The answer for a faulty template."""
    return WRONG + json.dump_bytes({"reason": reason, "line": line, "where": where})


def write_timeout(seconds: float) -> bytes:
    """The answer for a template that runs too long."""
    return write_failure(f"takes longer than the {seconds:g} seconds a document may take")
