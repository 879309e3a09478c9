"""Random pods for scenarios: requests, node affinity, tolerations, ports, spread, pod affinity."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from tests.conformance.scenario_words import (
    APPS,
    CAPACITY_TYPE,
    CUSTOM,
    HOSTNAME,
    INSTANCE_TYPE,
    NAMESPACES,
    NODEPOOL,
    POOLS,
    RACK,
    TEAM,
    ZONE,
    Object,
    Words,
    some,
    weighted,
)

CPU = ("100m", "250m", "500m", "500m", "1", "1", "1500m", "2", "3", "3900m", "6")
MEMORY = ("64Mi", "256Mi", "512Mi", "1Gi", "1Gi", "2Gi", "4Gi", "6Gi")
ODD_CPU = ("0", "0.1", ".5", "1.", "+1", "1e0", "333m", "1n", "0.0001", "15e-1", "007", "1000000u", "40")
ODD_MEMORY = ("0", "128M", "1.5Gi", "2e9", "0.1Gi", "123456789", "1G", "100", "1024Ki", "3e8", "1Ti")
OLD_NAMES = {
    ZONE: "failure-domain.beta.kubernetes.io/zone",
    "kubernetes.io/arch": "beta.kubernetes.io/arch",
    INSTANCE_TYPE: "beta.kubernetes.io/instance-type",
}
PORTS = (8080, 8080, 9090)


class PodMaker:
    """Makes the pods of one scenario with the features that it has."""

    def __init__(self, rng: Random, words: Words, features: Collection[str]) -> None:
        self.rng = rng
        self.words = words
        self.features = features

    def chance(self, feature: str, probability: float) -> bool:
        """Tell whether a pod gets something of a feature."""
        return feature in self.features and self.rng.random() < probability

    # --- requests

    def requests(self) -> dict[str, str]:
        rng = self.rng
        odd = self.chance("odd", 0.3)
        requests = {}
        if rng.random() < 0.93:
            requests["cpu"] = rng.choice(ODD_CPU if odd else CPU)
        if rng.random() < 0.85:
            requests["memory"] = rng.choice(ODD_MEMORY if odd and rng.random() < 0.7 else MEMORY)
        if self.words.resources and rng.random() < 0.25:
            name = rng.choice(list(self.words.resources))
            requests[name] = rng.choice(("1Gi", "2Gi", "512Mi")) if "hugepages" in name else rng.choice(("1", "1", "2", "4"))
        if odd and rng.random() < 0.2:
            requests[rng.choice(("example.com/nothing", "ephemeral-storage", "pods"))] = rng.choice(("0", "1", "5"))
        return requests

    def container(self, name: str = "main") -> Object:
        return {"name": name, "image": "img", "resources": {"requests": self.requests()}}

    def _containers(self, spec: Object) -> None:
        rng = self.rng
        spec["containers"] = [self.container()]
        if not self.chance("odd", 0.3):
            return
        if rng.random() < 0.4:
            spec["containers"].append(self.container("second"))
        if rng.random() < 0.5:
            spec["initContainers"] = [self.container(f"init-{i}") for i in range(rng.randint(1, 3))]
            for container in spec["initContainers"]:
                if rng.random() < 0.5:
                    container["restartPolicy"] = "Always"
        if rng.random() < 0.3:
            spec["overhead"] = {"cpu": "50m", "memory": "20Mi"}
        if rng.random() < 0.2:
            spec["resources"] = {"requests": self.requests()}

    # --- labels of nodes

    def expression(self, *, of_pool: bool = False) -> Object:
        """Return a term about one label; `of_pool` leaves out what a NodePool must not say."""
        rng, labels = self.rng, self.words.labels
        key = self._key(of_pool)
        values = CUSTOM.get(key) or labels.get(key) or (POOLS if key == NODEPOOL else ("x", "7"))
        numeric = all(v.isdigit() for v in values)
        operator = weighted(
            rng,
            {
                "In": 6,
                "NotIn": 3,
                "Exists": 1,
                "DoesNotExist": 0.6,
                **({"Gt": 2, "Lt": 2, "Gte": 0.3, "Lte": 0.3} if numeric else {}),
            },
        )
        if self.rng.random() < 0.05 and not of_pool:
            key = OLD_NAMES.get(key, key)
        if operator in ("Exists", "DoesNotExist"):
            return {"key": key, "operator": operator}
        if operator in ("Gt", "Lt", "Gte", "Lte"):
            return {"key": key, "operator": operator, "values": [str(int(rng.choice(values)) + rng.choice((0, 0, 1)))]}
        return {"key": key, "operator": operator, "values": some(rng, values, 4 if len(values) > 6 else 2)}

    def _key(self, of_pool: bool) -> str:
        labels = [k for k, v in self.words.labels.items() if v and k not in (ZONE, CAPACITY_TYPE)]
        groups: dict[str, float] = {"zone": 4, "capacity": 3, "machine": 4, "custom": 2, "numeric": 2, "pool": 1, "odd": 0.5}
        if of_pool:
            groups["pool"] = groups["odd"] = 0
        match weighted(self.rng, groups):
            case "zone":
                return ZONE
            case "capacity":
                return CAPACITY_TYPE
            case "machine":
                return self.rng.choice(labels)
            case "custom":
                return self.rng.choice(list(CUSTOM))
            case "numeric":
                return self.rng.choice([*self.words.numeric, "tier"])
            case "pool":
                return NODEPOOL
        return self.rng.choice(("unknown", "node.kubernetes.io/windows-build", "topology.kubernetes.io/region"))

    def terms(self, most: int) -> list[Object]:
        rng = self.rng
        return [
            {"matchExpressions": [self.expression() for _ in range(rng.choice((1, 1, 1, 2)))]}
            for _ in range(rng.randint(1, most))
        ]

    def _node_affinity(self, spec: Object) -> None:
        rng = self.rng
        if self.chance("affinity", 0.25):
            e = self.expression()
            if e.get("values"):
                spec["nodeSelector"] = {e["key"]: e["values"][0]}
        affinity: Object = {}
        if self.chance("affinity", 0.35):
            affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": self.terms(3)}
        if self.chance("preferences", 0.3):
            affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"weight": rng.choice((1, 1, 10, 50)), "preference": term} for term in self.terms(3)
            ]
        if affinity:
            spec.setdefault("affinity", {})["nodeAffinity"] = affinity

    def toleration(self) -> Object:
        rng = self.rng
        return rng.choice(
            (
                {"operator": "Exists"},
                {"key": "dedicated", "operator": "Exists"},
                {"key": "dedicated", "value": "x"},
                {"key": "dedicated", "operator": "Equal", "value": "y", "effect": "NoSchedule"},
                {"key": "soft", "operator": "Exists", "effect": "PreferNoSchedule"},
                {"value": "x"},
                {"key": "level", "operator": "Gt", "value": "3"},
                {"key": "level", "operator": "Lt", "value": "5", "effect": "NoSchedule"},
                {"operator": "Exists", "effect": "NoExecute"},
            )
        )

    # --- other pods

    def selector(self, app: str) -> Object | None:
        return weighted_object(
            self.rng,
            [
                (8, {"matchLabels": {"app": app}}),
                (2, {"matchLabels": {"app": self.rng.choice(APPS)}}),
                (1, {"matchExpressions": [{"key": "app", "operator": "In", "values": some(self.rng, APPS, 3)}]}),
                (0.5, {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": [app]}]}),
                (0.5, {"matchExpressions": [{"key": "rev", "operator": self.rng.choice(("Exists", "DoesNotExist"))}]}),
                (0.5, {}),
                (0.3, None),
            ],
        )

    def topology_key(self, zone: float, host: float) -> str:
        keys = {ZONE: zone, HOSTNAME: host, CAPACITY_TYPE: 1.0, RACK: 1.0, TEAM: 0.4, "kubernetes.io/arch": 0.6}
        return weighted(self.rng, {**keys, NODEPOOL: 0.1, INSTANCE_TYPE: 0.3})

    def _spread(self, spec: Object, app: str) -> None:
        rng = self.rng
        if not self.chance("spread", 0.45):
            return
        spec["topologySpreadConstraints"] = entries = []
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            entry: Object = {
                "maxSkew": rng.choice((1, 1, 1, 2, 3)),
                "topologyKey": self.topology_key(5, 4),
                "whenUnsatisfiable": rng.choice(("DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")),
            }
            selector = self.selector(app)
            if selector is not None:
                entry["labelSelector"] = selector
            if rng.random() < 0.15:
                entry["minDomains"] = rng.randint(1, 4)
            if rng.random() < 0.15 and selector is not None:
                entry["matchLabelKeys"] = rng.choice((["rev"], ["rev", "app"], ["missing"]))
            if rng.random() < 0.2:
                entry["nodeAffinityPolicy"] = rng.choice(("Ignore", "Honor"))
            if rng.random() < 0.2:
                entry["nodeTaintsPolicy"] = rng.choice(("Ignore", "Honor"))
            entries.append(entry)

    def pod_term(self, app: str, *, apart: bool) -> Object:
        rng = self.rng
        term: Object = {"topologyKey": self.topology_key(3, 6) if apart else self.topology_key(5, 3)}
        selector = self.selector(app)
        if selector is not None:
            term["labelSelector"] = selector
        if self.chance("namespaces", 0.3):
            term["namespaces"] = some(rng, ("default", *NAMESPACES), 2)
        if self.chance("namespaces", 0.2):
            term["namespaceSelector"] = rng.choice(({}, {"matchLabels": {"team": "red"}}, {"matchLabels": {"team": "none"}}))
        return term

    def _pod_affinity(self, spec: Object, app: str) -> None:
        rng = self.rng
        for kind, apart in (("podAffinity", False), ("podAntiAffinity", True)):
            affinity: Object = {}
            if self.chance("podaffinity", 0.3):
                terms = [self.pod_term(app, apart=apart) for _ in range(rng.choice((1, 1, 1, 2)))]
                affinity["requiredDuringSchedulingIgnoredDuringExecution"] = terms
            if self.chance("podaffinity", 0.15) and "preferences" in self.features:
                affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
                    {"weight": rng.choice((1, 7, 7, 100)), "podAffinityTerm": self.pod_term(app, apart=apart)}
                    for _ in range(rng.randint(1, 3))
                ]
            if affinity:
                spec.setdefault("affinity", {})[kind] = affinity

    # --- whole pods

    def labels(self) -> dict[str, str]:
        labels = {"app": self.rng.choice(APPS)}
        if self.rng.random() < 0.4:
            labels["rev"] = self.rng.choice(("1", "2"))
        return labels

    def spec(self, app: str) -> Object:
        """Return a pod's spec."""
        spec: Object = {}
        self._containers(spec)
        self._node_affinity(spec)
        if self.chance("taints", 0.5):
            spec["tolerations"] = [self.toleration() for _ in range(self.rng.choice((1, 1, 2)))]
        if self.chance("ports", 0.35):
            spec["containers"][0]["ports"] = [self.port() for _ in range(self.rng.choice((1, 1, 2)))]
        self._spread(spec, app)
        self._pod_affinity(spec, app)
        return spec

    def port(self) -> Object:
        port: Object = {
            "containerPort": 80,
            "hostPort": self.rng.choice(PORTS),
            "protocol": self.rng.choice(("TCP", "TCP", "UDP")),
        }
        if self.rng.random() < 0.3:
            port["hostIP"] = self.rng.choice(("10.0.0.1", "10.0.0.2", "0.0.0.0", "::"))  # noqa: S104 - a host port of any address
        return port

    def pod(self, name: str) -> Object:
        """Return a pod."""
        labels = self.labels()
        metadata: Object = {"name": name, "labels": labels}
        if self.chance("namespaces", 0.4):
            metadata["namespace"] = self.rng.choice(NAMESPACES)
        return {"metadata": metadata, "spec": self.spec(labels["app"])}


def weighted_object(rng: Random, choices: Sequence[tuple[float, Object | None]]) -> Object | None:
    """Return one of the objects, each as often as its weight says."""
    return rng.choices([c for _, c in choices], weights=[w for w, _ in choices])[0]
