"""The state of a simulation: what its parts hold, by the names of the parts and of what they hold.

A part is an object of the simulation that changes as it runs. The table `PARTS` says what of it is saved. Each class names in
`NOT_SAVED` what is not, since it can be computed again: caches, and what follows from the inputs. Its constructor makes them,
or a method `restored`, where they depend on what was saved. `restored` is called in the order of the table, once all parts have
what was saved: demand is skipped up to the instant, the types that the cloud had are marked again, the nodes are put in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final

from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.core.shapes import join
from cutlist.disruption.command import Command
from cutlist.disruption.methods import Method
from cutlist.providers.instance_types import InstanceType
from cutlist.simulation.autoscalers import SteppedAutoscaler
from cutlist.simulation.checkpoint.member_types import allowed, words
from cutlist.simulation.checkpoint.reader import Reader, Unreadable
from cutlist.simulation.checkpoint.ways import ways_to
from cutlist.simulation.checkpoint.writer import Plain, Writer
from cutlist.simulation.command_queue import RunningCommand
from cutlist.simulation.disruption_budgets import BudgetCounts
from cutlist.simulation.draining import NodeDrain
from cutlist.simulation.events import Event
from cutlist.simulation.ledger import CommandRecord, HourRecord, NodeLife
from cutlist.simulation.offerings import OfferingKey
from cutlist.simulation.recording.recorder import WaitingRound
from cutlist.simulation.workload import Workload
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode
from cutlist.workloads.objects import PersistentVolume, PersistentVolumeClaim, StorageClass
from cutlist.workloads.pods import Pod

_CLOSED: Final = (InstanceType,)
PART_TYPES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "demand": {"_upcoming": Event | None},
        "autoscalers": {"_stepped": list[SteppedAutoscaler]},
        "commands": {"_running": list[RunningCommand]},
        "controllers": {"workloads": dict[str, Workload]},
        "cronJobs": {"_last": dict[str, int]},
        "disruption": {
            "_decided": tuple[int, Method, Command, int] | None,
            "_due": int | None,
            "_evaluated": dict[Method, int],
            "_idle_since": int | None,
            "_remembered": dict[Method, float],
            "_unsettled": dict[str, float],
        },
        "draining": {"_drains": dict[str, NodeDrain]},
        "offerings": {"lost": dict[OfferingKey, int], "taken": Counter[str], "unavailable": dict[OfferingKey, int]},
        "provisioner": {"_closes": int | None, "_first": int | None, "_nominated": tuple[str, ...]},
        "world": {
            "noticed": set[str],
            "own_drift": dict[str, str],
            "planned_lives": dict[str, NodeLife],
            "ready": set[str],
            "ready_of": Counter[str],
            "starts": dict[str, int],
        },
        "cluster": {
            "_leaving": set[str],
            "_names": list[str],
            "buffered": Mapping[str, int],
            "launching": set[str],
            "nodes": dict[str, StateNode],
            "nominated": dict[str, float],
            "pending": dict[str, None],
            "placeable": tuple[Pod, ...],
            "pods": dict[str, RunningPod],
            "queued": set[str],
            "touched": list[str],
            "workload_of": dict[str, str],
        },
        "ledger": {
            "_cpu": tuple[int, int],
            "_since": dict[str, int],
            "commands": list[CommandRecord],
            "evictions": Counter[tuple[str, str]],
            "hours": list[HourRecord],
            "lives": dict[str, NodeLife],
            "never_ran": list[tuple[str, int]],
            "refusals": dict[str, str],
            "timeouts": Counter[str],
            "waited": Counter[tuple[str, int]],
            "waited_whole": Counter[tuple[str, int]],
            "waits": list[int],
        },
        "queue": {"_heap": list[tuple[tuple[int, int, int], Event]]},
        "recorder": {"_round": WaitingRound | None},
        "budgets": {"_counts": list[BudgetCounts]},
        "storage": {
            "_classes": dict[str, StorageClass],
            "claims": dict[tuple[str, str], PersistentVolumeClaim],
            "volumes": dict[str, PersistentVolume],
        },
        "devices": {
            "ended": list[str],
            "held": dict[str, tuple[str, list[tuple[str, str, str, str, str, str, dict[str, int] | None]]]],
            "nodes": dict[str, list[str]],
        },
    }
)
"""The annotations of what the parts hold where a new simulation does not show it (its collections are empty, others are
null), by part and attribute."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part: what it holds in words, the attributes that lead to it from the simulation, and those of its own that are saved.

    In the file an attribute has the same name without an underscore at its beginning, or is `member=attribute`.
    """

    about: str
    way: str
    saved: str

    @property
    def members(self) -> Mapping[str, str]:
        """Return the attribute of each member of the file."""
        pairs = [member.partition("=") for member in self.saved.split()]
        return {name.lstrip("_"): attribute or name for name, _, attribute in pairs}

    def of(self, simulation: object) -> Any:
        """Return the part of a simulation."""
        return attrgetter(self.way)(simulation) if self.way else simulation


PARTS: Final[Mapping[str, Part]] = MappingProxyType(
    {
        "demand": Part("How much of the demand was handled, and what comes next.", "", "_has_node _taken _upcoming"),
        "autoscalers": Part("Memory of each HorizontalPodAutoscaler.", "_autoscalers", "_stepped"),
        "commands": Part("Commands of disruption that wait for replacements.", "_commands", "_number _running"),
        "controllers": Part("Workloads: their replicas, pods, Jobs, rollouts.", "_controllers", "_numbers workloads"),
        "cronJobs": Part("When each CronJob started last.", "_cron_jobs", "_last"),
        "disruption": Part(
            "Memory of Karpenter's disruption controller.",
            "_disruption",
            "_decided _due _evaluated _failed _idle_since _judged _looked _number _remembered _unsettled",
        ),
        "draining": Part("Nodes that are being drained.", "_draining", "_drains"),
        "random": Part("The generator of random names.", "_launcher", "names=_random"),
        "offerings": Part(
            "Offerings that the cloud lacks, and reservations in use.", "_offerings", "edition lost taken unavailable"
        ),
        "provisioner": Part(
            "Memory of Karpenter's provisioner.", "_provisioner", "_as_of _closes _first _is_open _nominated _window"
        ),
        "staticPools": Part("Memory of the controller of static NodePools.", "_static", "_looked"),
        "world": Part(
            "The instant in milliseconds since the start, pods that are ready or noticed, nodes that are being launched.",
            "world",
            "decisions noticed now own_drift planned_lives pods_made ready ready_of starts",
        ),
        "cluster": Part(
            "Nodes and pods, and Karpenter's view of them.",
            "world.cluster",
            "_leaving _names buffered changes launching moved nodes nominated now pending placeable pods queued touched "
            "workload_of",
        ),
        "ledger": Part(
            "What the result is computed from: lives of nodes, hours, waits, evictions, commands.",
            "world.ledger",
            "_at _cpu _running _since commands evictions hours lives never_ran refusals timeouts waited waited_whole waits",
        ),
        "queue": Part("Events to come, in the order of a heap.", "world.queue", "_heap _next"),
        "recorder": Part("The round of disruption that waits for its validation.", "world.recorder", "_round"),
        "budgets": Part("Healthy pods by PodDisruptionBudget.", "world.cluster.budgets", "_counts"),
        "storage": Part("Claims, their volumes and classes.", "world.cluster.storage", "_classes claims volumes"),
        "devices": Part("Nodes that publish devices, and what pods hold.", "world.cluster.devices", "ended held nodes"),
    }
)


@dataclass(frozen=True, slots=True)
class SavedParts:
    """The state of a simulation in plain JSON: what each part holds, and the objects that occur more than once.

    `source` is the file that it was read from.
    """

    shared: list[Any]
    parts: Mapping[str, Mapping[str, Plain]]
    source: str = field(default="", compare=False)


def saved_parts(simulation: object, inputs: object) -> SavedParts:
    """Return the state of a simulation that runs on some inputs. Raises TypeError for what cannot be saved."""
    writer = Writer(ways_to(inputs, _CLOSED))
    parts: dict[str, dict[str, Plain]] = {}
    for name, part in PARTS.items():
        owner = part.of(simulation)
        parts[name] = {member: writer.write(getattr(owner, attribute)) for member, attribute in part.members.items()}
    return SavedParts(writer.shared, parts)


def restore(simulation: object, saved: SavedParts, inputs: object) -> None:
    """Give the parts of a new simulation on the same inputs what was saved. Raises InputError for what is not the state of such
    a simulation.
    """
    # First, so that what follows may rely on every name.
    _check_names(saved)
    problems = Problems()
    reader = Reader(saved.shared, inputs)
    for name, part in PARTS.items():
        owner = part.of(simulation)
        for member, attribute in part.members.items():
            place = Place(saved.source, path=f"parts.{name}.{member}")
            try:
                value = reader.read(saved.parts[name][member])
                if (hint := PART_TYPES.get(name, {}).get(attribute)) is not None:
                    reader.check(value, saved.parts[name][member], allowed(hint))
            except Unreadable as wrong:
                inner = join(place.path, wrong.path) if wrong.path else place.path
                problems.add(place.at(inner), wrong.message, wrong.allowed, wrong.near)
                continue
            # A new simulation has a value of the right kind, unless that is None, which may become anything.
            empty = getattr(owner, attribute)
            if empty is not None and _kind(value) is not _kind(empty):
                problems.add(place, f"is {words(_kind(value))}", words(_kind(empty)))
            setattr(owner, attribute, value)
    problems.raise_if_any()
    _complete(simulation, saved)


def _check_names(saved: SavedParts) -> None:
    """Refuse a state that lacks a part or a member of one, or has others."""
    problems = Problems()
    _compare("parts", saved.parts, PARTS, saved.source, problems)
    for name, part in PARTS.items():
        if name in saved.parts:
            _compare(f"parts.{name}", saved.parts[name], part.members, saved.source, problems)
    problems.raise_if_any()


def _compare(path: str, own: Mapping[str, Any], known: Mapping[str, Any], source: str, problems: Problems) -> None:
    allowed = ", ".join(known)
    for name in [name for name in known if name not in own]:
        problems.add(Place(source, path=f"{path}.{name}"), "is missing", f"all of {allowed}")
    for name in [name for name in own if name not in known]:
        problems.add(Place(source, path=f"{path}.{name}"), "is unknown", allowed, nearest(name, known))


def _kind(value: object) -> type[Any]:
    """Return the class of a value, where a whole number is also a float, and any mapping that does not count a dict."""
    if isinstance(value, Mapping) and not isinstance(value, Counter):
        return dict
    return float if type(value) is int else type(value)


def _complete(simulation: object, saved: SavedParts) -> None:
    """Compute what was not saved."""
    for part in PARTS.values():
        owner = part.of(simulation)
        # In the order of the table: later parts compute from earlier ones.
        if hasattr(owner, "restored"):
            try:
                owner.restored()
            except (AttributeError, LookupError, TypeError, ValueError) as wrong:
                text = f"what the parts hold does not fit together: {wrong}"
                raise InputError.one(Place(saved.source, path="parts"), text, "a state as it was written") from None
