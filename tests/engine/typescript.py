"""The package as a program in TypeScript has it: sources of the engine's generator, and Pulumi's package for Node.js."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.engine.engine import MADE, PACKAGE_VERSION

GENERATOR = MADE / "bin" / "typescript-sdk"
COMPILER = MADE / "typescript" / "node_modules" / ".bin" / "tsc"


def can_generate() -> bool:
    """Tell whether `make engine` left what this needs."""
    return GENERATOR.exists() and COMPILER.exists()


def write_package(schema: str, modules: Path) -> None:
    """Write into a program's `node_modules` what it needs."""
    installed = MADE / "typescript" / "node_modules"
    shutil.copytree(installed / "@types", modules / "@types")
    (modules / "@pulumi").mkdir()
    (modules / "@pulumi" / "pulumi").symlink_to(installed / "@pulumi" / "pulumi")
    package = modules / "@pulumi" / "cutlist"
    subprocess.run([GENERATOR, package], input=schema, text=True, check=True, capture_output=True)
    (package / "package.json").write_text('{"name": "@pulumi/cutlist", "main": "index.ts"}')


def compile_package(modules: Path) -> None:
    """Compile the written package as installing it does: Node.js runs no sources that lie in `node_modules`."""
    package = modules / "@pulumi" / "cutlist"
    subprocess.run([COMPILER, "--project", package, "--outDir", package / "bin"], check=True, capture_output=True)
    (package / "package.json").write_text(
        f'{{"name": "@pulumi/cutlist", "version": "{PACKAGE_VERSION}", "main": "bin/index.js"}}'
    )
    shutil.copy(package / "package.json", package / "bin")
