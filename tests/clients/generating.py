"""Clients made by a generator from the served document, built so that a program can use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from shipcli.operations.document import make_openapi_document

HERE = Path(__file__).parent
PACKAGE = "shipping"
PATIENCE_S = 300
OPTIONS = {
    "python": f"packageName={PACKAGE}",
    # Types of parameters are named after operations, and many resources have a `create`.
    "typescript-fetch": "prefixParameterInterfaces=true",
}
LOAD_ALL = f"""
import importlib, pkgutil, {PACKAGE}
for found in pkgutil.walk_packages({PACKAGE}.__path__, "{PACKAGE}."):
    print(importlib.import_module(found.name).__name__)
"""
TYPESCRIPT = ("typescript@7.0.2", "@types/node@26.6.6")


@dataclass(frozen=True)
class Journey:
    """A program that uses a client: how to run it, and the files that were loaded or compiled for it."""

    words: list[str]
    files: list[str]
    environ: dict[str, str] = field(default_factory=dict)


def run(words: list[str], folder: Path | None = None, **environ: str) -> str:
    """What a program prints. Errors: AssertionError with all it said."""
    done = subprocess.run(words, cwd=folder, env={**os.environ, **environ}, capture_output=True, text=True,
                          timeout=PATIENCE_S, check=False)  # fmt: skip
    assert done.returncode == 0, f"{words} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def generated(generator: str, folder: Path) -> Path:
    """The client that a generator makes below `folder`."""
    source, client = folder / "document.json", folder / "client"
    source.write_text(json.dumps(make_openapi_document()), "utf-8")
    program = Path(sys.executable).parent / "openapi-generator-cli"
    words = [str(program), "generate", "-i", str(source), "-g", generator, "-o", str(client)]
    run([*words, "--additional-properties", OPTIONS[generator]])
    return client


def python(folder: Path) -> Journey:
    """With the Python client; a warning of any of its modules is an error."""
    client = str(generated("python", folder))
    loaded = run([sys.executable, "-W", "error", "-c", LOAD_ALL], PYTHONPATH=client)
    return Journey([sys.executable, str(HERE / "journey.py")], loaded.split(), {"PYTHONPATH": client})


def typescript(folder: Path) -> Journey:
    """With the TypeScript client, compiled whole and strictly."""
    client = generated("typescript-fetch", folder)
    (folder / "package.json").write_text('{"private": true}')
    run(["npm", "install", "--no-save", "--no-audit", "--no-fund", *TYPESCRIPT], folder)
    (folder / "journey.ts").write_bytes((HERE / "journey.ts").read_bytes())
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": COMPILER, "include": ["**/*.ts"]}))
    made = run([str(folder / "node_modules" / ".bin" / "tsc"), "--listEmittedFiles"], folder)
    files = [line.partition("TSFILE: ")[2] for line in made.splitlines()]
    assert client.is_dir()
    return Journey(["node", str(folder / "built" / "journey.js")], files)


COMPILER = {
    "strict": True, "noEmitOnError": True, "target": "es2022", "module": "commonjs", "outDir": "built",
    "rootDir": ".", "types": ["node"], "lib": ["es2022", "dom"],
}  # fmt: skip
BUILDERS = {"python": python, "typescript-fetch": typescript}
