"""The inputs of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass, kind_of
from cutlist.api.written import WrittenPool
from cutlist.catalog.ages import PriceAge
from cutlist.catalog.embedded import load_chosen
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import InputError, Problems, nearest
from cutlist.core.ledger import Inputs
from cutlist.core.notes import Note
from cutlist.core.services import AKS, rules_of
from cutlist.devices.inventory import NO_INVENTORY, DeviceInventory
from cutlist.documents.document import Document
from cutlist.planning.attach_settings import AttachSetting
from cutlist.planning.aws.cloud import AwsCloud
from cutlist.planning.azure.cloud import AzureCloud
from cutlist.planning.beside.declared import DeclaredGroup
from cutlist.planning.cloud import Cloud
from cutlist.planning.figures import Figures, memory_reports
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.providers.eks_auto import AutoSettings
from cutlist.providers.lint import unknown_values
from cutlist.scheduling.capacitybuffers import ResolvedBuffer
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.settings.planning import PlanSettings
from cutlist.state.cluster import Cluster
from cutlist.workloads.default_selectors import NO_SOURCES, SelectorSources
from cutlist.workloads.read import Workloads


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """Everything that a plan depends on. `zones` are those with subnets, for node classes whose status does not list subnets.

    `cluster` is what exists: nodes, the pods on them, volumes. `figures` are the user's own. `overlays` and `buffers` count as
    if Karpenter's gates for them were on. `warnings` were found while reading. `source` is what messages call the files that
    the inputs were read from; it does not count when inputs are compared. `documents` are the objects as they were written
    there, `replaced` the NodePools and node classes there in whose place those of a cluster count, `settings` those they were
    read with, the region as it was found, and `known` the figures that the reader knew beside them. `replicas` are those that
    the user chooses for workloads, `assumed_disks` the disks of classes that are elsewhere and of which nobody said the size.
    `attach_settings` say how many volumes nodes attach, `day` from when calendars count; without it they say nothing.
    `node_groups` are those beside Karpenter, `devices` the objects of dynamic resource allocation. `account` says what of the
    files was read, passed over and left open; None for inputs that are not from files. Unless it `advises`, a plan does not say
    what would help pods that stay pending.
    """

    catalog: AnyRegion
    node_pools: tuple[NodePool, ...]
    node_classes: tuple[NodeClass, ...]
    workloads: Workloads = field(default_factory=Workloads)
    cluster: Cluster = field(default_factory=Cluster)
    zones: tuple[str, ...] = ()
    figures: Figures = field(default_factory=Figures)
    options: SchedulerOptions = field(default_factory=SchedulerOptions)
    warnings: tuple[Note, ...] = ()
    auto: AutoSettings = field(default_factory=AutoSettings)
    overlays: tuple[NodeOverlay, ...] = ()
    buffers: tuple[ResolvedBuffer, ...] = ()
    source: str = field(default="inputs", compare=False)
    documents: tuple[Document, ...] = field(default=(), compare=False, repr=False)
    replaced: tuple[Document, ...] = field(default=(), compare=False, repr=False)
    replicas: tuple[str, ...] = ()
    assumed_disks: Mapping[tuple[str, str], str] = field(default_factory=dict, compare=False)
    account: Inputs | None = field(default=None, compare=False, repr=False)
    node_groups: tuple[DeclaredGroup, ...] = ()
    settings: PlanSettings = field(default_factory=PlanSettings, compare=False, repr=False)
    known: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    attach_settings: tuple[AttachSetting, ...] = ()
    day: date | None = None
    devices: DeviceInventory = NO_INVENTORY
    advises: bool = True

    @property
    def has_workloads(self) -> bool:
        """Tell whether anything asks for nodes, or runs on some: workloads, pods, buffers, NodePools with replicas."""
        return self.has_pods or any(pool.replicas for pool in self.node_pools)

    @property
    def has_pods(self) -> bool:
        """Tell whether there are workloads, pods or buffers."""
        workloads = self.workloads
        return bool(workloads.groups or workloads.daemons or workloads.bound or self.cluster.pods or self.buffers)

    def on_day(self, day: date) -> PlanInputs:
        """Return the inputs with the day from which calendars count."""
        return replace(self, day=day)

    @property
    def price_age(self) -> PriceAge | None:
        """Return which prices of the region are old on the day; None where none is, and without a day."""
        return PriceAge.of(self.catalog, self.day)

    @property
    def whole_account(self) -> Inputs | None:
        """Return the account of the files, with the objects whose pods are not known."""
        if self.account is None:
            return None
        return self.account.with_open(item.opened for item in self.workloads.not_understood)

    @property
    def selectors(self) -> SelectorSources:
        """Return what the selectors of default spread constraints are deduced from; empty without such constraints."""
        return SelectorSources.of(d.data for d in self.documents) if self.options.default_spread else NO_SOURCES

    @property
    def cloud(self) -> Cloud:
        """Return the cloud of the region, with everything known about it."""
        if is_azure(self.catalog):
            return AzureCloud(self.catalog, self.zones, self.figures)
        return AwsCloud(self.catalog, self.zones, self.figures, self.auto, memory_reports(self.cluster))


def plan_inputs(
    pools: Iterable[NodePool],
    workloads: Workloads | None = None,
    *,
    region: str,
    zones: Sequence[str] = (),
    node_classes: Iterable[NodeClass] = (),
) -> PlanInputs:
    """Return the inputs of a plan for NodePools and workloads in a region, with the catalogue that comes with Cutlist.

    Pools that were built with their node class bring it along; others find theirs in `node_classes`. Raises InputError for an
    unknown region or zone, and for a pool without its class.

    >>> from cutlist import EC2NodeClass, Gt, NodePool, plan_inputs
    >>> default = EC2NodeClass(name="default", role="KarpenterNodeRole-demo", ami="al2023@latest", discovery="demo")
    >>> modern = {"karpenter.k8s.aws/instance-generation": Gt(4)}
    >>> inputs = plan_inputs([NodePool(name="general", node_class=default, requirements=modern)], region="us-west-2")
    >>> inputs.catalog.region, [pool.name for pool in inputs.node_pools]
    ('us-west-2', ['general'])
    """
    pools, problems = tuple(pools), Problems()
    classes = (*node_classes, *(p.node_class for p in pools if p.node_class is not None))
    known = {(kind_of(c), c.name): c for c in classes}
    resolved = node_classes_by_pool(pools, known.values())
    for pool in pools:
        kind, name = pool.node_class_ref.kind, pool.node_class_ref.name
        if pool.name not in resolved:
            names = sorted(n for k, n in known if k == kind)
            text = f"the {kind} {name!r} of NodePool {pool.name} is not given"
            problems.add(pool.at("spec.template.spec.nodeClassRef.name"), text, ", ".join(names), nearest(name, names))
    try:
        catalog = load_chosen(None, region)
    except InputError as error:
        raise InputError([*problems.found, *error.problems]) from None
    written = [WrittenPool.of(p.manifest(), p.at) for p in pools]
    warnings = unknown_values(written, catalog, problems)
    problems.raise_if_any()
    ordered = tuple(sorted(pools, key=lambda p: p.name))
    by_name = tuple(known[key] for key in sorted(known, key=lambda key: (key[1], key[0])))
    options = SchedulerOptions(karpenter=rules_of(AKS if is_azure(catalog) else None))
    return PlanInputs(
        catalog, ordered, by_name, workloads or Workloads(), zones=tuple(zones), options=options, warnings=tuple(warnings)
    )
