"""How objects reach a cluster: past the rules, or in another form than they are registered (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules.calls import CALLERS, calls_of
from cutlist.policy.rules.expansion.azure import GENERIC, has_template
from cutlist.policy.rules.expansion.cloudformation import SINGLE_TYPES, STACKS, unseen_in
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.infrastructure.charts import is_karpenters_chart
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import Part, Resource, known_texts
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import CAPACITY_BUFFER, CHART, NODE_CLASSES, NODE_OVERLAY, NODE_POOL, OLD_CHART, RELEASE
from cutlist.policy.rules.types.kinds import Fact
from cutlist.policy.rules.types.table import types_of

_KNOWN: Final = texts("known", (), "Objects that you have reviewed elsewhere, as kind and name such as Release/cert-manager.")
_RENDERS: Final = "gate what it renders: helm template ... | cutlist gate -f -"
_FROM_GIT: Final = "run cutlist gate -f on the folder that it reads, where that is changed"
_TEMPLATE: Final = "write the whole template as templateBody"
_SCRIPTS: Final = "register the objects as their own resource, or limit them in the cluster (docs/gates.md)"
_CHARTS: Final = (RELEASE, CHART, OLD_CHART, "kubernetes:helm.sh/v2:Chart")
_COMMANDS: Final = (*types_of(Fact.COMMAND), "pulumi-python:dynamic*", "pulumi-nodejs:dynamic*")
_OWN: Final = "pulumi-python:dynamic/cutlist:"
_SCRIPTED: Final = ("kubernetes:batch/*", "kubernetes:apps/*", "kubernetes:v1:Pod", "kubernetes:core/v1:Pod")
_SCRIPT_MEMBERS: Final = ("create", "update", "delete", "stdin")
_FETCHING: Final = tuple(token for token in types_of(Fact.CHART) if token not in _CHARTS)
_DEPLOYMENTS: Final = tuple(token for token in types_of(Fact.DEPLOYMENT) if token not in (*STACKS, *SINGLE_TYPES, GENERIC))
_CALL: Final = re.compile(r"arn:[^:]+:(?:scheduler|states):::aws-sdk:(?P<service>[a-z0-9]+):(?P<action>\w+)")
"""What a schedule or a state machine calls directly: EventBridge Scheduler's guide, "Using universal targets", and that of Step
Functions, "AWS SDK service integrations", November 2026."""
_CHANGING: Final = ("autoscaling", "cloudformation", "ec2", "eks", "iam", "lambda", "organizations", "ssm", "sts")
_HARMLESS: Final = ("describe", "get", "list", "stop")
_OF_GIT: Final[Mapping[str, tuple[str, ...]]] = {
    "kubernetes:addons.cluster.x-k8s.io/": ("HelmChartProxy",),
    "kubernetes:apps.open-cluster-management.io/": ("Subscription",),
    "kubernetes:argoproj.io/": ("Application", "ApplicationSet"),
    "kubernetes:configsync.gke.io/": ("RootSync", "RepoSync"),
    "kubernetes:fleet.cattle.io/": ("GitRepo", "HelmOp"),
    "kubernetes:helm.cattle.io/": ("HelmChart",),
    "kubernetes:helm.crossplane.io/": ("Release",),
    "kubernetes:helm.toolkit.fluxcd.io/": ("HelmRelease",),
    "kubernetes:infra.contrib.fluxcd.io/": ("Terraform",),
    "kubernetes:kappctrl.k14s.io/": ("App",),
    "kubernetes:kustomize.toolkit.fluxcd.io/": ("Kustomization",),
    "kubernetes:operators.coreos.com/": ("Subscription",),
    "kubernetes:packaging.carvel.dev/": ("PackageInstall",),
    "kubernetes:opentofu.upbound.io/": ("Workspace",),
    "kubernetes:pulumi.com/": ("Stack", "Program"),
    "kubernetes:tf.upbound.io/": ("Workspace",),
}
_KYVERNO: Final = "kubernetes:kyverno.io/"
_FOLLOWS: Final = tuple(f"{prefix}*" for prefix in (*_OF_GIT, _KYVERNO))
_SPECS: Final = (NODE_POOL, *NODE_CLASSES, NODE_OVERLAY, CAPACITY_BUFFER)
_MUTATORS: Final[Mapping[str, tuple[str, ...]]] = {
    "kubernetes:admissionregistration.k8s.io/": ("MutatingWebhookConfiguration", "MutatingAdmissionPolicy"),
    "kubernetes:kyverno.io/": ("ClusterPolicy", "Policy"),
    "kubernetes:policies.kyverno.io/": ("MutatingPolicy",),
    "kubernetes:mutations.gatekeeper.sh/": ("Assign", "AssignMetadata", "ModifySet", "AssignImage"),
}
_OF_KARPENTER: Final = re.compile(
    r"\b(?:nodepools?|nodeoverlays?|(?:ec2|aks)?nodeclass(?:es)?|capacitybuffers?)\b", re.IGNORECASE
)
_SCALERS: Final[Mapping[str, tuple[str, ...]]] = {
    "kubernetes:autoscaling/": ("HorizontalPodAutoscaler",),
    "kubernetes:autoscaling.k8s.io/": ("VerticalPodAutoscaler", "MultidimPodAutoscaler"),
    "kubernetes:keda.sh/": ("ScaledObject",),
}
"""What changes the number of what it refers to, such as the replicas of a static NodePool."""
_REFERENCES: Final = ("scaleTargetRef", "targetRef")
_DELIVERED: Final[Mapping[str, tuple[str, ...]]] = {"kubernetes:argoproj.io/": ("Application", "ApplicationSet")}
_RESPECTED: Final = "RespectIgnoreDifferences=true"
_KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "kustomize.toolkit.fluxcd.io/reconcile": ("disabled",),
    "kustomize.toolkit.fluxcd.io/ssa": ("IfNotPresent", "Ignore"),
}
"""Annotations by which Flux leaves an object as the cluster has it: its documentation of Kustomization, November 2026."""
_CHANGES: Final = re.compile(
    r"(?<![-\w])(?:patch|edit|scale|replace|set)\b[^\n;|&]*\b(?:nodepools?|nodeoverlays?|(?:ec2|aks)?nodeclass(?:es)?|capacitybuffers?)\b"
    r"|\b(?:jq|yq)\b[^\n]*\bkind\b\W{1,6}(?:NodePool|NodeOverlay|EC2NodeClass|AKSNodeClass|NodeClass|CapacityBuffer)\b"
    r"|/apis/(?:karpenter[\w.]*|eks\.amazonaws\.com|autoscaling\.x-k8s\.io)/",
    re.IGNORECASE,
)


@object_rule(
    "OB-03",
    "Sources of further objects have been reviewed",
    Severity.ADVISORY,
    protects="NodePools in a chart, a repository or a script, and roles in a template, which no rule sees",
    looks_at=(*_CHARTS, *_COMMANDS, *_FETCHING, *_DEPLOYMENTS, *_FOLLOWS, *STACKS, *CALLERS),
    parameters=(_KNOWN,),
)
def unseen(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Report what renders, fetches or makes objects whose text is not among the resources; texts among the resources are
    judged."""
    if resource.label in settings[_KNOWN.name] or resource.type.startswith(_OWN):
        return
    part, what, advice = resource.root, "", _FROM_GIT
    if resource.type in _CHARTS:
        if not is_karpenters_chart(resource):
            part, what, advice = resource.at("chart"), "what its chart renders", _RENDERS
            _ = part.value  # a chart that only an update knows may be Karpenter's
    elif resource.type in CALLERS:
        part, what = next(_calls(resource), (part, ""))
        advice = _SCRIPTS
    elif resource.type in _COMMANDS or resource.type.startswith("pulumi-"):
        what, advice = "what its program does", _SCRIPTS
    elif resource.type.startswith(_KYVERNO):
        what = "what it clones from the cluster" if {"clone", "cloneList"} & {*known_texts(resource.data)} else ""
    elif resource.type in STACKS:
        what, advice = unseen_in(resource), _TEMPLATE
    elif resource.type in _DEPLOYMENTS:
        what = "" if has_template(resource) else "what its template makes"
    elif resource.type in _FETCHING or _is_among(resource.type, _OF_GIT):
        what = "what it fetches and applies"
    if what:
        allowed = f"objects that rules see, or its name in {_KNOWN.name}"
        yield part.violation(f"{what} has not been reviewed", allowed, advice)


def _calls(resource: Resource) -> Iterator[tuple[Part, str]]:
    """Yield the calls that may change machines, rights or the cluster, each in words."""
    yield from ((call.target, what) for call in calls_of(resource) if (what := _called(call.target.text)))


def _called(arn: str) -> str:
    """Return in words what a call does, if that may change machines, rights or the cluster."""
    match = _CALL.fullmatch(arn)
    if match is None or match["service"] not in _CHANGING or match["action"].lower().startswith(_HARMLESS):
        return ""
    return f"its call of {match['service']}:{match['action']}"


@object_rule(
    "OB-04",
    "Registered objects take effect unchanged",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="limits that hold in the program but not in the cluster, because changes are ignored or made afterwards",
    looks_at=(*_SPECS, *_COMMANDS, *_SCRIPTED, *(f"{prefix}*" for prefix in (*_MUTATORS, *_SCALERS, *_DELIVERED))),
    source="pulumi 3.4",
)
def takes_effect(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no change of a spec is ignored or replaces the object with all its nodes, and that nothing edits Karpenter's
    objects behind the program's back."""
    if resource.type in _SPECS:
        yield from (*_options(resource), *_left_as_it_is(resource))
    elif _is_among(resource.type, _SCALERS):
        yield from _scaled(resource)
    elif only_refers(resource.type):
        yield from _ignored(resource) if _is_among(resource.type, _DELIVERED) else ()
    elif _is_among(resource.type, _MUTATORS):
        if _mutates_karpenters(resource):
            text = "it changes Karpenter's objects as they are admitted"
            yield resource.at("spec").violation(
                text, "validation", "reject wrong objects there, and write the right values in the object"
            )
    else:
        change = next(filter(None, map(_CHANGES.search, _scripts(resource.data))), None)
        if change is not None:
            text = f"a script has {change[0][:60]!r}"
            yield resource.root.violation(text, "objects that rules see", "write the object as a resource of its own")
        else:
            unknown = [member for member in _SCRIPT_MEMBERS if resource.data.get(member) is UNKNOWN]
            yield from (resource.at(member).cannot_tell(f"what the script in {member} changes") for member in unknown)


def only_refers(token: str) -> bool:
    """Tell whether objects of a type at most refer to Karpenter's, so that a rule which looks for that judges nothing else."""
    return token.startswith((*_SCALERS, *_DELIVERED))


def _scaled(scaler: Resource) -> Iterator[Finding]:
    """Yield a finding for an autoscaler of one of Karpenter's objects."""
    for name in _REFERENCES:
        kind = scaler.at("spec", name, "kind")
        if _OF_KARPENTER.fullmatch(kind.text):
            text = f"it scales a {kind.text}, whose replicas are then not those that are registered"
            yield kind.violation(text, "workloads", "write the replicas that are meant into the NodePool")


def _ignored(application: Resource) -> Iterator[Finding]:
    """Yield the differences of Karpenter's objects that Argo CD leaves as they are."""
    spec = application.at("spec") if application.type.endswith(":Application") else application.at("spec", "template", "spec")
    if _RESPECTED not in spec.at("syncPolicy", "syncOptions").texts():
        return
    for ignored in spec.at("ignoreDifferences").items():
        if _OF_KARPENTER.fullmatch(ignored.at("kind").text) or ignored.at("kind").text == "*":
            text = f"differences of {ignored.at('kind').text} are ignored, and the cluster keeps what it has"
            yield ignored.violation(text, f"no such entry, or no {_RESPECTED}", "write what the cluster has")


def _left_as_it_is(resource: Resource) -> Iterator[Finding]:
    """Yield the annotations by which an object is not applied as it is written."""
    annotations = resource.at("metadata", "annotations")
    for name, values in _KEPT.items():
        written = annotations.at(name)
        if written.text in values:
            text = f"{name} is {written.text}: the cluster keeps what it has"
            yield written.violation(text, "an object that is applied as it is written", "remove the annotation")


def _mutates_karpenters(resource: Resource) -> bool:
    """Tell whether an admission policy or webhook changes objects of Karpenter."""
    inside = {key: value for key, value in resource.data.items() if key not in ("kind", "metadata")}
    if resource.type.startswith(_KYVERNO) and "mutate" not in known_texts(inside):
        return False
    return any(map(_OF_KARPENTER.search, _kinds(inside))) or any(map(_matches_all, _mappings(inside)))


def _kinds(data: Any) -> Iterator[str]:
    """Yield what an admission policy names as kinds or resources; labels and values of what it changes are not among them."""
    for mapping in _mappings(data):
        for key in ("kind", "kinds", "resources"):
            value = mapping.get(key)
            yield from known_texts(value) if not isinstance(value, Mapping) else ()


def _mappings(data: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every mapping in data."""
    if isinstance(data, Mapping):
        yield data
        for value in data.values():
            yield from _mappings(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _mappings(item)


def _matches_all(rule: Mapping[str, Any]) -> bool:
    """Tell whether a rule of a webhook is called for every resource of Karpenter's groups."""
    groups, resources = (known_texts(rule.get(key)) for key in ("apiGroups", "resources"))
    return any(g == "*" or g.startswith("karpenter.") for g in groups) and any(r in ("*", "*/*") for r in resources)


def _scripts(data: Any) -> Iterator[str]:
    """Yield the texts in data, and the words of a list as one text, as a command has them."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _scripts(value)
    elif isinstance(data, list | tuple):
        if data and all(isinstance(item, str) for item in data):
            yield " ".join(data)
        else:
            for item in data:
                yield from _scripts(item)


def _options(resource: Resource) -> Iterator[Finding]:
    for path in filter(_is_of_spec, resource.options.ignore_changes):
        text = f"ignoreChanges of {path}: the cluster keeps its value, whatever the program registers"
        yield resource.root.violation(text, "ignoreChanges of metadata alone", "leave it out, or write what the cluster has")
    for path in filter(_is_of_spec, resource.options.replace_on_changes):
        text = f"replaceOnChanges of {path}: a change deletes the object, and with it all its nodes"
        yield resource.root.violation(text, "changes in place, at the pace of budgets", "leave it out")


def _is_of_spec(path: str) -> bool:
    """Tell whether a path of an option covers more than metadata and status; for objects inside another resource, any of its
    members."""
    first = path.lstrip("[\"'").partition(".")[0].partition("[")[0].rstrip("]\"'")
    return first not in ("metadata", "status")


def _is_among(token: str, kinds: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether a type is one of the kinds of its group, in any version; a patch counts as its kind."""
    for prefix, names in kinds.items():
        if token.startswith(prefix):
            return token.removeprefix(prefix).rpartition(":")[2].removesuffix("Patch") in {n.rpartition(":")[2] for n in names}
    return False


RULES = (unseen, takes_effect)
