"""Bars for long work: at a terminal only, out of the way of questions, gone in the end."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

SCRIPT = """
import sys, threading
from shipcli.cli.opening import start
from shipcli.cli.console import progress, prompts, stderr
from shipcli.cli.global_options import Options

progress.PATIENCE_S = 0.0
start(Options(quiet={quiet}))

def work(number):
    for bar in progress._bars:
        bar._timer.join()
    if number == 2:
        stderr.write("a word between")
        prompts.take_key("go on")
    return number

print("result", sum(progress.work_through([1, 2, 3], work, "buying")))
"""


def run_at_terminal(script: str) -> str:
    """What a terminal of 100 columns shows; the question is answered with Enter."""
    child, screen = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": "100"}
        os.execv(sys.executable, [sys.executable, "-c", script])
    os.write(screen, b"\n")
    shown = b""
    try:
        while piece := os.read(screen, 65536):
            shown += piece
    except OSError:  # the other side has ended
        pass
    os.close(screen)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, shown.decode()
    return shown.decode()


def test_a_bar_counts_and_leaves_nothing_behind() -> None:
    shown = run_at_terminal(SCRIPT.format(quiet=False))
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert "buying" in plain
    assert "/3" in plain
    assert "a word between" in plain
    assert "result 6" in plain
    assert shown.index("?25l") < shown.rindex("?25h")  # the cursor is back


def test_a_question_is_asked_while_no_bar_is_drawn() -> None:
    shown = run_at_terminal(SCRIPT.format(quiet=False))
    before, after = shown.split("go on")
    assert before.count("?25l") == before.count("?25h")
    assert "?25l" in after


def test_quiet_commands_draw_no_bar() -> None:
    assert "buying" not in run_at_terminal(SCRIPT.format(quiet=True))


@pytest.mark.parametrize("quiet", [True, False])
def test_a_pipe_gets_no_bar(quiet: bool) -> None:
    script = SCRIPT.format(quiet=quiet).replace('prompts.take_key("go on")', "pass")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("result 6\n", "a word between\n")
