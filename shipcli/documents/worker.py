"""The process that renders templates: `python -m shipcli.documents.worker`.

It reads jobs from standard input and writes documents to standard output, each with its length before it.
Every job runs in a fork of its own that ends with it, behind walls: no file but Python's own modules, no
network, no program, limits on time and memory. Where there is no fork the process ends after one job.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, BinaryIO

from shipcli.clocks import real_clock
from shipcli.documents import html, sandbox, tools
from shipcli.documents.rendering import DONE, HEAD, write_failure, write_timeout
from shipcli.isolation import ResourceLimits, forbid_outside, limit_resources
from shipcli.models import json


def main() -> None:
    """Render jobs until standard input ends."""
    html.prepare()
    jobs, answers = sys.stdin.buffer, sys.stdout.buffer
    while request := _read(jobs):
        job = json.loads(request)
        answer = _fork(job) if hasattr(os, "fork") else _run_isolated(job)
        answers.write(HEAD.pack(len(answer)) + answer)
        answers.flush()
        if not hasattr(os, "fork"):
            return


def _read(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD.size)
    return stream.read(HEAD.unpack(head)[0]) if len(head) == HEAD.size else b""


def _fork(job: Mapping[str, Any]) -> bytes:
    """The result of a job in a fork of this process, or why the fork ended."""
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
        return write_failure(f"gives a document of more than {job['limits']['pdf']} bytes")
    return answer or _explain_end(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, job["limits"])


def _explain_end(by: int, limits: Mapping[str, Any]) -> bytes:
    """The answer for a job whose process was ended by a signal, or ended without a word."""
    if by == signal.SIGPROF:
        return write_failure(f"takes longer than the {limits['template_s']} seconds a template may take")
    if by in (signal.SIGXCPU, signal.SIGKILL):
        return write_timeout(limits["cpu_s"])
    return write_failure("made the renderer fail")


def _serve(job: Mapping[str, Any], far: int) -> None:
    """The whole life of a fork."""
    try:
        os.close(0)
        os.close(1)
        limits = job["limits"]
        limit_resources(ResourceLimits(limits["cpu_s"], limits["memory"]))
        answer = _run_isolated(job)
        remaining = memoryview(answer)
        while remaining:
            remaining = remaining[os.write(far, remaining) :]
    finally:
        os._exit(0)


def _run_isolated(job: Mapping[str, Any]) -> bytes:
    """A job behind the walls."""
    forbid_outside()
    try:
        return DONE + _render_document(job)
    except sandbox.Failure as error:
        return write_failure(error.reason, error.line, error.where)
    except MemoryError:
        return write_failure("needs more memory than a document may take")
    except RecursionError:
        return write_failure("is nested too deeply")
    except Exception as error:  # noqa: BLE001  # HTML of a stranger may break the renderer in any way
        return write_failure(
            f"gives HTML that can't be made a PDF: {str(error) or type(error).__name__}"[:500]
        )


def _render_document(job: Mapping[str, Any]) -> bytes:
    """The PDFs of a job, one per context, each with its length before it.

    Errors: sandbox.Failure.
    """
    _end_after(job["limits"]["template_s"])
    texts = _render_texts(job)
    _end_after(0)
    groups = (html.render_pdf(text, job["sheet"]) for text in texts)
    return b"".join(HEAD.pack(len(group)) + group for group in groups)


def _render_texts(job: Mapping[str, Any]) -> list[str]:
    most, texts = job["limits"]["html"], []
    shared = {name: job[name] for name in ("metadata", "sheet")}
    fixed = {**shared, "units": tools.make_units(), "utils": tools.make_utils(_read_now(job))}
    for context in job["contexts"]:
        text = sandbox.render(job["template"], job["prefetch"], {**context, **fixed}, most)
        texts.append(text)
        most -= len(text)
    return texts


def _end_after(seconds: float) -> None:
    """Have the system end this process after so much work; 0 takes that back."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _read_now(job: Mapping[str, Any]) -> datetime:
    return (
        datetime.fromisoformat(job["now"]) if job["now"] else real_clock().astimezone().replace(tzinfo=None)
    )


if __name__ == "__main__":
    main()
