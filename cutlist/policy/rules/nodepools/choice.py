"""What a NodePool requires of its nodes, and how pools work together (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.api.built_in import BUILT_IN_CLASSES
from cutlist.api.label_domains import registry_of
from cutlist.core.errors import nearest
from cutlist.core.labels import AKS_GROUP, ARCH, AUTO_GROUP, AWS_GROUP, AZURE_GROUP, CAPACITY_TYPE, SPOT, domain
from cutlist.core.requirement import Operator
from cutlist.core.requirements import Requirements
from cutlist.core.taints import NO_EXECUTE, NO_SCHEDULE
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import flag, texts
from cutlist.policy.rules.parts import NotKnownError, Resource
from cutlist.policy.rules.planned_pools import pools_of
from cutlist.policy.rules.pool_parts import allows_spot, is_static, requirements_of, taints_of, template_of
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.tokens import NODE_CLASSES, NODE_PLAN, NODE_POOL

EXTERNAL: Final = texts("external", (), "Node classes that others make, as kind and name such as EC2NodeClass/shared.")
MULTI_ARCH: Final = flag("multiArch", False, "Whether the images of all workloads support arm64 as well as amd64.")
_SYSTEM: Final = texts("pools", ("critical", "system"), "NodePools for system and critical workloads.")
_OF_PROVIDERS: Final = (AWS_GROUP, AUTO_GROUP, AZURE_GROUP, AKS_GROUP, "kubernetes.io", "k8s.io", "karpenter.sh")
_Character = tuple[float, frozenset[tuple[str, str, str]], frozenset[tuple[str, str]]]
_CRITICAL: Final = "CriticalAddonsOnly"


@stack_rule(
    "NP-10",
    "Every NodePool refers to a node class that exists",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a misspelt reference: the pool launches nothing, and only pending pods show it",
    looks_at=(NODE_POOL, *NODE_CLASSES),
    source="aws-infrastructure NP-10",
    parameters=(EXTERNAL,),
)
def class_is_there(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that `nodeClassRef` has group, kind and name, and that the class is among the objects, made by a cloud, or declared
    external."""
    known = {f"{node_class.data.get('kind')}/{node_class.name}" for node_class in resources.of_type(*NODE_CLASSES)}
    known |= set(settings[EXTERNAL.name])
    for pool in resources.of_type(NODE_POOL):
        reference = template_of(pool).at("nodeClassRef")
        try:
            group, kind, name = (reference.at(member).text for member in ("group", "kind", "name"))
        except NotKnownError as unknown:
            yield reference.cannot_tell(str(unknown))
            continue
        missing = [member for member, text in (("group", group), ("kind", kind), ("name", name)) if not text]
        if missing:
            yield reference.violation(f"no {' and no '.join(missing)}", "group, kind and name", f"add {', '.join(missing)}")
        elif (group, kind, name) not in BUILT_IN_CLASSES and f"{kind}/{name}" not in known:
            near = nearest(f"{kind}/{name}", known) or f"add the {kind}, or name it in {EXTERNAL.name}"
            allowed = ", ".join(sorted(known)) or "a class of the stack"
            yield reference.at("name").violation(f"{kind}/{name}, which does not exist", allowed, near)


@stack_rule(
    "NP-11",
    "Overlapping NodePools differ in weight, taints or labels",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="placement by name: of two pools with equal weight, the one that is last in the alphabet always wins",
    hurt=("core#2976", "aws#6049", "core#1851"),
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-11, scheduling 3",
)
def overlapping(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that no two pools have the same weight, taints and template labels while their requirements overlap."""
    pools = resources.of_type(NODE_POOL)
    alike: dict[_Character, list[tuple[Resource, Requirements]]] = {}
    for pool in pools if len(pools) > 1 else ():
        try:
            if not is_static(pool):
                alike.setdefault(_character(pool), []).append((pool, requirements_of(pool)))
        except NotKnownError as unknown:
            yield pool.root.cannot_tell(f"whether it overlaps with other pools: {unknown}")
    for pool, other in (pair for group in alike.values() for pair in _overlaps(group)):
        text = f"takes the same pods as {pool.label}, with the same weight"
        advice = "give the pool that Karpenter should try first a higher weight, or give one of them a taint"
        yield other.at("spec", "weight").violation(text, "a different weight, taint or label", advice)


def _overlaps(group: Sequence[tuple[Resource, Requirements]]) -> Iterator[tuple[Resource, Resource]]:
    """Yield each pool that overlaps with an earlier one, after the first of these.

    Only those are compared that may overlap by the key which leaves the fewest: thousands of pools, each for a team of its own,
    are thousands of comparisons.
    """
    having: dict[tuple[str, str], list[int]] = {}  # earlier pools by a value that they require
    free: dict[str, list[int]] = {}  # those that require no values of a key
    keys = sorted({key for _, wanted in group for key in wanted if _values_of(wanted, key)})
    for number, (other, wanted) in enumerate(group):
        candidates: Sequence[int] = range(number)
        for key in keys:
            if values := _values_of(wanted, key):
                with_values = [having.get((key, value), []) for value in values]
                if sum(map(len, with_values)) + len(free.get(key, ())) < len(candidates):
                    candidates = sorted({*free.get(key, ()), *(n for listed in with_values for n in listed)})
                for value in values:
                    having.setdefault((key, value), []).append(number)
            else:
                free.setdefault(key, []).append(number)
        # Two of a name are one object, written twice.
        earlier = (group[n] for n in candidates if group[n][0].name != other.name)
        first = next((pool for pool, others in earlier if others.intersects(wanted)), None)
        if first is not None:
            yield first, other


def _values_of(wanted: Requirements, key: str) -> frozenset[str]:
    """Return the values that requirements name for a key; none if they exclude values, or do not have the key."""
    requirement = wanted.get(key)
    return frozenset() if requirement is None or requirement.complement else requirement.values


def _character(pool: Resource) -> _Character:
    """Return weight, taints and template labels, which distinguish pools."""
    labels = pool.at("spec", "template", "metadata", "labels").members()
    weight = pool.at("spec", "weight").number or 0
    return weight, taints_of(pool), frozenset((key, part.text) for key, part in labels.items())


@object_rule(
    "NP-13",
    "NodePools choose an architecture that images support",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="exec format errors: pods on nodes whose architecture their image lacks",
    hurt=("aws#8696", "xelalexv/dregsy#115"),
    looks_at=(NODE_POOL, NODE_PLAN),
    source="aws-infrastructure NP-13",
    parameters=(MULTI_ARCH,),
)
def architecture(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that arm64 is allowed only if images are declared to have it or pods choose it by a toleration. Of a pool without a
    requirement on the architecture the plan has those of its types."""
    yield from _architectures(resource, settings) if resource.type == NODE_PLAN else _architecture(resource, settings)


def _architectures(plan: Resource, settings: Settings) -> Iterator[Finding]:
    for name, pool in pools_of(plan):
        listed = pool.at("architectures").texts()
        if len(listed) > 1 and pool.at("choosesArchitecture").value is False and not settings[MULTI_ARCH.name]:
            advice = f"add {{key: {ARCH}, operator: In, values: [amd64]}}"
            text = f"no requirement on {ARCH}, and types of {' and '.join(listed)}"
            yield pool.violation(text, "amd64, or arm64 with images for it", advice, about=f"NodePool/{name}")


def _architecture(pool: Resource, settings: Settings) -> Iterator[Finding]:
    listed, wanted = template_of(pool).at("requirements"), requirements_of(pool)
    if ARCH not in wanted:
        return
    if wanted[ARCH].has("arm64") and not settings[MULTI_ARCH.name] and not _is_arm_for_who_wants_it(pool, wanted):
        advice = f"remove arm64, give it its own tainted pool, or set {MULTI_ARCH.name} if all images have arm64"
        yield listed.violation("arm64 is allowed", "amd64 alone, unless images are declared multi-arch", advice)


def _is_arm_for_who_wants_it(pool: Resource, wanted: Requirements) -> bool:
    """Tell whether a pool has only arm64, and takes only pods that tolerate a taint."""
    keeps_out = any(effect in (NO_SCHEDULE, NO_EXECUTE) for _, _, effect in taints_of(pool))
    return keeps_out and not wanted[ARCH].complement and wanted[ARCH].values == {"arm64"}


@object_rule(
    "NP-14",
    "Requirements use labels that nodes have",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a misspelt key, which restricts no instance type and leaves pods that select it pending",
    hurt=("core#1162",),
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-14, V-110",
)
def known_keys(pool: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that each key is well-known to the provider, or a custom one of which nodes get a label: from the template, or one
    of the values that the requirement lists. A listed one that is nearly spelt like another is still a mistake."""
    registry = registry_of(template_of(pool).at("nodeClassRef", "group").text)
    own = pool.at("spec", "template", "metadata", "labels").members()
    for requirement in template_of(pool).at("requirements").items():
        key = registry.normalize(requirement.at("key").text)
        if not key or key in registry.well_known or key in own:
            continue
        near = nearest(key, sorted({*registry.well_known, *own}))
        if not near and not domain(key).endswith(_OF_PROVIDERS) and requirement.at("operator").text == Operator.IN:
            continue
        advice = f"write {near}" if near else f"add {key} to spec.template.metadata.labels"
        where = "" if "/" in key and domain(key) else "; your own keys need a domain before a slash"
        yield requirement.at("key").violation(
            f"{key}, which no node has", f"a well-known key or a label of the template{where}", advice
        )


@object_rule(
    "NP-15",
    "System NodePools do not use spot",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a spot interruption that takes down DNS, ingress or Karpenter itself",
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-15",
    parameters=(_SYSTEM,),
)
def system_on_demand(pool: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a pool whose name or taint marks it as one for the system allows no spot."""
    is_system = pool.name in settings[_SYSTEM.name] or any(key == _CRITICAL for key, _, _ in taints_of(pool))
    if is_system and allows_spot(pool):
        at = next((r for r in template_of(pool).at("requirements").items() if r.at("key").text == CAPACITY_TYPE), None)
        part = at or template_of(pool).at("requirements")
        advice = f"add {{key: {CAPACITY_TYPE}, operator: {Operator.IN}, values: [on-demand]}}"
        yield part.violation(f"{SPOT} is allowed", "on-demand or reserved", advice)


RULES = (class_is_there, overlapping, architecture, known_keys, system_on_demand)
