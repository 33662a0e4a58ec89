"""Other processes at the same store."""

from __future__ import annotations

import os
import subprocess
import sys

from shipcli.features.core import processes


def neighbour() -> str:
    """Another process that lives: the one that started this one."""
    return processes._name_pid(os.getppid())


def dead_neighbour() -> str:
    """A process of this machine that has ended."""
    probe = "from shipcli.features.core.processes import name_process; print(name_process())"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return done.stdout.strip()
