"""A dynamic resource that is a file: there while the resource is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pulumi
from pulumi import dynamic


class _Provider(dynamic.ResourceProvider):
    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> dynamic.CreateResult:
        Path(props["path"]).touch()
        return dynamic.CreateResult(props["path"], props)

    def delete(self, id_: str, props: dict[str, Any]) -> None:
        Path(props["path"]).unlink()


class Mark(dynamic.Resource):
    """The file."""

    path: pulumi.Output[str]
    """Where it is."""

    def __init__(self, name: str, path: str) -> None:
        super().__init__(_Provider(), name, {"path": path})
