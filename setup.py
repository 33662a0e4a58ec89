"""What pyproject.toml can't say: the folder `carriers` is installed as the package `shipcli.carriers`."""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["shipcli", "shipcli.*"], exclude=["shipcli.carriers"]),
        *(f"shipcli.{name}" for name in find_packages(include=["carriers", "carriers.*"])),
    ],
    package_dir={"shipcli.carriers": "carriers"},
)
