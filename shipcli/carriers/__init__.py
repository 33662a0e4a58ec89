"""The carriers in a checkout: the folder `carriers` beside `shipcli`.

Installed packages don't have this file: the build puts that folder in its place (`package-dir` in
pyproject.toml), so that no package called `carriers` comes to stand beside those of others.
"""

from pathlib import Path

__path__ = [str(Path(__file__).parents[2] / "carriers")]
