"""`shipcli events`: what a stored noun has, and nothing else."""

from __future__ import annotations

from shipcli.cli.verbs import Verbs

verb = Verbs()
