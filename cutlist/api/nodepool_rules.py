"""The NodePool as a kind: the rules of its CRD, in the copy of each provider, and other checks (spec: api-objects 1).

EKS Auto Mode publishes no rules; those that are known are here as well, in the words that its users have reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from cutlist.api import durations, schedules
from cutlist.api.findings import Finding, Hints
from cutlist.api.label_domains import AUTO_DOMAINS, AWS_DOMAINS, AZURE_DOMAINS, AZURE_RESTRICTED, LabelDomain, registry_of
from cutlist.api.model import plain_copy, without_nulls
from cutlist.api.nodepool_fields import (
    AUTO_EXPIRE_AFTER,
    AUTO_TERMINATION_GRACE_PERIOD,
    DEFAULT_CONSOLIDATE_AFTER,
    REASONS_BEFORE_UNHEALTHY,
    BudgetReason,
    NodePoolFields,
)
from cutlist.api.requirement_checks import label_findings, requirement_findings, taint_findings
from cutlist.api.requirement_rules import (
    key_rules,
    label_rules,
    min_values_rule,
    operator_rules,
    operators_by_use,
    reference_rules,
)
from cutlist.api.rule_table import Breach, Breaches, Row, Rule, Transition
from cutlist.api.schema import Schema, allowed_words, member_edit, naming_formats
from cutlist.api.validation import Manifest, ObjectKind, Since, with_edit
from cutlist.core.errors import QuantityError
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP, AZURE_GROUP, HOSTNAME, NODEPOOL
from cutlist.core.quantity import Quantity

TEMPLATE: Final = "spec.template.spec"
_REQUIREMENTS: Final = f"{TEMPLATE}.requirements"
_REFERENCE: Final = f"{TEMPLATE}.nodeClassRef"
_LABELS: Final = "spec.template.metadata.labels"
_AUTO_LIFETIME: Final = 21 * 24 * 3600

Spec = Mapping[str, Any]


def _switched(self: Spec, old: Spec) -> Iterator[Breach]:
    if (self.get("replicas") is None) != (old.get("replicas") is None):
        yield Breach(("replicas",))


def _limits_of_static(self: Spec) -> Breaches:
    if self.get("replicas") is None:
        return []
    return [Breach(("limits", resource)) for resource in self.get("limits") or {} if resource != "nodes"]


def _weight_of_static(self: Spec) -> Breaches:
    return [Breach(("weight",))] if self.get("replicas") is not None and self.get("weight") is not None else []


def _half_windows(self: Sequence[Spec]) -> Breaches:
    return [Breach((i,)) for i, budget in enumerate(self) if ("schedule" in budget) != ("duration" in budget)]


def _changed(field: str) -> Transition:
    cel = f"self.{field} == oldSelf.{field}"
    differs = lambda self, old: [Breach((field,))] if self.get(field) != old.get(field) else []  # noqa: E731
    return Transition(_REFERENCE, f"nodeClassRef.{field} is immutable", cel, differs)


WINDOW_RULE: Final = Rule(
    "spec.disruption.budgets",
    "'schedule' must be set with 'duration'",
    "self.all(x, has(x.schedule) == has(x.duration))",
    _half_windows,
)
"""A budget's window is written as a whole."""

_OWN_RULES: Final[tuple[Row, ...]] = (
    Transition(
        "spec",
        "Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes",
        "has(self.replicas) == has(oldSelf.replicas)",
        _switched,
    ),
    Rule(
        "spec",
        "only 'limits.nodes' is supported on static NodePools",
        "!has(self.replicas) || (!has(self.limits) || size(self.limits) == 0 || "
        "(size(self.limits) == 1 && 'nodes' in self.limits))",
        _limits_of_static,
    ),
    Rule(
        "spec",
        "'weight' is not supported on static NodePools",
        "!has(self.replicas) || !has(self.weight)",
        _weight_of_static,
    ),
    WINDOW_RULE,
    _changed("group"),
    _changed("kind"),
    *reference_rules(_REFERENCE),
    *operator_rules(_REQUIREMENTS),
    min_values_rule(_REQUIREMENTS),
)


def _too_old(self: Spec) -> Iterator[Breach]:
    if self["nodeClassRef"]["group"] != AUTO_GROUP:
        return
    try:
        life = durations.seconds(self["expireAfter"])
        grace = durations.seconds(self.get("terminationGracePeriod") or AUTO_TERMINATION_GRACE_PERIOD) or 0
    except ValueError:
        return  # the schema refuses a text that is not a duration
    if life is None or life + grace > _AUTO_LIFETIME:
        yield Breach((), "", f"expireAfter up to {max(0, _AUTO_LIFETIME - grace) // 3600}h")


_AUTO_RULES: Final = (
    Rule(
        TEMPLATE,
        "the sum of expireAfter and terminationGracePeriod (defaulted to 24h) may not exceed 21 days",
        "",
        _too_old,
    ),
)


def _with_keys(domains: Sequence[LabelDomain], restricted: Sequence[str] = ()) -> tuple[Row, ...]:
    keys = (NODEPOOL, HOSTNAME, *restricted)
    return (*_OWN_RULES, *label_rules(_LABELS, domains, keys), *key_rules(f"{_REQUIREMENTS}[].key", domains, keys))


CORE_RULES: Final = _with_keys(())
RULES: Final[Mapping[str, tuple[Row, ...]]] = {
    AWS_GROUP: _with_keys(AWS_DOMAINS),
    AZURE_GROUP: _with_keys(AZURE_DOMAINS, AZURE_RESTRICTED),
    AUTO_GROUP: (*_with_keys(AUTO_DOMAINS), *_AUTO_RULES),
}
"""The rules by the group of the node class, which identifies the provider."""

AUTO_DEFAULTS: Final = {"expireAfter": AUTO_EXPIRE_AFTER, "terminationGracePeriod": AUTO_TERMINATION_GRACE_PERIOD}
"""The defaults of EKS Auto Mode in place of Karpenter's (spec 4.4)."""


def _runtime(stored: Manifest, provider: str) -> Iterator[Finding]:
    """Yield the findings that keep the pool from being ready."""
    registry = registry_of(provider)
    template = stored["spec"]["template"]
    labels = (template.get("metadata") or {}).get("labels") or {}
    yield from label_findings("spec.template.metadata.labels", labels, registry)
    yield from requirement_findings(f"{TEMPLATE}.requirements", template["spec"]["requirements"], registry)
    yield from taint_findings(TEMPLATE, template["spec"])


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    """Yield the findings that only Cutlist reports: negative limits, and schedules that no controller can read."""
    spec = stored["spec"]
    for resource, amount in (spec.get("limits") or {}).items():
        if _is_negative(amount):
            yield Finding(f"spec.limits.{resource}", f"a limit cannot be negative, found {amount}", "0 or more")
    for index, budget in enumerate(spec["disruption"]["budgets"]):
        mistake = schedules.mistake(budget["schedule"]) if "schedule" in budget else ""
        if mistake:
            text = f"{mistake}; Karpenter would allow no disruption of this pool at all"
            yield Finding(f"spec.disruption.budgets[{index}].schedule", text)


def _is_negative(amount: str | int) -> bool:
    try:
        return Quantity.parse(amount).nanos < 0
    except QuantityError:
        return False


HINTS: Final = Hints(
    moved={
        "spec.disruption.expireAfter": "since v1 it is spec.template.spec.expireAfter",
        "spec.template.metadata.name": "a template has only labels and annotations",
        "spec.template.spec.kubelet": "since v1 the kubelet is set in the node class: spec.kubelet of the EC2NodeClass",
        "spec.template.spec.resources": "it never had an effect; leave it out",
        "spec.template.spec.nodeClassRef.apiVersion": "v1 takes the group alone, without a version: group: karpenter.k8s.aws",
        "spec.ttlSecondsAfterEmpty": "today it is spec.disruption with consolidationPolicy: WhenEmpty and consolidateAfter",
        "spec.ttlSecondsUntilExpired": "today it is spec.template.spec.expireAfter",
        "spec.consolidation": "today it is spec.disruption.consolidationPolicy",
        "spec.provider": "today it is a separate EC2NodeClass, named in spec.template.spec.nodeClassRef",
        "spec.providerRef": "today it is spec.template.spec.nodeClassRef",
    },
    missing={
        "spec.disruption.consolidateAfter": (
            "is missing and required as soon as spec.disruption is written",
            "a duration such as 0s, 30s or 1m; or Never",
        )
    },
)


def provider_of(manifest: Manifest) -> str:
    """Return the group of the node class, or an empty string if the manifest does not say."""
    here: Any = manifest
    for member in ("spec", "template", "spec", "nodeClassRef", "group"):
        here = here.get(member) if isinstance(here, Mapping) else None
    return here if isinstance(here, str) else ""


def _rows(provider: str) -> Sequence[Row]:
    return RULES.get(provider, CORE_RULES)


def _filled(manifest: Manifest, provider: str) -> Manifest:
    """Return the manifest with the defaults of EKS Auto Mode, which differ from Karpenter's."""
    if provider != AUTO_GROUP or provider_of(manifest) != AUTO_GROUP:
        return manifest
    filled = plain_copy(manifest)
    spec = filled["spec"]["template"]["spec"]  # it exists, since it names the provider
    filled["spec"]["template"]["spec"] = {**AUTO_DEFAULTS, **without_nulls(spec)}
    return filled


_REASONS: Final = "spec.disruption.budgets[].reasons[]"


def _with_optional_quiet(schema: Schema) -> Schema:
    """Return the schema of `spec.disruption` in which consolidateAfter has a default and may be left out (V15-60)."""
    members, name = schema["properties"], "consolidateAfter"
    quiet = {**members[name], "default": DEFAULT_CONSOLIDATE_AFTER}
    required = [other for other in schema["required"] if other != name]
    return {**schema, "properties": {**members, name: quiet}, "required": required}


NODE_POOL: Final = ObjectKind(
    NodePoolFields,
    HINTS,
    _rows,
    runtime=_runtime,
    lint=_lint,
    provider=provider_of,
    filled=_filled,
    scale=("spec", "replicas"),
    edits=(member_edit(_REASONS, allowed_words(*REASONS_BEFORE_UNHEALTHY)),),
    since=(
        Since(Behaviour.API_SERVER_NAMES_FORMATS, with_edit(naming_formats)),
        Since(Behaviour.UNHEALTHY_IS_A_BUDGET_REASON, with_edit(member_edit(_REASONS, allowed_words(*get_args(BudgetReason))))),
        Since(Behaviour.CONSOLIDATE_AFTER_IS_OPTIONAL, with_edit(member_edit("spec.disruption", _with_optional_quiet))),
        operators_by_use(f"{TEMPLATE}.requirements"),
    ),
)
