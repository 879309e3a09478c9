"""The whole plan: nodes, pods that stay pending, notes, totals, and its form in JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.core.errors import InputError, Place
from cutlist.core.ledger import Inputs
from cutlist.core.notes import Note
from cutlist.core.records import (
    NEWER,
    SPARSE,
    After,
    Count,
    about,
    computed,
    data_of,
    json_of,
    read,
)
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.planning.model.addresses import SubnetUse
from cutlist.planning.model.filled_groups import FilledGroup
from cutlist.planning.model.gangs import PlannedGang
from cutlist.planning.model.launch import Launch
from cutlist.planning.model.nodes import LOWEST_PRICE, FilledNode, PlannedNode, PodSize
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.model.passes import FurtherPass
from cutlist.planning.model.pending import PendingPods
from cutlist.planning.model.restrictions import PricedRestriction, RestrictionPrices
from cutlist.planning.model.scaling import ScaledPlan, Scaling
from cutlist.planning.model.settled import Settled
from cutlist.planning.model.shared_gpus import MiscountedGpus
from cutlist.planning.model.spelling import ExactPrice
from cutlist.planning.model.totals import Totals
from cutlist.planning.model.volumes import ClaimedVolume, VolumeTotals
from cutlist.settings.suggest import BoundKind

NO_REQUESTS: Final = "no-requests"
"""The code of the warning that no pod requests anything."""
NO_PODS: Final = "no-pods-now"
"""The code of the warning that every workload of the input has 0 pods."""
VERSION: Final = 1  # of the JSON form; raised when a key changes its meaning or is removed


@dataclass(frozen=True, slots=True)
class Plan(NotebookValue):
    """Which nodes a set of workloads will get in a region, what stays pending, and what had to be assumed.

    `karpenter` is the release whose rules were applied; empty for a plan made before there was a choice. `services` run
    Karpenter for the NodePools.
    `existing` are existing nodes that accept pods; `passes` is the number of passes that place something, and `further_passes`
    are those after the first. `unfinished` says why they stopped although another one might change something; it is empty for a
    complete plan.

    `launches` are the requests for the nodes, empty unless requested. `pod_sizes` are of the workloads on the new nodes, by
    name; nodes' prices are divided by them. `bound_per_hour` is a lower bound in USD on the cost of any packing of the placed
    pods, and `bound_kind` how it was proven; both are None where no bound was computed. `settled` is what the nodes cost once
    Karpenter has consolidated them, where that was looked for, `unsettled` why that is not known, and `restrictions` what
    restrictions cost, where requested;
    `scaling` is what the plan costs with other numbers of pods, and `drivers` are those that cost most, where looked for.
    `node_groups` are those beside Karpenter, whose price is not in the totals. `gangs` are those that have pods,
    `miscounted_gpus` those of which Karpenter counts others than nodes offer. `inputs` is the account of the files that the
    plan is from; it does not count when plans are compared.
    """

    region: str
    nodes: tuple[PlannedNode, ...] = ()
    pending: tuple[PendingPods, ...] = ()
    assumptions: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()
    existing: Annotated[tuple[FilledNode, ...], After("pod_sizes")] = ()
    passes: Annotated[Count, After("totals")] = 1
    launches: Annotated[tuple[Launch, ...], After("nodes"), NEWER] = ()
    pod_sizes: Annotated[tuple[PodSize, ...], After("launches"), NEWER] = ()
    further_passes: Annotated[tuple[FurtherPass, ...], After("passes"), NEWER] = ()
    unfinished: Annotated[str, After("further_passes"), NEWER, about("Why passes stopped early; empty if they finished.")] = ""
    karpenter: Annotated[
        str, After("region"), NEWER, about("Release of Karpenter whose rules were applied; empty when it is not known.")
    ] = ""

    services: Annotated[
        tuple[RunningService, ...],
        After("karpenter"),
        NEWER,
        OF_ANSWER,
    ] = ()
    bound_per_hour: Annotated[
        ExactPrice,
        After("unfinished"),
        NEWER,
        about("USD that no packing of the placed pods costs less than; null where no bound was computed."),
    ] = None
    restrictions: Annotated[
        RestrictionPrices | None, After("bound_kind"), NEWER, about("What restrictions cost; null unless requested.")
    ] = None
    drivers: Annotated[
        tuple[PricedRestriction, ...] | None,
        After("restrictions"),
        NEWER,
        about("The restrictions that cost most, each removed alone, at most three; null where they were not looked for."),
    ] = None
    bound_kind: Annotated[
        BoundKind | None,
        After("bound_per_hour"),
        NEWER,
        about("How the bound was proven: each is at least as high as those before."),
    ] = None

    settled: Annotated[
        Settled | None,
        After("totals"),
        NEWER,
        about("What the nodes cost once Karpenter has consolidated them; null where it was not looked for."),
    ] = None

    unsettled: Annotated[
        str,
        After("settled"),
        NEWER,
        about("Why it is not known what the nodes cost once settled, where that was looked for; else empty."),
    ] = ""

    scaling: Annotated[
        Scaling | None,
        After("unsettled"),
        NEWER,
        about("What the plan costs at the ends of autoscalers and during rollouts; null where it was not looked for."),
    ] = None

    node_groups: Annotated[
        tuple[FilledGroup, ...],
        After("existing"),
        NEWER,
        about("Node groups beside Karpenter, with the pods that only they can take."),
    ] = ()

    volumes: Annotated[
        tuple[ClaimedVolume, ...],
        After("node_groups"),
        NEWER,
        about("The volumes that the pods claim; their price is not in the totals."),
    ] = ()

    subnets: Annotated[
        tuple[SubnetUse, ...],
        After("volumes"),
        NEWER,
        about("What the new nodes and their pods take of the known subnets."),
    ] = ()

    gangs: Annotated[
        tuple[PlannedGang, ...],
        After("pending"),
        NEWER,
        about("The gangs of pods, which run with as many as they need at once or not at all."),
    ] = ()

    miscounted_gpus: Annotated[
        MiscountedGpus | None,
        After("gangs"),
        NEWER,
        about("What Karpenter has to know of shared GPUs; null where it counts them as nodes offer them, or none are shared."),
    ] = None

    inputs: Annotated[
        Inputs | None, After("services"), NEWER, about("What of the files was read, passed over and left open.")
    ] = field(default=None, compare=False)
    price_age: Annotated[
        PriceAge | None,
        After("totals"),
        SPARSE,
        PRICE_AGE,
    ] = field(default=None, compare=False)

    @property
    @computed(after="")
    def version(self) -> Literal[1]:
        """Return the version of the JSON form."""
        return VERSION

    @property
    @computed(after="region")
    def totals(self) -> Totals:
        """Return the sums, computed at each call."""
        return Totals.of(self.nodes, self.pending, self.existing, self.node_groups)

    @property
    @computed(after="volumes")
    def volume_totals(self) -> Annotated[VolumeTotals, about("Sums over the volumes, which come on top of the totals.")]:
        """Return the sums over the volumes that the pods claim."""
        return VolumeTotals.of(self.volumes)

    @property
    def as_scaled(self) -> ScaledPlan:
        """Return the totals, to be compared with those for other numbers of pods."""
        totals = self.totals
        return ScaledPlan(totals.pods, totals.pending, totals.nodes, totals.whole_price_per_hour, self.has_estimates)

    @property
    def pods_on_existing(self) -> int:
        """Return how many pods go to existing nodes."""
        return sum(share.count for node in self.existing for share in node.pods)

    @property
    def pods_beside(self) -> int:
        """Return how many pods node groups beside Karpenter take."""
        return sum(group.placed for group in self.node_groups)

    @property
    def pods_apart(self) -> Mapping[str, int]:
        """Return how many pods of each workload get no node of Karpenter: they wait, or node groups take them."""
        counts = Counter[str]()
        for pods in self.pending:
            counts[pods.workload] += pods.count
        for share in (share for group in self.node_groups for share in group.pods):
            counts[share.workload] += share.count
        return counts

    @property
    def incomplete_gangs(self) -> tuple[PlannedGang, ...]:
        """Return the gangs of which too few pods have a place."""
        return tuple(gang for gang in self.gangs if not gang.complete)

    @property
    def pods_on_new_nodes(self) -> int:
        """Return how many pods get one of the new nodes."""
        return self.totals.pods - self.pods_on_existing - self.pods_beside

    @property
    def headline(self) -> str:
        """Return what the plan is for: the region, and the Karpenter if it is known."""
        return ", ".join(filter(None, (self.region, self.karpenter_words)))

    @property
    def karpenter_words(self) -> str:
        """Return in words which Karpenter the plan follows; empty if that is not known. A service that does not publish its
        version is named, with the rules that are applied."""
        hidden = " and ".join(service.name for service in self.services if not service.karpenter)
        if not self.karpenter or not hidden:
            return f"Karpenter {self.karpenter}" if self.karpenter else ""
        return f"{hidden} (Karpenter of unknown version, rules of {self.karpenter})"

    @property
    def above_bound(self) -> float | None:
        """Return by which fraction of the bound the price exceeds it, or None if one of them is unknown."""
        price = self.totals.price_per_hour
        return None if price is None or not self.bound_per_hour else price / self.bound_per_hour - 1

    @property
    def first_words(self) -> tuple[str, ...]:
        """Return the warnings that a reader needs in order to understand the rest."""
        still_open = () if self.inputs is None or self.inputs.complete else (self.inputs.open_sentence,)
        return (*still_open, *(note.text for note in self.warnings if note.code in (NO_REQUESTS, NO_PODS)))

    @property
    def is_complete(self) -> bool:
        """Tell whether everything in the files that bears on the plan is in it."""
        return self.inputs is None or self.inputs.complete

    @property
    def shown_age(self) -> PriceAge | None:
        """Return which prices are old, None where the plan has no price."""
        return self.price_age if self.nodes else None

    @property
    def has_no_pods(self) -> bool:
        """Tell whether every workload of the input has 0 pods."""
        return any(note.code == NO_PODS for note in self.warnings)

    @property
    def may_cost_more(self) -> bool:
        """Tell whether the price is a lower bound: the cloud chooses among types of a node, or the price of one is unknown."""
        return any(n.certainty == LOWEST_PRICE or n.price is None for n in self.nodes)

    @property
    def lower_bound_word(self) -> str:
        """Return the word before the price where it is a lower bound: `At least` while something of the files is open, `From`
        where the cloud or an unknown price decides; empty for a price that is known."""
        if not self.is_complete:
            return "At least"
        return "From" if self.may_cost_more else ""

    @property
    def has_estimates(self) -> bool:
        """Tell whether the price of some node is an estimate."""
        return any(n.is_estimated for n in self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data in a stable order; `totals` are included for readers and follow from the rest."""
        data: dict[str, Any] = data_of(self)
        return data

    def to_json(self) -> str:
        """Return `to_dict` as indented ASCII JSON that ends in a newline, byte-identical for equal plans."""
        return json_of(self)

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> Plan:
        """Return the plan that `to_dict` wrote. Raises InputError for data that is not a plan, or a plan of another version."""
        version = raw.get("version") if isinstance(raw, Mapping) else type(raw).__name__
        if version != VERSION:
            message = f"not a plan that can be read: version {version!r}"
            raise InputError.one(Place(path="version"), message, allowed=str(VERSION))
        return read(Plan, raw, "a plan")
