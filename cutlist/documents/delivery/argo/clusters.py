"""What the generator of clusters gives: those whose Secrets are among the objects, and the one that Argo CD runs in."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.documents.delivery.argo.reading import as_go_reads
from cutlist.documents.delivery.argo.templates import Templates
from cutlist.documents.delivery.gotemplate.texts import sanitized
from cutlist.documents.delivery.gotemplate.values import TemplateError
from cutlist.documents.document import Document
from cutlist.documents.members import Manifest, entries, mapping, text

_TYPE: Final = "argocd.argoproj.io/secret-type"
_CLUSTER: Final = "cluster"
_LOCAL_SERVER: Final = "https://kubernetes.default.svc"
_LOCAL_NAME: Final = "in-cluster"


def secrets_in(others: Iterable[Document], namespace: str) -> list[Document]:
    """Return the Secrets of clusters in Argo CD's namespace, in the order of their names."""
    alike = [d for d in others if d.kind == "Secret" and _labels(d).get(_TYPE) == _CLUSTER]
    own = [as_go_reads(d) for d in alike if text(mapping(d.data.get("metadata")).get("namespace")) in ("", namespace)]
    # By name, since the API server lists them so; of two with one name the cluster has the last.
    return sorted({document.name: document for document in own}.values(), key=lambda document: document.name)


def of_clusters(generator: Manifest, secrets: Iterable[Document], templates: Templates) -> list[dict[str, Any]]:
    """Return the values for each cluster that the selector takes; the one without a Secret has no labels to select by."""
    # GO-45
    selector = mapping(generator.get("selector"))
    known = [(document, _texts(document)) for document in secrets]
    found = [_about(d, data, templates) for d, data in known if matches_selector(_labels(d), selector)]
    is_known = any(data.get("server") == _LOCAL_SERVER for _, data in known)
    # Argo CD's own cluster has no labels, so any selector leaves it out (GO-45).
    if not is_known and not any(selector.get(member) for member in ("matchLabels", "matchExpressions")):
        found.append({"name": _LOCAL_NAME, "nameNormalized": _LOCAL_NAME, "server": _LOCAL_SERVER, "project": ""})
    return found


def matches_selector(labels: Mapping[str, str], selector: Manifest) -> bool:
    """Tell whether a selector of labels takes some. Raises TemplateError for an operator that it does not have."""
    is_like = all(labels.get(name) == value for name, value in mapping(selector.get("matchLabels")).items())
    return is_like and all(_holds(labels, mapping(term)) for term in entries(selector.get("matchExpressions")))


def _holds(labels: Mapping[str, str], term: Manifest) -> bool:
    key, values = text(term.get("key")), entries(term.get("values"))
    answers = {
        "In": key in labels and labels[key] in values,
        # A missing label is in no list, so NotIn takes it, as Kubernetes does.
        "NotIn": labels.get(key) not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }
    operator = text(term.get("operator"))
    if operator not in answers:
        raise TemplateError(f"{operator!r} is not an operator of a selector")
    return answers[operator]


def _about(document: Document, data: Mapping[str, str], templates: Templates) -> dict[str, Any]:
    name = data.get("name", "")
    values: dict[str, Any] = {
        "name": name,
        "nameNormalized": sanitized(name),
        "server": data.get("server", ""),
        "project": data.get("project", ""),
    }
    metadata = mapping(document.data.get("metadata"))
    kept = {member: dict(mapping(metadata.get(member))) for member in ("labels", "annotations") if metadata.get(member)}
    return values | ({"metadata": kept} if templates.of_go else dict(_flat(kept)))


def _flat(metadata: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    for member, texts in metadata.items():
        yield from ((f"metadata.{member}.{name}", str(value)) for name, value in texts.items())


def _labels(document: Document) -> Mapping[str, str]:
    return mapping(mapping(document.data.get("metadata")).get("labels"))


def _texts(document: Document) -> dict[str, str]:
    data: dict[str, str] = {}
    for key, value in mapping(document.data.get("data")).items():
        try:
            data[str(key)] = base64.b64decode(text(value), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            data[str(key)] = ""
    # The API server writes stringData over data when it stores a Secret.
    return data | {str(key): text(value) for key, value in mapping(document.data.get("stringData")).items()}
