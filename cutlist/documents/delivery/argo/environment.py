"""The variables that Argo CD fills in where it renders an Application."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cutlist.documents.document import Document
from cutlist.documents.members import Manifest, mapping, text

_VARIABLE: Final = re.compile(r"\$(?:\{(?P<braced>[^}]*)\}|(?P<name>[A-Za-z_]\w*|[$*#@!?\-0-9]))")


def environment(document: Document, source: Manifest) -> dict[str, str]:
    """Return the variables of a source of an Application. That of the commit is empty, since it is not known here."""
    spec = mapping(document.data.get("spec"))
    return {
        "ARGOCD_APP_NAME": document.name,
        "ARGOCD_APP_NAMESPACE": text(mapping(spec.get("destination")).get("namespace")),
        "ARGOCD_APP_PROJECT_NAME": text(spec.get("project")),
        "ARGOCD_APP_SOURCE_REPO_URL": text(source.get("repoURL")),
        "ARGOCD_APP_SOURCE_PATH": text(source.get("path")),
        "ARGOCD_APP_SOURCE_TARGET_REVISION": text(source.get("targetRevision")),
    }


def filled(written: str, variables: Mapping[str, str]) -> str:
    """Return a text with its variables replaced; one that is not known is empty, and `$$` is `$`."""  # GO-36

    def value(match: re.Match[str]) -> str:
        name = match["name"] if match["braced"] is None else match["braced"]
        # As os.Expand does, which Argo CD uses: also for names such as `$1`, which it empties.
        return "$" if name == "$" else variables.get(name, "")

    return _VARIABLE.sub(value, written)
