"""Which objects of an Application a sync applies: hooks of Argo CD and of Helm say when they run, or that they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.documents.members import mapping

_HOOK: Final = "argocd.argoproj.io/hook"
_HELM_HOOK: Final = "helm.sh/hook"
_SKIP: Final = "Skip"
_APPLIED: Final = frozenset(("PreSync", "Sync", "PostSync"))
_PHASES: Final = _APPLIED | {"SyncFail", "PostDelete", _SKIP}
_OF_HELM: Final = {
    **dict.fromkeys(("pre-install", "pre-upgrade"), "PreSync"),
    **dict.fromkeys(("post-install", "post-upgrade"), "PostSync"),
    "post-delete": "PostDelete",
}
_NO_HOOK: Final = "crd-install"


def synced(documents: Sequence[Document], _problems: Problems) -> list[Document]:
    """Return the objects that a sync applies: hooks before, in and after it, and what is no hook."""  # GO-39
    return [document for document in documents if _is_synced(document)]


def _is_synced(document: Document) -> bool:
    annotations = mapping(mapping(document.data.get("metadata")).get("annotations"))
    # Words that Argo CD does not know are dropped; if none is left, Helm's annotation decides.
    phases = [word for word in _words(annotations.get(_HOOK)) if word in _PHASES]
    phases = phases or [_OF_HELM[word] for word in _words(annotations.get(_HELM_HOOK)) if word in _OF_HELM]
    if phases == [_SKIP]:
        return False
    # `crd-install` is from Helm 2: Argo CD applies such an object like any other.
    is_hook = _HOOK in annotations or annotations.get(_HELM_HOOK, _NO_HOOK) != _NO_HOOK
    return not is_hook or not _APPLIED.isdisjoint(phases)


def _words(value: object) -> list[str]:
    return [word.strip() for word in str(value or "").split(",")]
