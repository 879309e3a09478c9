"""A project of Pulumi with one program and one stack, written into a folder."""

from __future__ import annotations

from pathlib import Path


def write_project(folder: Path, program: str, config: str = "{}", *, name: str = "shop", stack: str = "dev") -> Path:
    """Write a project with a program, and a stack with its configuration as YAML. Return the folder."""
    (folder / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n")
    (folder / f"Pulumi.{stack}.yaml").write_text(f"config: {config}\n")
    (folder / "__main__.py").write_text(program)
    return folder
