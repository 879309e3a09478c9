"""Karpenter's charts (spec: aws-infrastructure 7, 8.2, 11.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.versions import NEWEST, KarpenterVersion, Minor, noted_version
from cutlist.infrastructure.charts.check import note_conflicts
from cutlist.infrastructure.charts.keys import keys_of
from cutlist.infrastructure.versions import problems as version_problems
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.tokens import CHART, EKS_CLUSTER, EKS_COMPONENT, NODE_CLASSES, NODE_POOL, OLD_CHART, RELEASE

_CHARTS: Final = (RELEASE, CHART, OLD_CHART)
_CONTROLLER: Final = "karpenter"
_SOURCES: Final = texts(
    "sources",
    ("oci://public.ecr.aws/karpenter", "oci://mcr.microsoft.com/aks/karpenter"),
    "Registries and repositories that Karpenter's charts and images may come from; private ECR registries always may.",
)
_OCI: Final = "oci://"
_PRIVATE: Final = re.compile(r"oci://[0-9]{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(\.cn)?/.*")
_ARCHIVE: Final = re.compile(r"-v?[0-9][^/]*\.tgz$")
_CRDS: Final = "karpenter-crd"
_RENAMED: Final = {
    ("settings", "interruptionQueueName"): "settings.interruptionQueue",
    ("settings", "aws"): "the same keys right under settings",
    ("settings", "featureGates", "driftEnabled"): "nothing: drift is always on",
    ("settings", "featureGates", "drift"): "nothing: drift is always on",
}
_CLUSTER_NAME: Final = "clusterName"
_SETTINGS: Final = frozenset(path.split(".")[1] for path in keys_of(NEWEST) if path.startswith("settings."))
_DROPPED: Final = {
    ("settings", "vmMemoryOverheadPercent"): "VM_MEMORY_OVERHEAD_PERCENT",
    ("settings", "ignoreDRARequests"): "IGNORE_DRA_REQUESTS",
}


def charts_named(resources: Resources, name: str) -> Iterator[Resource]:
    """Yield the releases and charts of one of Karpenter's charts."""
    for chart in resources.of_type(*_CHARTS):
        if _chart(chart) == name:
            yield chart


def is_karpenters_chart(chart: Resource) -> bool:
    """Tell whether a release or chart is one of Karpenter's own, which other rules are about."""
    return _chart(chart) in (_CONTROLLER, _CRDS)


def minor_of(chart: Resource) -> Minor:
    """Return the minor version of Karpenter that a chart installs; the newest one if the chart names none."""
    return (_version(str(chart.at("version").data)) or NEWEST).line


@stack_rule(
    "IF-12",
    "Charts are pinned, and their versions fit together",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a controller that upgrades itself, CRDs that lag behind it, or a Karpenter that does not support the "
    "cluster's Kubernetes",
    hurt=("aws#6867", "core#1995"),
    looks_at=(*_CHARTS, EKS_CLUSTER, EKS_COMPONENT),
    source="aws-infrastructure IF-12, H17, 1.10, 7.1, 7.2",
    parameters=(_SOURCES,),
)
def chart_versions(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that charts and their images come from a known registry, that versions are exact, that the CRDs have the
    controller's version, and that the controller supports the cluster's Kubernetes."""
    controllers, crds = list(charts_named(resources, _CONTROLLER)), list(charts_named(resources, _CRDS))
    for chart in (*controllers, *crds):
        yield from _of_stranger(chart, settings[_SOURCES.name])
        yield from _image_of_stranger(chart.at("values", "controller", "image", "repository"), settings[_SOURCES.name])
        version = chart.at("version")
        if version.is_there and not _is_known(version):
            yield version.cannot_tell("the version of the chart")
        elif _version(version.text) is None:
            text = version.text or "no version"
            yield version.violation(text, "an exact version", "write it in full, such as 1.14.1")
    for controller, crd in ((a, b) for a in controllers for b in crds):
        yield from _same_version(controller, crd)
    for controller, cluster in ((a, b) for a in controllers for b in resources.of_type(EKS_CLUSTER, EKS_COMPONENT)):
        yield from _fits(controller, cluster)


@object_rule(
    "IF-15",
    "The chart's values take effect",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a setting that the chart ignores silently, or a controller that never proves its permissions",
    hurt=("core#1799",),
    looks_at=_CHARTS,
    source="aws-infrastructure IF-15, 7.3, H18",
)
def chart_values(chart: Resource, settings: Settings) -> Iterator[Finding]:
    """Check for outdated keys, falsy values that the template drops, and a switched-off dry run."""
    if _chart(chart) != _CONTROLLER:
        return
    for path, instead in _RENAMED.items():
        old = chart.at("values", *path)
        if old.is_there:
            yield old.violation(f"{'.'.join(path)}, which the chart ignores", instead, f"write {instead}")
    version = _version(str(chart.at("version").data)) or NEWEST
    keys = keys_of(version)
    for path, variable in _DROPPED.items():
        value, key = chart.at("values", *path), keys.get(".".join(path))
        if key is not None and key.drops_empty and value.is_there and _is_known(value) and not value.value:
            advice = f"set it in controller.env as {variable}"
            yield value.violation(f"{value.value}, which the template drops", "a value that is true", advice)
    if chart.at("values", "settings", "disableDryRun").is_on:
        advice = "leave settings.disableDryRun out"
        yield chart.at("values", "settings", "disableDryRun").violation("no dry run", "the dry run of each class", advice)
    yield from _conflicts(chart.at("values"), version)


def _conflicts(values: Part, version: KarpenterVersion) -> Iterator[Finding]:
    """Yield values with which the template fails, or that do nothing without another one (VA15-112)."""
    if not isinstance(values.data, Mapping):
        return
    problems = Problems()
    note_conflicts(values.data, version, Place(), problems)
    for problem in problems.found:
        switch = values.at(*problem.place.path.strip(".").split("."))
        yield switch.violation(problem.message, problem.allowed, f"write it {problem.allowed}")


@object_rule(
    "IF-16",
    "Nothing that owns nodes outlives the stack",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="machines, instance profiles and launch templates that nobody owns once the stack is destroyed",
    hurt=("aws#444", "aws#995", "aws#5727", "aws-ia/terraform-aws-eks-blueprints-addons#51"),
    looks_at=(RELEASE, NODE_POOL, *NODE_CLASSES),
    source="aws-infrastructure IF-16, 8.2",
)
def deleted_in_order(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the resource is neither retained nor skipped at deletion, and is deleted in the foreground."""
    options, root = resource.options, resource.root
    if options.retain_on_delete and not _is_of_others(resource):
        yield root.violation("retain_on_delete", "deleted with the stack", "leave the option out")
    if options.deleted_with:
        yield root.violation(f"deleted_with {options.deleted_with.rpartition('::')[2]}", "deleted itself", "leave it out")
    policy = resource.at("metadata", "annotations", "pulumi.com/deletionPropagationPolicy")
    if policy.text and policy.text != "foreground":
        yield policy.violation(policy.text, "foreground", "leave the annotation out")


def _is_of_others(resource: Resource) -> bool:
    """Tell whether it is the release of CRDs that existed before: they stay, since others may have NodePools."""
    return resource.at("name").text == _CRDS and resource.at("takeOwnership").is_on


@stack_rule(
    "IF-14",
    "The chart and the cluster agree on zonal shift",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a controller that exits each time it starts, because the cluster is not registered for zonal shift",
    looks_at=(*_CHARTS, EKS_CLUSTER),
    source="aws-infrastructure IF-14, 3.6",
)
def zonal_shift(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that the chart's switch is on only if the cluster's is."""
    clusters = resources.of_type(EKS_CLUSTER)
    for chart in charts_named(resources, _CONTROLLER):
        switch = chart.at("values", "settings", "enableZonalShift")
        if not _is_known(switch):
            yield switch.cannot_tell("the switch of the chart")
        elif switch.is_on and not clusters:
            yield switch.cannot_tell("the cluster, which is not among the resources")
        for cluster in clusters if _is_known(switch) and switch.is_on else ():
            registered = cluster.at("zonalShiftConfig", "enabled")
            if not _is_known(registered):
                yield registered.cannot_tell("whether the cluster is registered")
            elif not registered.is_on:
                advice = "write zonalShiftConfig: {enabled: true} on the cluster"
                yield switch.violation(f"on, while {cluster.label} is not registered", "both or neither", advice)


def _chart(resource: Resource) -> str:
    """Return the chart's own name, without its registry; empty if it is unknown. A chart with another name counts as
    Karpenter's if it is given Karpenter's settings.
    """
    written = resource.at("chart")
    if not _is_known(written):
        return ""
    name = _ARCHIVE.sub("", written.text.partition("?")[0].rstrip("/").rpartition("/")[2])
    return _CONTROLLER if name != _CRDS and {_CLUSTER_NAME} < _settings_of(resource) else name


def _settings_of(chart: Resource) -> frozenset[str]:
    """Return which of Karpenter's settings the values of a chart have, as far as they are known."""
    try:
        return _SETTINGS & chart.at("values", "settings").members().keys()
    except NotKnownError:
        return frozenset()


def _of_stranger(chart: Resource, sources: list[str]) -> Iterator[Finding]:
    """Yield what says that a chart comes from elsewhere; a name alone is looked up in the repository of `repositoryOpts`."""
    written, options = chart.at("chart"), "fetchOpts" if chart.type == OLD_CHART else "repositoryOpts"
    repository = chart.at(options, "repo")
    if not _is_known(repository):
        yield repository.cannot_tell("where the chart comes from")
        return
    source = repository.text or written.text.rstrip("/").rpartition("/")[0]
    if source.rstrip("/") not in sources and not _PRIVATE.fullmatch(f"{source}/"):
        text = f"a chart of {source or 'a folder beside the program'}"
        yield written.violation(text, ", ".join(sources), f"take Karpenter's own, or trust it in {_SOURCES.name}")


def _image_of_stranger(repository: Part, sources: list[str]) -> Iterator[Finding]:
    """Yield what says that the controller's image comes from elsewhere."""
    if not _is_known(repository):
        yield repository.cannot_tell("where the controller's image comes from")
        return
    source = _OCI + repository.text.rpartition("/")[0]
    if repository.text and source not in sources and not _PRIVATE.fullmatch(f"{source}/"):
        allowed = ", ".join(known.removeprefix(_OCI) for known in sources)
        advice = f"take Karpenter's own, or trust {source} in {_SOURCES.name}"
        yield repository.violation(f"an image of {repository.text}", allowed, advice)


def _is_known(part: Part) -> bool:
    try:
        part.whole()
    except NotKnownError:
        return False
    return True


def _same_version(controller: Resource, crd: Resource) -> Iterator[Finding]:
    wanted, actual = controller.at("version"), crd.at("version")
    if _is_known(wanted) and _is_known(actual) and _version(wanted.text) != _version(actual.text):
        yield actual.violation(f"CRDs of {actual.text}, a controller of {wanted.text}", "one version", f"write {wanted.text}")


def _fits(controller: Resource, cluster: Resource) -> Iterator[Finding]:
    karpenter, kubernetes = controller.at("version"), cluster.at("version")
    if not _is_known(kubernetes):
        yield kubernetes.cannot_tell("the version of Kubernetes")
    elif _is_known(karpenter) and _version(karpenter.text) is not None:
        for problem in version_problems(kubernetes.text, karpenter.text):
            yield karpenter.violation(problem.message, problem.allowed, problem.nearest or "choose versions that fit together")


def _version(text: str) -> KarpenterVersion | None:
    return noted_version(text, Place(), Problems())


RULES = (chart_versions, chart_values, deleted_in_order, zonal_shift)
