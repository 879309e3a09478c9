"""The rules of the v1beta1 CRDs in Karpenter 1.0 (spec: api-objects 7). Rules that did not change are v1's own
rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.api import ec2nodeclass_rules, nodepool_rules
from cutlist.api.ami_rules import AMI_TERMS
from cutlist.api.ec2nodeclass_rules import DISK_RULES
from cutlist.api.findings import Hints
from cutlist.api.kubelet_rules import kubelet_rules
from cutlist.api.label_domains import LabelDomain
from cutlist.api.node_class_rules import GROUP_TERMS, IDENTITY_RULES, SUBNET_TERMS, tag_rules
from cutlist.api.nodepool_rules import WINDOW_RULE
from cutlist.api.requirement_rules import bound_rule, in_rule, key_rules, label_rules, min_values_rule
from cutlist.api.rule_table import Breach, Breaches, Part, Row, Rule, Transition
from cutlist.api.selector_rules import any_of, mixed_everywhere, not_empty, selector_tags
from cutlist.api.v1beta1.fields import DEFAULT_POLICY, PATTERNS_IN_WORDS
from cutlist.core.labels import AWS_GROUP, CORE, HOSTNAME, NODEPOOL

_TEMPLATE: Final = "spec.template.spec"
_DISRUPTION: Final = "spec.disruption"
_AWS_NAMES: Final = (
    "encryption-in-transit-supported",
    "category",
    "hypervisor",
    "family",
    "generation",
    "local-nvme",
    "size",
    "cpu",
    "cpu-manufacturer",
    "memory",
    "ebs-bandwidth",
    "network-bandwidth",
    "gpu-name",
    "gpu-manufacturer",
    "gpu-count",
    "gpu-memory",
    "accelerator-name",
    "accelerator-manufacturer",
    "accelerator-count",
)
_DOMAINS: Final = (
    LabelDomain(
        "kubernetes.io",
        frozenset(CORE.well_known | CORE.normalized.keys()),
        ("node.kubernetes.io", "node-restriction.kubernetes.io"),
    ),
    LabelDomain("k8s.io", frozenset(), ("kops.k8s.io",)),
    LabelDomain(AWS_GROUP, frozenset(f"{AWS_GROUP}/instance-{name}" for name in _AWS_NAMES)),
)
"""The domains that were restricted then, besides Karpenter's own."""

_RESTRICTED_TAGS: Final = (
    ("karpenter.sh/nodepool", "self.all(k, k != 'karpenter.sh/nodepool')"),
    ("karpenter.sh/managed-by", "self.all(k, k !='karpenter.sh/managed-by')"),
    ("karpenter.sh/nodeclaim", "self.all(k, k !='karpenter.sh/nodeclaim')"),
    (f"{AWS_GROUP}/ec2nodeclass", f"self.all(k, k !='{AWS_GROUP}/ec2nodeclass')"),
)


def _waits(self: Part) -> Breaches:
    waits = self["consolidationPolicy"] == DEFAULT_POLICY and self.get("consolidateAfter") not in (None, "Never")
    return [Breach((), "", "consolidateAfter: Never, or consolidationPolicy: WhenEmpty")] if waits else []


def _does_not_say(self: Part) -> Breaches:
    silent = self["consolidationPolicy"] == "WhenEmpty" and "consolidateAfter" not in self
    return [Breach((), "", "such as 30s, or Never")] if silent else []


_DISRUPTION_RULES: Final = (
    Rule(
        _DISRUPTION,
        "consolidateAfter cannot be combined with consolidationPolicy=WhenUnderutilized",
        "has(self.consolidateAfter) ? self.consolidationPolicy != 'WhenUnderutilized' || "
        "self.consolidateAfter == 'Never' : true",
        _waits,
    ),
    Rule(
        _DISRUPTION,
        "consolidateAfter must be specified with consolidationPolicy=WhenEmpty",
        "self.consolidationPolicy == 'WhenEmpty' ? has(self.consolidateAfter) : true",
        _does_not_say,
    ),
    WINDOW_RULE,
)


def _requirement_rules(path: str) -> tuple[Row, ...]:
    return (in_rule(path), bound_rule(path, ("Gt", "Lt")), min_values_rule(path))


POOL_RULES: Final[tuple[Row, ...]] = (
    *_DISRUPTION_RULES,
    *label_rules("spec.template.metadata.labels", _DOMAINS, (NODEPOOL, HOSTNAME)),
    *key_rules(f"{_TEMPLATE}.requirements[].key", _DOMAINS, (NODEPOOL, HOSTNAME)),
    *_requirement_rules(f"{_TEMPLATE}.requirements"),
    *kubelet_rules(f"{_TEMPLATE}.kubelet"),
)
CLAIM_RULES: Final[tuple[Row, ...]] = (
    *key_rules("spec.requirements[].key", _DOMAINS, (HOSTNAME,)),
    *_requirement_rules("spec.requirements"),
    *kubelet_rules("spec.kubelet"),
)


def _term_rules(path: str, single: Mapping[str, tuple[str, ...]], fields: tuple[str, ...], when_empty: str = "") -> list[Row]:
    field = path.rpartition(".")[2]
    text = f"is mutually exclusive, cannot be set with a combination of other fields in {field}"
    mixed = [mixed_everywhere(path, f"'{alone}' {text}", alone, others, when_empty) for alone, others in single.items()]
    return [any_of(path, fields), *mixed, selector_tags(f"{path}[].tags")]


def _identity_changed(self: Part, old: Part) -> Breaches:
    kept = ("role" in self and "role" in old) or ("instanceProfile" in self and "instanceProfile" in old)
    return [] if kept else [Breach()]


CLASS_RULES: Final[tuple[Row, ...]] = (
    *IDENTITY_RULES,
    Transition(
        "spec.role",
        "immutable field changed",
        "self == oldSelf",
        lambda self, old: [Breach()] if self != old else [],
    ),
    Transition(
        "spec",
        "changing from 'instanceProfile' to 'role' is not supported. "
        "You must delete and recreate this node class if you want to change this.",
        "(has(oldSelf.role) && has(self.role)) || (has(oldSelf.instanceProfile) && has(self.instanceProfile))",
        _identity_changed,
    ),
    Rule(
        "spec",
        "amiSelectorTerms is required when amiFamily == 'Custom'",
        "self.amiFamily == 'Custom' ? self.amiSelectorTerms.size() != 0 : true",
        lambda self: [Breach()] if self.get("amiFamily") == "Custom" and not self.get("amiSelectorTerms") else [],
    ),
    *_term_rules(AMI_TERMS, {"id": ("tags", "name", "owner")}, ("tags", "id", "name"), "is empty; leave it out instead"),
    not_empty(SUBNET_TERMS),
    *_term_rules(SUBNET_TERMS, {"id": ("tags",)}, ("tags", "id")),
    not_empty(GROUP_TERMS),
    *_term_rules(GROUP_TERMS, {"id": ("tags", "name"), "name": ("tags", "id")}, ("tags", "id", "name")),
    *tag_rules(_RESTRICTED_TAGS, "kubernetes.io/cluster"),
    *DISK_RULES,
)


CONTAINER_RUNTIME: Final = "it was removed before v1beta1; containerd is the only runtime"
_NEWER: Final = "it came with v1, so an object that has it is meant as v1: write apiVersion: karpenter.sh/v1"
_OF_POOL: Final = nodepool_rules.HINTS.moved
_OF_CLASS: Final = ec2nodeclass_rules.HINTS.moved

NODE_POOL: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        **{path: text for path, text in _OF_POOL.items() if path.startswith(("spec.ttl", "spec.cons", "spec.provider"))},
        "spec.template.metadata.name": _OF_POOL["spec.template.metadata.name"],
        "spec.template.spec.kubelet.containerRuntime": CONTAINER_RUNTIME,
        "spec.template.spec.expireAfter": "in v1beta1 it is spec.disruption.expireAfter",
        "spec.template.spec.terminationGracePeriod": _NEWER,
        "spec.template.spec.nodeClassRef.group": "v1beta1 takes apiVersion, such as karpenter.k8s.aws/v1beta1",
        "spec.disruption.budgets.reasons": _NEWER,
        "spec.disruption.terminationGracePeriod": f"it is spec.template.spec.terminationGracePeriod, and {_NEWER}",
        "spec.replicas": _NEWER,
    },
)
NODE_CLAIM: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        "spec.kubelet.containerRuntime": CONTAINER_RUNTIME,
        "spec.expireAfter": _NEWER,
        "spec.terminationGracePeriod": _NEWER,
    },
)
EC2_NODE_CLASS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        **{path: text for path, text in _OF_CLASS.items() if path.endswith("Selector") or path == "spec.launchTemplate"},
        "spec.kubelet": "in v1beta1 the kubelet is set in the NodePool: spec.template.spec.kubelet",
        "spec.amiSelectorTerms.alias": "aliases came with v1; in v1beta1 spec.amiFamily alone means its newest images",
    },
)
