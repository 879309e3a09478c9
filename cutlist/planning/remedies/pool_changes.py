"""Changes of a NodePool that may give waiting pods a node of it: its taints, what it allows, its replicas."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.autonodeclass_rules import MANAGED_BY_EKS
from cutlist.api.built_in import AKS_POOLS
from cutlist.api.nodepool import NodePool
from cutlist.core.errors import InputError
from cutlist.core.labels import ARCH, AZURE, CAPACITY_TYPE, INSTANCE_TYPE, MANAGED_BY, ON_DEMAND, OS, RESERVED, ZONE
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Operator
from cutlist.core.taints import Taint
from cutlist.planning.remedies.changes import Allow, Correct, MoveToStartup, RaiseReplicas, Remedy, Widen
from cutlist.planning.remedies.spelling import meant, values_of
from cutlist.planning.remedies.trial import Trial
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.scheduling.static_claims import bare_claim, own_nodes
from cutlist.state.scheduling_node import NODES
from cutlist.workloads.pod_requirements import strict_requirements

_STARTUP: Final = ("agent-not-ready", "not-ready", "notready", "uninitialized", "network-unavailable")
_NOT_OF_MACHINES: Final = frozenset({ARCH, OS, ZONE, CAPACITY_TYPE})
_STARTUP_DOMAINS: Final = ("startup-taint.cluster-autoscaler.kubernetes.io", "nidhogg.uswitch.com")
_MOST_REPLICAS: Final = 1_000
"""How many more nodes are tried at most."""


@dataclass(frozen=True, slots=True)
class PoolChanges:
    """Tries changes of one NodePool for the pods of one batch."""

    trial: Trial
    pool: NodePool

    def moving_to_startup(self, taints: tuple[Taint, ...]) -> Iterator[Remedy]:
        """Yield the NodePool with these taints among its `startupTaints`."""
        spec = self._template()
        moved = {t.key for t in taints}
        kept = [taint for taint in spec.get("taints") or () if taint["key"] not in moved]
        startup = [*(spec.get("startupTaints") or ()), *(t.manifest() for t in taints)]
        if self._helps(self._with_template(taints=kept, startupTaints=startup)):
            yield MoveToStartup(self.pool.name, taints)

    def allowing(self, keys: list[str]) -> Iterator[Remedy]:
        """Yield the NodePool with what the pods require of one label among the values that it allows."""
        wanted = strict_requirements(self.trial.batch.pod, self.trial.left.inputs.registry)
        for requirement in (wanted[key] for key in keys if key in wanted and not wanted[key].complement):
            yield from self._allowed(requirement.key, tuple(sorted(requirement.values)))

    def allowing_on_demand(self) -> Iterator[Remedy]:
        """Yield the NodePool with on-demand capacity, if it allows only reserved capacity."""
        allowed = [r.values for r in self.pool.requirements if r.key == CAPACITY_TYPE and r.operator == Operator.IN]
        if allowed and all(set(values) == {RESERVED} for values in allowed):
            yield from self._allowed(CAPACITY_TYPE, (ON_DEMAND,))

    def correcting(self, types: Sequence[InstanceType]) -> Iterator[Remedy]:
        """Yield the NodePool with other values of a label in place of those that no instance type of its class has, and that
        are spelled nearly like them."""
        for requirement in (r for r in self.pool.requirements if r.operator == Operator.IN):
            known = values_of(types, requirement.key)
            near = {value: meant(value, known) for value in requirement.values if value not in known}
            if not near or not all(near.values()):
                continue
            values = list(dict.fromkeys(near.get(value, value) for value in requirement.values))
            corrected = {"key": requirement.key, "operator": "In", "values": values}
            if self._helps(self._with_template(requirements=[*self._requirements_without(requirement.key), corrected])):
                yield Correct(self.pool.name, requirement.key, tuple(near), tuple(dict.fromkeys(near.values())))

    def allowing_zones(self, zones: Collection[str]) -> Iterator[Remedy]:
        """Yield the NodePool with one further of some zones, if it names those that it allows."""
        named = {v for r in self.pool.requirements if r.key == ZONE and r.operator == Operator.IN for v in r.values}
        for zone in sorted(set(zones) - named) if named else ():
            yield from self._allowed(ZONE, (zone,))

    def allowing_larger(self, types: Sequence[InstanceType], own: Sequence[InstanceType]) -> Iterator[Allow]:
        """Yield the NodePool with one further value of a label of machines, with which it has a type that is large enough.

        `types` are those of its class, `own` those that it allows: a larger type is of an architecture that it has already, and
        where it names types, of a family that it has.
        """
        architectures = sorted(values_of(own, ARCH))
        for key in sorted({r.key for r in self.pool.requirements if r.operator == Operator.IN} - _NOT_OF_MACHINES):
            wide = [*self._requirements_without(key), {"key": ARCH, "operator": "In", "values": architectures}]
            if key == INSTANCE_TYPE:
                families = {t.name.rpartition(".")[0] for t in own}
                names = sorted(t.name for t in types if t.name.rpartition(".")[0] in families)
                wide.append({"key": key, "operator": "In", "values": names})
            pool = self._with_template(requirements=wide) if architectures else None
            results = None if pool is None else self.trial.with_pool(pool)
            if results is None or not self.trial.places(results, self.pool.name):
                continue
            purchase = self.trial.left.purchases
            bought = [] if purchase is None else [purchase(claim).type for claim in self._claims(results)]
            values = values_of(bought, key)
            if len(values) == 1:
                yield from self._allowed(key, tuple(values))

    def widening(self) -> Iterator[Remedy]:
        """Yield the NodePool without its requirements on one label."""
        for key in sorted({r.key for r in self.pool.requirements}):
            if self._helps(self._with_template(requirements=self._requirements_without(key))):
                yield Widen(self.pool.name, key)

    def more_replicas(self) -> Iterator[Remedy]:
        """Yield a static NodePool with the fewest further nodes on which all pods have room."""
        inputs, most = self.trial.left.inputs, self.trial.pods
        if most > _MOST_REPLICAS:
            return
        table = self.trial.left.tables.of(self.pool.name, inputs.registry.well_known)
        purchase = self.trial.left.purchases
        claim = None if purchase is None else bare_claim(self.pool, inputs.registry, inputs.daemons, table, purchase)
        if claim is None or not self.trial.places_all(self.trial.with_static([claim] * most)):
            return
        least = 1
        while least < most:
            middle = (least + most) // 2
            if self.trial.places_all(self.trial.with_static([claim] * middle)):
                most = middle
            else:
                least = middle + 1
        to = own_nodes(self.pool, inputs.nodes)[0] + least
        limit = self.pool.limits.get(NODES)
        yield RaiseReplicas(self.pool.name, to, to if limit is not None and limit.nanos < to * NANO else None)

    def _allowed(self, key: str, values: tuple[str, ...]) -> Iterator[Allow]:
        """Yield the NodePool with values of a label besides those that it allows."""
        own = [v for r in self.pool.requirements if r.key == key and r.operator == Operator.IN for v in r.values]
        allowed = {"key": key, "operator": "In", "values": [*own, *(v for v in values if v not in own)]}
        if self._helps(self._with_template(requirements=[*self._requirements_without(key), allowed])):
            yield Allow(self.pool.name, key, values, is_managed(self.pool))

    def _claims(self, results: Results) -> list[PlacedClaim]:
        return [claim for claim in results.claims if claim.node_pool == self.pool.name]

    def _template(self) -> dict[str, Any]:
        """Return the spec of the NodePool's nodes as its manifest has it."""
        spec: dict[str, Any] = self.pool.manifest()["spec"]["template"]["spec"]
        return spec

    def _requirements_without(self, key: str) -> list[dict[str, Any]]:
        return [r for r in self._template().get("requirements") or () if r["key"] != key]

    def _with_template(self, **fields: Any) -> NodePool | None:
        """Return the NodePool with other fields in the spec of its nodes, or None if the API server would refuse it."""
        template = self.pool.manifest()["spec"]["template"]
        return self._with(template={**template, "spec": {**template["spec"], **fields}})

    def _with(self, **fields: Any) -> NodePool | None:
        """Return the NodePool with other fields in its spec, or None if the API server would refuse it."""
        manifest = self.pool.manifest()
        manifest["spec"] = {**manifest["spec"], **fields}
        try:
            return NodePool.from_manifest(manifest, self.pool.karpenter)
        except InputError:
            return None

    def _helps(self, pool: NodePool | None) -> bool:
        return pool is not None and self.trial.places(self.trial.with_pool(pool), self.pool.name)


def is_startup(taint: Taint) -> bool:
    """Tell whether a taint is of those that an agent of the node removes once it runs."""
    owner, _, name = taint.key.rpartition("/")
    return name.endswith(_STARTUP) or owner in _STARTUP_DOMAINS


def is_managed(pool: NodePool) -> bool:
    """Tell whether the cloud made the NodePool and writes it again when it is edited."""
    built_in_on_aks = pool.registry is AZURE and pool.name in AKS_POOLS
    return built_in_on_aks or pool.pool_labels.get(MANAGED_BY) == MANAGED_BY_EKS
