"""Pods as groups: controllers with their counts, single pods, daemons, and running pods.

The pods of a listed controller are counted once: its pods, ReplicaSets and Jobs are not counted again, and its pods that run on
given nodes are subtracted from the count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document
from cutlist.workloads.autoscalers import Autoscaler
from cutlist.workloads.chosen_replicas import ChosenReplicas
from cutlist.workloads.controllers import KINDS as CONTROLLERS
from cutlist.workloads.controllers import Controller
from cutlist.workloads.defaults import Admission
from cutlist.workloads.equal_pods import EqualPods
from cutlist.workloads.gangs.declared import DeclaredGangs
from cutlist.workloads.gangs.found import FoundGangs
from cutlist.workloads.gangs.gang import Gang, GangId
from cutlist.workloads.gangs.whole_objects import is_admitted_by_kueue
from cutlist.workloads.groups import BoundPod, DaemonSet, PodGroup, workload_name
from cutlist.workloads.inventory import Inventory, PodSetsOf
from cutlist.workloads.owners import Key, Owners, above_replica_set, daemon_pod, key_of, owner_of
from cutlist.workloads.pods import NO_LABELS, FrozenDict, Pod
from cutlist.workloads.read_pod import grace_period, read_pod
from cutlist.workloads.replicas import replica_groups

Manifest = Mapping[str, Any]

HOOK_LEFT_OUT: Final = "helm-hook"
"""The code of notes on workloads whose pods do not count, since they say that a chart runs them at other times."""
_HELM_HOOK: Final = "helm.sh/hook"
_HOOKS_OF_A_RELEASE: Final = frozenset({"pre-install", "post-install", "pre-upgrade", "post-upgrade", "crd-install"})


@dataclass(frozen=True, slots=True)
class _Counted:
    """A controller whose pods count, the autoscaler that changes their number, and the runtime of a TrainJob."""

    controller: Controller
    document: Document
    scaler: Autoscaler | None
    runtime: Manifest | None = None

    @property
    def workload(self) -> str:
        """Return its name in a plan."""
        return workload_name(self.controller.kind, self.controller.namespace, self.controller.name)

    @property
    def range(self) -> tuple[int, int] | None:
        """Return the fewest and most pods that its autoscaler or its own operator gives it, or None if nothing scales it."""
        return (self.scaler.low, self.scaler.high) if self.scaler else self.controller.range


@dataclass(slots=True)
class Grouping:
    """Groups, daemons, bound pods and gangs of an inventory. `chosen` are replicas that the user chooses; mistakes in these go
    to `problems`."""

    inventory: Inventory
    admission: Admission
    notes: Notes
    problems: Problems
    chosen: Sequence[str] = ()
    groups: list[PodGroup] = field(default_factory=list)
    daemons: list[DaemonSet] = field(default_factory=list)
    bound: list[BoundPod] = field(default_factory=list)
    gangs: tuple[Gang, ...] = ()
    _found: FoundGangs = field(init=False)
    _placed: dict[Key, list[str]] = field(default_factory=dict)  # names of the pods of a controller that run on given nodes
    _daemon_pods: dict[Key, list[Manifest]] = field(default_factory=dict)  # those with a node, by their DaemonSet

    _equal: EqualPods = field(default_factory=EqualPods)

    def __post_init__(self) -> None:
        """Read what declares gangs."""
        self._found = FoundGangs(DeclaredGangs.read(self.inventory.gangs, self.problems), self.problems)

    def build(self) -> None:
        """Fill in the groups, the daemons, the bound pods and the gangs."""
        documents = [d for kind in CONTROLLERS for d in self.inventory.by_kind[kind] if self._is_wanted(d.data)]
        others = self._counted_others(documents)
        owners = Owners.of(d.data for d in (*documents, *(of.document for of in others)))
        self._read_pods(owners)
        scalers = {
            a.target: a for a in map(Autoscaler.read, self.inventory.manifests("HorizontalPodAutoscaler", "ScaledObject"))
        }
        counted: list[_Counted] = []
        for document in documents:
            key = key_of(document.data)
            if document.kind == "DaemonSet":
                self.daemons.append(self._daemon(document))
            elif key in self.inventory.scaled_down:
                self.notes.add("scaled-down", "scaled down by the Rollout that refers to them: {who}", _who(key))
            elif not owners.is_owned(key):
                counted.append(_Counted(Controller.read(document.data), document, scalers.pop(key, None)))
        for of in others:
            if not owners.is_owned(key_of(of.document.data)):
                counted += self._counted_sets(of, scalers.pop(key_of(of.document.data), None))
        for scaler in scalers.values():
            self._note_missing_target(scaler)
        chosen = ChosenReplicas.of(self.chosen, {each.workload: each.range for each in counted}, self.problems)
        for each in counted:
            self._add_controller(each, chosen.replicas(each.workload, each.range))
        self.gangs = self._found.all(self.groups, self.bound, self.notes)

    def _counted_others(self, documents: Iterable[Document]) -> list[PodSetsOf]:
        """Return the objects of other kinds that count for their pods: those with several sets only if they own nothing in the
        input."""
        owned = {owner_of(d.data) for d in (*documents, *self.inventory.by_kind["Pod"])}
        counted = []
        for of in self.inventory.pod_sets:
            if not self._is_wanted(of.document.data):
                continue
            if len(of.sets) > 1 and key_of(of.document.data) in owned:
                text = "counted by the pods and controllers that they own, which are in the input: {who}"
                self.notes.add("counted-by-owned", text, _who(key_of(of.document.data)))
            else:
                counted.append(of)
        return counted

    def _counted_sets(self, of: PodSetsOf, scaler: Autoscaler | None) -> list[_Counted]:
        """Return the sets of pods of an object of another kind, and add its daemons and a note on how they are counted."""
        sets = []
        for controller, is_daemon in of.sets:
            if is_daemon:
                pod = self._admitted_pod(controller.template, (controller.namespace, controller.kind, controller.name))
                place, grace = of.document.place, grace_period(controller.template["spec"])
                self.daemons.append(DaemonSet(controller.name, controller.namespace, pod, place, grace))
            else:
                sets.append(_Counted(controller, of.document, scaler, of.runtime))
        who = _who(key_of(of.document.data))
        self.notes.add("other-kind-counted", "counted by what their spec says, not by what their operator makes: {who}", who)
        if of.remark:
            self.notes.add("other-kind-counted", f"{of.remark}: {{who}}", who)
        return sets

    def _is_wanted(self, manifest: Manifest) -> bool:
        metadata = manifest["metadata"]
        if metadata.get("deletionTimestamp"):
            return False
        hooks = {h.strip() for h in ((metadata.get("annotations") or {}).get(_HELM_HOOK) or "").split(",") if h.strip()}
        if hooks and not hooks & _HOOKS_OF_A_RELEASE:
            text = "left out, since a chart runs it only on test, deletion or rollback: {who}"
            self.notes.add(HOOK_LEFT_OUT, text, _who(key_of(manifest)))
            return False
        return True

    # Pods of the input

    def _read_pods(self, owners: Owners) -> None:
        nodes = {m["metadata"]["name"] for m in self.inventory.manifests("Node")}
        single: dict[tuple[Key, Pod, GangId | None], PodGroup] = {}
        for document in self.inventory.by_kind["Pod"]:
            manifest = document.data
            if (manifest.get("status") or {}).get("phase") in ("Succeeded", "Failed") or not self._is_wanted_pod(manifest):
                continue
            owner = owner_of(manifest)
            controller = owners.find(owner, manifest["metadata"].get("labels"))
            if manifest["spec"].get("nodeName"):
                self._add_running(document, owner, controller, nodes)
            elif owner is not None and owner[1] in ("DaemonSet", "Node"):
                self._note_daemon(owner, controller)
            elif controller is None:
                key = above_replica_set(owner, manifest["metadata"].get("labels") or {}) or owner or key_of(manifest)
                pod, gang = self._admitted_pod(manifest, key), self._found.of_pod(document)
                namespace, kind, name = key
                annotations = _annotations(manifest)
                first = PodGroup(name, namespace, kind, 0, pod, document.place, annotations=annotations, grace=0, gang=gang)
                so_far, grace = single.get((key, pod, gang), first), grace_period(manifest["spec"])
                single[key, pod, gang] = replace(so_far, count=so_far.count + 1, grace=max(so_far.grace, grace))
        self.groups += single.values()

    def _is_wanted_pod(self, manifest: Manifest) -> bool:
        return bool(manifest["spec"].get("nodeName")) or self._is_wanted(manifest)

    def _add_running(self, document: Document, owner: Key | None, controller: Key | None, nodes: set[str]) -> None:
        manifest = document.data
        namespace, _, name = key_of(manifest)
        node = manifest["spec"]["nodeName"]
        if owner is not None and owner[1] == "DaemonSet":
            self._note_daemon(owner, controller)
            self._daemon_pods.setdefault(owner, []).append(manifest)
        elif node in nodes and controller is not None:
            self._placed.setdefault(controller, []).append(name)
        elif node not in nodes and controller is not None:
            self.notes.add(
                "node-not-given", "running on nodes that are not in the input, and planned again: {who}", _who(controller)
            )
            return
        elif node not in nodes:
            who = _who(owner or key_of(manifest))
            self.notes.add("node-not-given", "running on nodes that are not in the input, and left out: {who}", who)
        labelled = (owner[1], owner[2]) if owner else ("", "")
        pod, annotations, grace = self._equal.read(manifest), _annotations(manifest), grace_period(manifest["spec"])
        gang = self._found.of_pod(document) if controller is None else None
        self.bound.append(BoundPod(name, namespace, node, pod, labelled, annotations, document.place, grace, gang))

    def _note_daemon(self, owner: Key, controller: Key | None) -> None:
        if owner[1] == "DaemonSet" and controller is None:
            text = "pods are in the input, but not their DaemonSet, so new nodes are planned without it: {who}"
            self.notes.add("daemonset-not-given", text, _who(owner))

    # Controllers

    def _daemon(self, document: Document) -> DaemonSet:
        controller = Controller.read(document.data)
        key = key_of(document.data)
        pod = daemon_pod(document.data, self._admitted_pod(controller.template, key), self._daemon_pods.get(key, ()))
        grace = grace_period(controller.template["spec"])
        return DaemonSet(controller.name, controller.namespace, pod, document.place, grace)

    def _add_controller(self, counted: _Counted, chosen: int | None) -> None:
        controller, document = counted.controller, counted.document
        key = key_of(document.data)
        count = self._written_count(counted) if chosen is None else self._chosen_count(counted, chosen)
        placed = self._placed.get(key, [])
        pod = self._admitted_pod(controller.template, key)
        whole = PodGroup(
            controller.name,
            controller.namespace,
            controller.kind,
            count,
            pod,
            document.place,
            range=counted.range,
            first=controller.first,
            annotations=_annotations(controller.template),
            grace=grace_period(controller.template["spec"]),
            gang=self._found.of_template(controller.template, document, counted.runtime),
        )
        claims = self._claims().get(controller.namespace, set()) if controller.claim_templates else set()
        self.groups += replica_groups(whole, controller.claim_templates, claims, placed, self.admission.storage_class)

    def _claims(self) -> Mapping[str, set[str]]:
        names: dict[str, set[str]] = {}
        for manifest in self.inventory.manifests("PersistentVolumeClaim"):
            namespace, _, name = key_of(manifest)
            names.setdefault(namespace, set()).add(name)
        return names

    def _written_count(self, counted: _Counted) -> int:
        """Return how many pods a controller has by the input alone, and add notes on what that assumes."""
        controller, scaler, who = counted.controller, counted.scaler, counted.workload
        if controller.suspended and not self._is_unsuspended(counted):
            self.notes.add("suspended", "suspended, and counted without pods: {who}", who)
            return 0
        if controller.kind == "CronJob":
            self.notes.add("cron-job-counted", "counted as if one run were under way: {who}", who)
        if scaler is not None:
            count = scaler.replicas(controller.replicas, in_cluster=bool(counted.document.data.get("status")))
            self._note_planned(who, count, f"; {scaler.in_words(controller.replicas)}")
            return count
        count = 1 if controller.replicas is None else controller.replicas
        if controller.range is not None:
            self._note_planned(who, count, f"; it may run {controller.range[0]} to {controller.range[1]} at a time")
        elif count == 0:
            is_job = controller.kind in ("Job", "CronJob")
            why = "finished, or without a pod to run" if is_job else "0 replicas, so there is no pod to plan for"
            self.notes.add("no-pods-to-run" if is_job else "no-replicas", f"{why}: {{who}}", who)
        return count

    def _is_unsuspended(self, counted: _Counted) -> bool:
        """Tell whether Kueue will start a suspended object; one that a cluster has waits for its quota (GA-17)."""
        if counted.document.data.get("status") or not is_admitted_by_kueue(counted.document.data):
            return False
        self.notes.add("kueue-admitted", "suspended until Kueue admits it, and counted as admitted: {who}", counted.workload)
        return True

    def _chosen_count(self, counted: _Counted, chosen: int) -> int:
        """Return the chosen number of pods, with a note that says so."""
        span = ""
        if counted.scaler is not None:
            span = f"; {counted.scaler.kind} {counted.scaler.name} allows {counted.scaler.low} to {counted.scaler.high}"
        elif counted.range is not None:
            span = f"; it may run {counted.range[0]} to {counted.range[1]} at a time"
        self._note_planned(counted.workload, chosen, f", as chosen{span}", "replicas-chosen")
        return chosen

    def _note_planned(self, who: str, count: int, text: str, code: str = "autoscaled") -> None:
        self.notes.add(code, f"{{who}} is planned with {count} pod{'' if count == 1 else 's'}{text}", who)

    def _note_missing_target(self, scaler: Autoscaler) -> None:
        namespace, kind, name = scaler.target
        if kind in CONTROLLERS:
            text = f"{scaler.kind} {scaler.name} scales {{who}}, which is not in the input"
            self.notes.add("autoscaler-without-target", text, workload_name(kind, namespace, name))

    def _admitted_pod(self, manifest: Manifest, key: Key) -> Pod:
        if manifest["spec"].get("schedulingGates"):
            self.notes.add(
                "scheduling-gated", "waiting for scheduling gates, and counted as if they were open: {who}", _who(key)
            )
        return read_pod(self.admission.admit(manifest, _who(key), self.notes))


def _who(key: Key) -> str:
    namespace, kind, name = key
    return workload_name(kind, namespace, name)


def _annotations(manifest: Manifest) -> Mapping[str, str]:
    raw = (manifest.get("metadata") or {}).get("annotations")
    return FrozenDict(raw) if raw else NO_LABELS
