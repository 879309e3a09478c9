"""The languages of programs that run without an engine."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """The languages of programs that run without an engine, as Pulumi.yaml names them."""

    PYTHON = "python"
    YAML = "yaml"
