"""The package's schema as registries and generators of SDKs read it (spec: pulumi 2.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import PackageMetadata
from typing import Any, Final

_KEYWORDS: Final = (
    "pulumi",
    "karpenter",
    "kubernetes",
    "eks",
    "aks",
    "autoscaling",
    "category/infrastructure",
    "kind/component",
)


def published_schema(derived: Mapping[str, Any], package: PackageMetadata) -> dict[str, Any]:
    """Return the schema that Pulumi's SDK derives from the components, with what a registry shows about the package."""
    project = package.json
    urls = dict(re.split(r",\s*", url, maxsplit=1) for url in project.get("project_url", ()))
    shown = {
        "name": derived["name"],
        "version": derived["version"],
        "displayName": "Cutlist",
        "description": f"{project['summary']}.",
        "keywords": list(_KEYWORDS),
        "homepage": urls.get("Homepage", ""),
        "repository": urls.get("Homepage", ""),
        "license": project["license_expression"],
        "publisher": project["author"],
    }
    rest = {key: _plain(value) for key, value in derived.items() if key not in shown}
    return {key: value for key, value in {**shown, **rest}.items() if value}


def _plain(value: Any) -> Any:
    """Return a part of the schema whose descriptions have no line breaks of the source's docstrings."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: "\n\n".join(" ".join(paragraph.split()) for paragraph in member.split("\n\n"))
        if key == "description" and isinstance(member, str)
        else _plain(member)
        for key, member in value.items()
    }
