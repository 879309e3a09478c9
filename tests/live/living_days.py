"""A day, lived: a script of changes put into a cluster, and when Karpenter did what in the meantime."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from tests.live import karpenter_log as log
from tests.live.api import Api
from tests.live.cluster import LiveCluster
from tests.live.karpenter_log import Line
from tests.live.recording import Recording
from tests.live.scenario import Change
from tests.live.scenarios.builders import CAPACITY_TYPE, INSTANCE_TYPE, ZONE
from tests.live.scenarios.days import Day
from tests.live.servers import Servers

_LOOK_EVERY: Final = 0.5
_STEPS: Final = ("Launched", "Registered", "Initialized", "Consolidatable", "Drifted")
_PRICE: Final = "eks-node-viewer/instance-price"


def live_through(servers: Servers, day: Day, version: str) -> Recording:
    """Return what happened in a day, each thing with the seconds since its beginning. Karpenter runs already, in this version
    and with the day's settings."""
    api = servers.api()
    cluster = LiveCluster(api)
    try:
        cluster.empty()
        cluster.put(day.objects)
        cluster.wait_for_pools()
        watch = _Watch(api, datetime.now(UTC))
        offset = servers.karpenter_log.stat().st_size
        _live(cluster, day, watch)
        lines = log.lines(servers.karpenter_log, offset)
        answer = {**watch.histories(), "commands": commands(lines, watch.began), "passes": passes(lines, watch.began)}
        return Recording(day.name, version, "day", written(day), answer)
    finally:
        api.close()


def written(day: Day) -> dict[str, Any]:
    """Return a day as plain data."""
    return {
        "name": day.name,
        "about": day.about,
        "seconds": day.seconds,
        "gates": dict(day.gates),
        "settings": dict(day.settings),
        "objects": list(day.objects),
        "script": [{"at": at, "changes": [_written_change(change) for change in changes]} for at, changes in day.script],
    }


def _written_change(change: Change) -> dict[str, Any]:
    """Return an object as it is, anything else with the name of what happens."""
    return dict(change) if isinstance(change, Mapping) else {"change": type(change).__name__, **asdict(change)}


def _live(cluster: LiveCluster, day: Day, watch: _Watch) -> None:
    """Let the script happen, and look at the cluster all the while."""
    began = time.monotonic()
    coming = list(day.script)
    while (passed := time.monotonic() - began) < day.seconds:
        if coming and coming[0][0] <= passed:
            cluster.put(coming.pop(0)[1])
        watch.look()
        due = min(coming[0][0] if coming else day.seconds, time.monotonic() - began + _LOOK_EVERY)
        time.sleep(max(0.0, due - (time.monotonic() - began)))


@dataclass(slots=True)
class _Watch:
    """Notes when objects come, change and go."""

    api: Api
    began: datetime
    pods: dict[str, dict[str, Any]] = field(default_factory=dict)
    claims: dict[str, dict[str, Any]] = field(default_factory=dict)

    def look(self) -> None:
        """Look at all pods, NodeClaims and nodes."""
        at = self._since(datetime.now(UTC))
        nodes = {node["metadata"]["name"]: node for node in self.api.items("Node")}
        pods = {pod["metadata"]["uid"]: pod for pod in self.api.items("Pod")}
        claims = {claim["metadata"]["name"]: claim for claim in self.api.items("NodeClaim")}
        for uid, pod in pods.items():
            self.pods.setdefault(uid, self._pod(pod)).update(self._progress_of_pod(pod))
        for name, claim in claims.items():
            node = nodes.get((claim.get("status") or {}).get("nodeName", ""))
            self.claims.setdefault(name, {}).update(self._claim(claim, node))
        for known, present in ((self.pods, pods), (self.claims, claims)):
            for key in known.keys() - present.keys():
                known[key].setdefault("gone", at)

    def histories(self) -> dict[str, Any]:
        """Return what was seen, in the order in which it came."""
        claims = [{"name": name, **history} for name, history in self.claims.items()]
        return {
            "pods": sorted(self.pods.values(), key=lambda pod: (pod["created"], pod["name"])),
            "claims": sorted(claims, key=lambda claim: (claim["created"], claim["name"])),
        }

    def _pod(self, pod: Mapping[str, Any]) -> dict[str, Any]:
        metadata = pod["metadata"]
        requests = pod["spec"]["containers"][0]["resources"]["requests"]
        owner = metadata["ownerReferences"][0]["kind"]
        created = self._at(metadata["creationTimestamp"])
        identity = {"name": metadata["name"], "app": metadata["labels"]["app"], "owner": owner}
        return {**identity, "requests": requests, "created": created}

    def _progress_of_pod(self, pod: Mapping[str, Any]) -> dict[str, Any]:
        """Return where a pod is, and since when."""
        times = self._transitions(pod, ("PodScheduled",))
        placed = {"node": pod["spec"]["nodeName"], "bound": times.get("podScheduled")} if pod["spec"].get("nodeName") else {}
        return {**placed, **self._deletion(pod)}

    def _claim(self, claim: Mapping[str, Any], node: Mapping[str, Any] | None) -> dict[str, Any]:
        labels = {**claim["metadata"].get("labels", {}), **(node["metadata"]["labels"] if node else {})}
        status = claim.get("status") or {}
        history: dict[str, Any] = {
            "nodePool": labels["karpenter.sh/nodepool"],
            "created": self._at(claim["metadata"]["creationTimestamp"]),
            **self._transitions(claim, _STEPS),
            **self._deletion(claim),
        }
        if status.get("nodeName"):
            history |= {"node": status["nodeName"], "allocatable": status.get("allocatable")}
        if node is not None:
            history |= {
                "instanceType": labels.get(INSTANCE_TYPE),
                "capacityType": labels.get(CAPACITY_TYPE),
                "zone": labels.get(ZONE),
                "price": float(labels[_PRICE]),
            }
        return history

    def _transitions(self, item: Mapping[str, Any], kinds: Sequence[str]) -> dict[str, float]:
        """Return since when an object has had the conditions that are true."""
        conditions = (item.get("status") or {}).get("conditions") or []
        return {
            condition["type"][0].lower() + condition["type"][1:]: self._at(condition["lastTransitionTime"])
            for condition in conditions
            if condition["type"] in kinds and condition["status"] == "True"
        }

    def _deletion(self, item: Mapping[str, Any]) -> dict[str, float]:
        at = item["metadata"].get("deletionTimestamp")
        return {"deleted": self._at(at)} if at else {}

    def _at(self, text: str) -> float:
        return self._since(datetime.fromisoformat(text))

    def _since(self, at: datetime) -> float:
        return round((at - self.began).total_seconds(), 1)


def commands(lines: Sequence[Line], began: datetime) -> list[dict[str, Any]]:
    """Return the commands of Karpenter's disruption controller, from its log."""
    return [
        {
            "at": _seconds(line, began),
            "reason": line["command"].split("/")[0],
            "decision": line["decision"],
            "nodes": [log.name_in(node, "Node") for node in line["disrupted-nodes"]],
            "replacements": line["replacement-node-count"],
            "pods": line["pod-count"],
            "text": line["command"].split(": ", 1)[1],
        }
        for line in lines
        if line["message"] == log.DISRUPTING
    ]


def passes(lines: Sequence[Line], began: datetime) -> list[dict[str, Any]]:
    """Return the provisioner's passes that computed something, and how many NodeClaims each wanted."""
    return [
        {"at": _seconds(line, began), "nodeClaims": line["nodeclaims"], "pods": line["pods"]}
        for line in lines
        if line["message"] == log.NEW_CLAIMS
    ]


def _seconds(line: Line, began: datetime) -> float:
    return round((datetime.fromisoformat(line["time"]) - began).total_seconds(), 1)
