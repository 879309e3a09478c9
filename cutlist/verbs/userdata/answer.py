"""Return the user data of the nodes of NodePools in a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.external_classes import check_references
from cutlist.api.kubelet_expressions import ExpressionError, listed_expressions
from cutlist.api.nodepool import NodePool
from cutlist.api.read import read_objects
from cutlist.catalog.embedded import load_chosen
from cutlist.catalog.machines import Machine
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import ClusterNotReadyError, InputError, Place, Problems, UserDataError, nearest
from cutlist.core.karpenter.baselines import DEFAULT, chosen_baseline, chosen_gates
from cutlist.core.labels import AWS, CAPACITY_TYPE, HOSTNAME, ON_DEMAND, SPOT
from cutlist.core.notes import Notes
from cutlist.core.records import After, TextOrNull
from cutlist.documents.collecting import collect_documents
from cutlist.documents.files import sources
from cutlist.documents.folders import PLAIN, Reading
from cutlist.planning.inputs import PlanInputs
from cutlist.providers.aws import AwsSettings
from cutlist.providers.aws.capacity import pods
from cutlist.providers.aws.expressions import KubeletExpressions, Reserved
from cutlist.providers.aws.families import CUSTOM
from cutlist.providers.aws.profile import NodeProfile
from cutlist.providers.aws.userdata import BootstrapCluster, NodeFacts, user_data
from cutlist.providers.aws.userdata import node_group_user_data as of_node_group
from cutlist.scheduling.nodeclaimtemplate import pool_requirements, template_labels
from cutlist.settings import userdata as declared
from cutlist.settings.planning import FEATURE_GATES, KARPENTER
from cutlist.state.statuses import with_readable_statuses

_NO_PODS: Final = 0  # the number of pods where the user data does not contain it


@dataclass(frozen=True, slots=True)
class UserDataMachines:
    """The source of a node's number of pods: an instance type, looked up in a region's catalogue."""

    instance_type: str | None = None
    region: str | None = None
    catalog: str | os.PathLike[str] | None = None
    settings: AwsSettings = field(default_factory=AwsSettings)


@dataclass(frozen=True, slots=True)
class NodeUserData:
    """The user data of the nodes of a NodePool, or of a NodeClass that no NodePool of the input uses (`node_pool` is empty)."""

    node_pool: TextOrNull
    node_class: str
    ami_family: str
    capacity_type: str
    user_data: str

    @property
    def heading(self) -> str:
        """Return the NodePool, class and capacity type in words."""
        pool = f"NodePool {self.node_pool}, " if self.node_pool else ""
        return f"{pool}EC2NodeClass {self.node_class}, {self.ami_family}, {self.capacity_type}"


@dataclass(frozen=True, slots=True)
class UserData:
    """The user data that nodes of each NodePool boot with."""

    nodes: tuple[NodeUserData, ...]
    version: Annotated[Literal[1], After("")] = 1


def userdata(
    inputs: PlanInputs,
    cluster: BootstrapCluster,
    instance_type: str | None = None,
    *,
    node_pool: str | None = None,
    capacity_type: str | None = None,
) -> tuple[NodeUserData, ...]:
    """Return the user data of each NodePool with an EC2NodeClass, or only of a named one; then of classes that none uses.

    The number of pods of a node depends on its instance type where the class does not set it. The default of `capacity_type` is
    spot where the NodePool allows it, as Karpenter prefers it, else on-demand. Raises InputError with every mistake.

    >>> from cutlist import BootstrapCluster, EC2NodeClass, NodePool, plan_inputs, userdata
    >>> default = EC2NodeClass(name="default", role="KarpenterNodeRole-demo", ami="al2023@latest", discovery="demo")
    >>> inputs = plan_inputs([NodePool(name="general", node_class=default)], region="us-west-2")
    >>> cluster = BootstrapCluster("demo", "https://demo.example", service_cidr="10.100.0.0/16")
    >>> (general,) = userdata(inputs, cluster, "m5.large")
    >>> "maxPods: 29" in general.user_data
    True
    """
    problems = Problems()
    settings = inputs.figures.settings
    classes = {c.name: c for c in inputs.node_classes if isinstance(c, EC2NodeClass)}
    pairs = _pairs(_chosen(inputs.node_pools, node_pool, problems), classes, alone=node_pool is None)
    machine = None if instance_type is None else _machine_in(inputs.catalog, instance_type, problems)
    if instance_type is None:
        _check_no_machine([c for _, c in pairs], problems)
    texts = [_user_data(pool, of, cluster, machine, capacity_type, settings, problems) for pool, of in pairs]
    problems.raise_if_any()
    return tuple(text for text in texts if text is not None)


def read_user_data(
    paths: Sequence[str | os.PathLike[str]],
    cluster: BootstrapCluster,
    machines: UserDataMachines,
    *,
    node_pool: str | None = None,
    capacity_type: str | None = None,
    stdin: str | bytes | None = None,
    allow_empty: bool = False,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
    karpenter: str = DEFAULT.choice,
) -> tuple[NodeUserData, ...]:
    """Return the same for the NodePools and NodeClasses in files, which need a region only for an instance type.

    What of the files was not read is added to `notes`.
    Raises InputError with every mistake of every file and option, and, unless that is allowed, when there is no class.
    """
    problems = Problems(allow_empty=allow_empty)
    documents = with_readable_statuses(collect_documents(paths, problems, stdin, reading, notes), notes)
    baseline, version_notes = chosen_baseline(karpenter, Place.of(KARPENTER), problems)
    if notes is not None:
        for note in version_notes:
            notes.add(note.code, note.text)
    gates = chosen_gates(machines.settings.feature_gates, baseline, Place.of(FEATURE_GATES), problems)
    objects = read_objects(documents, problems, baseline, gates)
    check_references(objects, problems)
    classes = {c.name: c for c in objects.node_classes if isinstance(c, EC2NodeClass)}
    pools = _chosen(objects.node_pools, node_pool, problems)
    pairs = _pairs(pools, classes, alone=node_pool is None)
    if not pairs and not problems:
        where = Place(sources(paths))
        problems.add_absence(where, "no EC2NodeClass is in the input", "at least one EC2NodeClass, with its NodePool or alone")
    machine = _machine(machines, [c for _, c in pairs], problems)
    texts = [_user_data(pool, of, cluster, machine, capacity_type, machines.settings, problems) for pool, of in pairs]
    problems.raise_if_any()
    return tuple(text for text in texts if text is not None)


def node_user_data(
    node_class: EC2NodeClass,
    cluster: BootstrapCluster,
    machines: UserDataMachines,
    *,
    node_pool: NodePool | None = None,
    capacity_type: str | None = None,
) -> NodeUserData:
    """Return the user data of one NodeClass, with the labels and taints of a NodePool. Raises InputError with every mistake."""
    problems = Problems()
    machine = _machine(machines, [node_class], problems)
    text = _user_data(node_pool, node_class, cluster, machine, capacity_type, machines.settings, problems)
    problems.raise_if_any()
    if text is None:
        raise AssertionError  # without a text there is a problem
    return text


def node_group_user_data(node_class: EC2NodeClass, cluster: BootstrapCluster, machines: UserDataMachines) -> str:
    """Return the user data of a node in a managed node group with the settings of the NodeClass. Raises InputError."""
    problems = Problems()
    machine = _machine(machines, [node_class], problems)
    number = _pods(node_class, machine, machines.settings)
    facts = NodeFacts(number, ON_DEMAND, reserved=_reserved(node_class, machine, number, machines.settings))
    text = _text(lambda: of_node_group(node_class, facts, cluster), node_class, problems)
    problems.raise_if_any()
    return text or ""


def _chosen(pools: Sequence[NodePool], name: str | None, problems: Problems) -> list[NodePool]:
    chosen = sorted((p for p in pools if name in (None, p.name)), key=lambda p: p.name)
    if name is not None and not chosen:
        names = sorted(p.name for p in pools)
        problems.add(
            Place.of(declared.NODE_POOL), f"no NodePool {name!r} is in the input", ", ".join(names), nearest(name, names)
        )
    return chosen


def _pairs(
    pools: Sequence[NodePool], classes: Mapping[str, EC2NodeClass], *, alone: bool
) -> list[tuple[NodePool | None, EC2NodeClass]]:
    """Return NodePools with their classes, then the classes that none uses."""
    pairs: list[tuple[NodePool | None, EC2NodeClass]] = [
        (p, classes[p.node_class_ref.name])
        for p in pools
        if p.node_class_ref.kind == "EC2NodeClass" and p.node_class_ref.name in classes
    ]
    used = {c.name for _, c in pairs}
    return pairs + [(None, classes[name]) for name in sorted(classes) if alone and name not in used]


def _machine(machines: UserDataMachines, classes: Sequence[EC2NodeClass], problems: Problems) -> Machine | None:
    """Return the named machine; add a problem if it is needed but unavailable."""
    if machines.instance_type is None:
        _check_no_machine(classes, problems)
        return None
    if machines.region is None:
        problems.add(Place.of(declared.REGION), f"no region is given to look up {machines.instance_type} in")
        return None
    try:
        return _machine_in(load_chosen(machines.catalog, machines.region), machines.instance_type, problems)
    except InputError as error:
        problems.extend(error.problems)
        return None


def _check_no_machine(classes: Sequence[EC2NodeClass], problems: Problems) -> None:
    """Add a problem for each class whose nodes need a machine if none is named."""
    asking = sorted({c.name for c in classes if _needs_machine(c)})
    if asking:
        text = f"nodes of EC2NodeClass {', '.join(asking)} get how many pods their machine takes, and no instance type is named"
        problems.add(Place.of(declared.INSTANCE_TYPE), text, "an instance type, or maxPods in spec.kubelet of the class")


def _machine_in(catalog: AnyRegion, instance_type: str, problems: Problems) -> Machine | None:
    """Return an instance type of a region; add a problem if the region does not have it."""
    if is_azure(catalog):
        problems.add(Place.of(declared.REGION), f"{catalog.region} is a location of Azure", "a region of AWS")
        return None
    machine = catalog.machines.get(instance_type)
    if machine is None:
        text = f"instance type {instance_type!r} is not in the catalogue of {catalog.region}"
        problems.add(Place.of(declared.INSTANCE_TYPE), text, nearest=nearest(instance_type, catalog.machines))
    return machine


def _needs_machine(node_class: EC2NodeClass) -> bool:
    """Tell whether the user data contains the number of pods and that depends on the machine."""
    profile = NodeProfile.of(node_class, AwsSettings())
    if profile.family is not CUSTOM and listed_expressions(node_class.kubelet_as_written):
        return True
    if profile.family is CUSTOM or profile.max_pods is not None:
        return False
    return profile.family.default_pods is None or profile.pods_per_core > 0


def _user_data(
    pool: NodePool | None,
    node_class: EC2NodeClass,
    cluster: BootstrapCluster,
    machine: Machine | None,
    capacity_type: str | None,
    settings: AwsSettings,
    problems: Problems,
) -> NodeUserData | None:
    chosen_type, number = _capacity_type(pool, capacity_type, problems), _pods(node_class, machine, settings)
    facts = NodeFacts(
        max_pods=number,
        reserved=_reserved(node_class, machine, number, settings),
        capacity_type=chosen_type,
        labels=_labels(pool) if pool else {},
        taints=tuple(pool.taints) if pool else (),
        startup_taints=tuple(pool.startup_taints) if pool else (),
    )
    text = _text(lambda: user_data(node_class, facts, cluster), node_class, problems)
    if text is None:
        return None
    return NodeUserData(pool.name if pool else "", node_class.name, node_class.resolved_ami_family, chosen_type, text)


def _text(write: Callable[[], str], node_class: EC2NodeClass, problems: Problems) -> str | None:
    """Return the written user data, or None, with a problem added, if it cannot be written."""
    try:
        return write()
    except UserDataError as error:
        problems.add(node_class.at("spec.userData"), f"the user data cannot be merged: {error}")
    except ClusterNotReadyError as error:
        problems.add(Place.of(declared.SERVICE_CIDR), str(error), "an address range such as 10.100.0.0/16")
    return None


def _pods(node_class: EC2NodeClass, machine: Machine | None, settings: AwsSettings) -> int:
    profile = NodeProfile.of(node_class, settings)
    if machine is not None:
        expressions = KubeletExpressions.of(node_class, settings)
        try:
            return pods(machine, profile if expressions is None else expressions.profile_of(machine, profile))
        except ExpressionError as error:
            raise InputError.one(node_class.at("spec.kubelet.maxPods"), str(error)) from None
    return profile.family.default_pods or _NO_PODS


def _reserved(node_class: EC2NodeClass, machine: Machine | None, number: int, settings: AwsSettings) -> Reserved:
    """Return the results of expressions in reserved amounts on a machine with this number of pods."""
    expressions = KubeletExpressions.of(node_class, settings)
    return Reserved() if expressions is None or machine is None else expressions.reserved(machine, number)


def _capacity_type(pool: NodePool | None, wanted: str | None, problems: Problems) -> str:
    """Return the wanted capacity type if the NodePool allows it; else the one that Karpenter tries first."""
    if pool is None:
        return wanted or ON_DEMAND
    allowed = pool_requirements(pool, AWS).get_or_any(CAPACITY_TYPE)
    if wanted and not allowed.has(wanted):
        problems.add(Place.of(declared.CAPACITY_TYPE), f"NodePool {pool.name} does not allow {wanted}")
    return wanted or next((kind for kind in (SPOT, ON_DEMAND) if allowed.has(kind)), ON_DEMAND)


def _labels(pool: NodePool) -> dict[str, str]:
    """Return the labels of the NodePool's claims: its own, and a value of each custom key that it requires."""
    labels = template_labels(pool)
    for key, requirement in pool_requirements(pool, AWS).items():
        value = requirement.any_value() if key not in AWS.well_known and key != HOSTNAME else ""
        if value:
            labels[key] = value
    return labels
