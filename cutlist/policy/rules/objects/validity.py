"""Rules about Karpenter's objects as such: each can be read, and is accepted by the API server and Karpenter."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from cutlist.api.account_limits import account_findings
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.nodepool import NodePool
from cutlist.api.validation import validate
from cutlist.api.versions import can_be_converted, is_karpenters, version_findings
from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.baselines import Baseline
from cutlist.documents.parsing import parse_documents
from cutlist.policy.rules.expansion.expansion import texts_of
from cutlist.policy.rules.expansion.wrappings import is_opened, sealed_texts
from cutlist.policy.rules.findings import Finding, repair_of
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import GROUPS, KUSTOMIZE, NODE_CLASSES

_CONVERT: Final = "run cutlist convert on its file"
_OF_KARPENTER = ("kubernetes:karpenter.*", "kubernetes:eks.amazonaws.com/*", "kubernetes:autoscaling.x-k8s.io/*")


@object_rule(
    "OB-01",
    "The API server accepts Karpenter's objects",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a malformed or outdated object, which no other rule can read and which would pass them all",
    hurt=("core#1995", "core PR#2164"),
    looks_at=_OF_KARPENTER,
    source="api-objects",
)
def accepted(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check for everything that the API server, Karpenter or Cutlist refuses."""
    manifest = without_own_annotations(resource.data)
    if not is_karpenters(str(manifest.get("apiVersion", "")), str(manifest.get("kind", ""))):
        return
    is_old = can_be_converted(str(manifest.get("apiVersion", "")), str(manifest.get("kind", "")))
    for problem in _examined(resource)[1]:
        part = Part(resource, problem.place.path, None)
        allowed = problem.allowed or "what the API server accepts"
        yield part.violation(problem.message, allowed, _CONVERT if is_old else repair_of(problem))
    spec = manifest.get("spec")
    for finding in account_findings(str(manifest.get("kind")), spec) if isinstance(spec, Mapping) else ():
        repair = f"write {finding.nearest}" if finding.nearest else f"write {finding.allowed}"
        yield Part(resource, finding.path, None).violation(finding.message, finding.allowed, repair)


@object_rule(
    "OB-02",
    "Manifests inside resources are readable",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="objects in a text or a file, which reach the cluster past every rule",
    looks_at=("*",),
)
def seen(group: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that texts can be read, packed ones as a whole; the contents of files are known only to the provider, which reads
    them in an update."""
    for path, why in sealed_texts(group) if is_opened(group.type) or group.type in NODE_CLASSES else ():
        found = f"a text that cannot be read as a whole: {why}"
        yield Part(group, path, None).violation(found, "texts that can be read", "write it plainly, or as files of its own")
    if not holds_manifests(group.type):
        return
    for name in ("file", "files", "directory"):
        if group.at(name).is_there:
            yield group.at(name).cannot_tell(f"which objects are in {name}: the provider reads them")
    for text in texts_of(group):
        problems = Problems()
        parse_documents(text.text, "", problems)
        for problem in problems.found:
            yield text.violation(_told(problem), "YAML in which each document is an object", "repair the text")


def holds_manifests(token: str) -> bool:
    """Tell whether resources of a type are made to hold manifests."""
    return token in (*GROUPS, *KUSTOMIZE)


def _told(problem: Problem) -> str:
    """Return what is wrong, with the line of the text."""
    return f"line {problem.place.line}: {problem.text}" if problem.place.line else problem.text


def without_own_annotations(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a manifest as the API server sees it, without the annotations that tell Pulumi's provider how to apply it."""
    metadata = manifest.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, Mapping) else None
    if not isinstance(metadata, Mapping) or not isinstance(annotations, Mapping):
        return manifest
    kept = {key: value for key, value in annotations.items() if not str(key).startswith("pulumi.com/")}
    return {**manifest, "metadata": {**metadata, "annotations": kept}}


def typed_pool(resource: Resource) -> NodePool | None:
    """Return a NodePool as a typed object, or None for a refused one, which OB-01 reports. Raises NotKnownError."""
    return _examined(resource)[0]


def is_refused(resource: Resource) -> bool:
    """Tell whether an object is malformed or refused, which OB-01 reports. Raises NotKnownError."""
    return bool(_examined(resource)[1])


def _examined(resource: Resource) -> tuple[NodePool | None, tuple[Problem, ...]]:
    """Return the typed object of a valid NodePool, and the problems of an object. Raises NotKnownError."""
    text = json.dumps(without_own_annotations(resource.root.whole()))
    return _examined_text(text, resource.karpenter, resource.feature_gates)


@lru_cache(maxsize=16384)
def _examined_text(text: str, karpenter: Baseline, gates: frozenset[str]) -> tuple[NodePool | None, tuple[Problem, ...]]:
    """Return the problems of a manifest, given as JSON, under a Karpenter with these feature gates, and the typed object of a
    valid NodePool.

    Cached, since several rules need it.
    """
    manifest = json.loads(text)
    kind = kind_of_manifest(manifest, karpenter, gates)
    if kind is not None and manifest.get("kind") == NodePool.KIND:
        try:
            return NodePool.from_manifest(manifest, karpenter, gates), ()
        except InputError as error:
            return None, error.problems
    wrong = version_findings(manifest) if kind is None else validate(kind, manifest).findings
    return None, tuple(finding.problem(Place(path=finding.path)) for finding in wrong if finding.message)


RULES = (accepted, seen)
