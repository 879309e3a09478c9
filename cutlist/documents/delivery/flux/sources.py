"""Where Flux takes something from: the source that an object names, and the objects that hold values.

The folder that Flux itself begins with is its own source: what it builds holds the Kustomization that names it.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched, chart_from, checkout_from
from cutlist.documents.delivery.fetching import OCI, ArtifactSource, ChartSource, Fetcher, GitSource
from cutlist.documents.delivery.releases import FLUX_KUSTOMIZATION, kind_of
from cutlist.documents.document import Document
from cutlist.documents.members import Manifest, mapping, text
from cutlist.documents.terraform.partly_known import has_unknown

GIT: Final = "GitRepository"
ARTIFACT: Final = "OCIRepository"
_CHART_LAYER: Final = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
_CHARTS: Final = "HelmRepository"
_BUCKET: Final = "Bucket"
_NO_BUCKETS: Final = "neither helm nor git nor kustomize reads buckets; copy its objects into a folder, and pass that"
_COPIES: Final = "copy"
"""What a layer selector does that keeps the archive as it is."""
OWN: Final = "flux-system"
"""The name of the GitRepository that bootstrapping makes: the repository itself, even if the input does not hold it."""
_REVISIONS: Final = ("commit", "name", "semver", "tag", "branch")
"""The members that name a revision, the strongest first."""


class Missing(Exception):
    """Something that an object refers to is not here; the text says what."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source: the checkout, or what was fetched; the revision that is named, if another is checked out, and what is left out
    besides the files' own words."""

    checkout: Checkout
    revision: str = ""
    ignore: str = ""


def source_of(
    document: Document, reference: Manifest, checkout: Checkout, others: Iterable[Document], fetcher: Fetcher | None
) -> Source:
    """Return the source of an object. Raises Missing, and NotFetched if it is not the checkout."""  # GO-1
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind == _BUCKET:
        raise Missing(f"its source is the {kind} {name}, and {_NO_BUCKETS}")
    if kind not in (GIT, ARTIFACT):
        raise Missing(f"its source {kind} {name} is fetched" if kind else "it names no source")
    found = named(kind, name, text(reference.get("namespace")) or namespace_of(document), others)
    if found is None:
        # Bootstrapping makes this object in the cluster; many repositories do not hold it (GO-1).
        if (kind, name) == (GIT, OWN):
            return Source(checkout)
        raise Missing(f"{kind} {name}, its source, is not in the input")
    spec = mapping(found.get("spec"))
    address, ref = text(spec.get("url")), mapping(spec.get("ref"))
    ignore = text(spec.get("ignore"))
    if kind == ARTIFACT:
        return Source(checkout_from(_artifact(spec), fetcher), ignore=ignore)
    if spec.get("include"):
        raise Missing(f"{kind} {name}, its source, includes other repositories, which only Flux puts together")
    # A commit wins over a tag, and a tag over a branch, in whatever order they are written.
    revision = next((text(ref.get(member)) for member in _REVISIONS if ref.get(member)), "")
    if checkout.is_of(address):
        return Source(checkout, checkout.unless_here(revision) if revision else "", ignore)
    is_range = bool(ref.get("semver")) and revision == ref.get("semver")
    has_submodules = spec.get("recurseSubmodules") is True
    tag = {"semver": revision} if is_range else {"revision": revision}
    git = GitSource(address, **tag, submodules=has_submodules)
    return Source(checkout_from(git, fetcher), ignore=ignore)


def chart_of(
    document: Document, chart: Manifest, reference: Manifest, others: Iterable[Document], fetcher: Fetcher | None
) -> Checkout | None:
    """Return the folder of a chart of a HelmRepository, or of the OCIRepository that a release names; None for others.

    Raises Missing and NotFetched.
    """  # GO-22
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    if kind != _CHARTS and (kind != ARTIFACT or chart):
        return None
    found = named(kind, name, text(reference.get("namespace")) or namespace_of(document), others)
    if found is None:
        raise Missing(f"{kind} {name}, its source, is not in the input")
    spec = mapping(found.get("spec"))
    if kind == ARTIFACT and mapping(spec.get("ref")).get("digest"):
        return _chart_by_digest(spec, fetcher)
    return chart_from(_chart_artifact(spec) if kind == ARTIFACT else _chart(spec, chart), fetcher)


def _chart_by_digest(spec: Manifest, fetcher: Fetcher | None) -> Checkout:
    """Return the folder of a chart that is named by the digest of its artifact, whose layer is the chart's archive.

    Raises NotFetched.
    """
    digest, is_plain = text(mapping(spec.get("ref")).get("digest")), spec.get("insecure") is True
    checkout = checkout_from(ArtifactSource(text(spec.get("url")), digest, plain_http=is_plain, layer=_CHART_LAYER), fetcher)
    folders = [entry.path for entry in os.scandir(checkout.root) if entry.is_dir()]
    if len(folders) != 1:
        raise NotFetched(f"its source, the artifact {digest}, holds no chart")
    return Checkout(folders[0])


def _chart(spec: Manifest, chart: Manifest) -> ChartSource:
    version = text(chart.get("version"))
    return ChartSource(
        text(spec.get("url")), text(chart.get("chart")), "" if version == "*" else version, spec.get("insecure") is True
    )


def _chart_artifact(spec: Manifest) -> ChartSource:
    """Return the chart that an OCIRepository is: the last part of its address is its name."""
    ref, address = mapping(spec.get("ref")), text(spec.get("url")).removeprefix(OCI)
    where, _, name = address.rstrip("/").rpartition("/")
    version = text(ref.get("semver")) or text(ref.get("tag"))
    return ChartSource(f"{OCI}{where}", name, version, spec.get("insecure") is True)


def _artifact(spec: Manifest) -> ArtifactSource:
    """Return the artifact that an OCIRepository is. Raises Missing for one whose layer is not unpacked."""  # FE-6
    ref, is_plain, selector = mapping(spec.get("ref")), spec.get("insecure") is True, mapping(spec.get("layerSelector"))
    if selector.get("operation") == _COPIES:
        raise Missing("its layerSelector copies an archive as it is, in which no folder is applied")
    digest, semver = text(ref.get("digest")), text(ref.get("semver"))
    source = ArtifactSource(text(spec.get("url")), plain_http=is_plain, layer=text(selector.get("mediaType")))
    if semver and not digest:
        return replace(source, semver=semver)
    # A digest wins over everything else.
    return replace(source, revision=digest or text(ref.get("tag")))


def named(kind: str, name: str, namespace: str, others: Iterable[Document]) -> Mapping[str, Any] | None:
    """Return an object by kind, name and namespace; one without a namespace counts as being in the same one."""
    alike = (d for d in others if (d.kind, d.name) == (kind, name) and namespace_of(d) in ("", namespace))
    return next((d.data for d in alike), None)


def namespace_of(document: Document) -> str:
    """Return the namespace that an object names, or an empty text."""
    return text(mapping(document.data.get("metadata")).get("namespace"))


def texts_of(document: Document, reference: Manifest, at: str, others: Iterable[Document]) -> dict[str, str] | None:
    """Return the texts of a ConfigMap or Secret, or None for a missing one that is optional.

    Raises Missing for one that is not in the input, or whose texts are encrypted.
    """
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    source = named(kind, name, namespace_of(document), others)
    if source is None:
        if reference.get("optional") is True:
            return None
        raise Missing(f"{kind} {name}, which {at} names, is not in the input")
    # Flux decrypts with a key of the cluster, which is not here.
    if "sops" in source:
        raise Missing(f"{kind} {name}, which {at} names, is encrypted")
    data = {str(key): text(value) for key, value in mapping(source.get("data")).items() if value is not UNKNOWN}
    if kind != "Secret":
        return data
    try:
        data = {key: base64.b64decode(value, validate=True).decode() for key, value in data.items()}
    except (binascii.Error, UnicodeDecodeError):
        raise Missing(f"{kind} {name}, which {at} names, is not in base64") from None
    return data | {str(key): text(value) for key, value in mapping(source.get("stringData")).items()}


def is_partly_known(document: Document, reference: Manifest, others: Iterable[Document]) -> bool:
    """Tell whether only the cluster knows some texts of a ConfigMap that an object names."""
    source = named(text(reference.get("kind")), text(reference.get("name")), namespace_of(document), others)
    return source is not None and has_unknown(source.get("data"))


def keep_secret(reference: Manifest, texts: Iterable[str], problems: Problems) -> None:
    """Keep the texts of a Secret out of messages: they are base64 there, but may appear elsewhere in plain text."""
    if reference.get("kind") == "Secret":
        problems.inputs.append({"secret": list(texts)})


def is_built_by_flux(folder: str, documents: Iterable[Document]) -> bool:
    """Tell whether a Kustomization of Flux among the objects of a folder takes this folder from its checkout."""
    checkout = Checkout.around(folder)
    paths = (_path(document) for document in documents if kind_of(document) == FLUX_KUSTOMIZATION)
    taken = (None if checkout is None else checkout.folder(path) for path in paths)
    return any(path is not None and os.path.realpath(path) == folder for path in taken)


def _path(document: Document) -> str:
    spec = document.data.get("spec")
    path = spec.get("path") if isinstance(spec, dict) else None
    # Without a path Flux builds from the root of the source.
    return path if isinstance(path, str) else "."
