"""Random inputs of plans with every feature that decides about nodes: the same random numbers make the same inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

import yaml

from cutlist.catalog.embedded import load, load_location
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.scheduling.inputs import SchedulerOptions

REGION: Final = "us-west-2"
_ZONES: Final = ("us-west-2a", "us-west-2b", "us-west-2c")
_TYPES: Final = (
    "m5.large",
    "m5.xlarge",
    "m5.2xlarge",
    "m5.8xlarge",
    "c6g.large",
    "c6g.2xlarge",
    "r5.large",
    "r5.4xlarge",
    "t3.medium",
    "g5.xlarge",
)
AZURE_REGION: Final = "japaneast"
_AZURE_ZONES: Final = ("japaneast-1", "japaneast-2", "japaneast-3")
_SIZES: Final = (
    "Standard_D2s_v5",
    "Standard_D4_v4",
    "Standard_D8_v4",
    "Standard_D32s_v5",
    "Standard_D2ps_v5",
    "Standard_D8ps_v5",
    "Standard_E2s_v5",
    "Standard_E16s_v5",
    "Standard_F8s_v2",
    "Standard_NC4as_T4_v3",
)
_ZONE, _HOST, _CAPACITY = "topology.kubernetes.io/zone", "kubernetes.io/hostname", "karpenter.sh/capacity-type"
_APPS: Final = ("web", "db", "job")
_CLASS_REF: Final = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
_AUTO_REF: Final = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "own"}
_AKS_REF: Final = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
Manifest = dict[str, Any]


@cache
def small_region(name: str = REGION) -> Any:
    """A region with few instance types, so that pods get into each other's way."""
    region, types = (load_location(name), _SIZES) if name == AZURE_REGION else (load(name), _TYPES)
    return replace(region, machines={name: region.machines[name] for name in types})


def random_inputs(random: Random) -> PlanInputs:
    """Inputs of a plan with some of all features."""
    maker = _Maker(random)
    documents = maker.documents()
    text = "\n---\n".join(yaml.safe_dump(d) for d in documents)
    inputs = read_inputs(["-"], region=maker.region, zones=maker.zones, stdin=text)
    options = SchedulerOptions(
        respect_preferences=not maker.chance(0.15),
        strict_min_values=not maker.chance(0.3),
        node_overlay=True,
    )
    return replace(inputs, catalog=small_region(maker.region), options=options)


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        # auto: the NodePools are EKS Auto Mode's; both: some of them.
        self.cloud = random.choices(("aws", "auto", "azure", "both"), (0.63, 0.11, 0.14, 0.12))[0]
        self.class_refs = {"auto": (_AUTO_REF,), "azure": (_AKS_REF,), "both": (_CLASS_REF, _AUTO_REF)}.get(
            self.cloud, (_CLASS_REF,)
        )
        azure = self.cloud == "azure"
        self.region = AZURE_REGION if azure else REGION
        self.zones, self.types = (_AZURE_ZONES, _SIZES) if azure else (_ZONES, _TYPES)
        self.drivers = ("disk.csi.azure.com", "file.csi.azure.com") if azure else ("ebs.csi.aws.com", "efs.csi.aws.com")

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def some(self, values: tuple[Any, ...], most: int | None = None) -> list[Any]:
        return self.random.sample(values, self.random.randint(1, min(most or len(values), len(values))))

    def documents(self) -> list[Manifest]:
        least = len(self.class_refs)
        names = ("alpha", "beta", "gamma")[: max(least, self.random.choice((1, 1, 2, 3)))]
        pools = [self.pool(name, self.class_refs[number % least]) for number, name in enumerate(names)]
        documents = [*map(self.node_class, self.class_refs), *pools]
        documents += [self.workload(f"{_APPS[n % 3]}-{n}", _APPS[n % 3]) for n in range(self.random.randint(1, 5))]
        if self.chance(0.5):
            documents += [self.daemon(f"agent-{n}") for n in range(self.random.randint(1, 2))]
        if self.chance(0.3):
            documents += self.storage()
        if self.chance(0.2):
            documents.append(self.overlay())
        if self.chance(0.15):
            documents += self.buffer()
        if self.chance(0.3):
            documents += self.existing([p["metadata"]["name"] for p in pools])
        return documents

    def node_class(self, ref: Mapping[str, str]) -> Manifest:
        spec: Manifest = {
            "role": "KarpenterNodeRole-demo",
            "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
            "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
            "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
        }
        if self.cloud == "azure":
            return self.aks_node_class()
        if ref is _AUTO_REF:
            del spec["amiSelectorTerms"]
            return {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "own"}, "spec": spec}
        manifest: Manifest = {
            "apiVersion": "karpenter.k8s.aws/v1",
            "kind": "EC2NodeClass",
            "metadata": {"name": "default"},
            "spec": spec,
        }
        if self.chance(0.3):
            spec["capacityReservationSelectorTerms"] = [{"id": "cr-1"}]
            manifest["status"] = {
                "subnets": [{"id": f"subnet-{z[-1]}", "zone": z, "zoneID": f"usw2-az{n}"} for n, z in enumerate(_ZONES, 1)],
                "capacityReservations": [
                    {
                        "id": f"cr-{n}",
                        "availabilityZone": self.random.choice(self.zones),
                        "instanceType": self.random.choice(_TYPES[:4]),
                        "reservationType": "default",
                        "state": "active",
                        "availableInstanceCount": self.random.randint(0, 3),
                    }
                    for n in range(1, self.random.randint(2, 3))
                ],
            }
        return manifest

    def aks_node_class(self) -> Manifest:
        spec: Manifest = {}
        if self.chance(0.3):
            spec["osDiskSizeGB"] = self.random.choice((64, 128, 512))
        if self.chance(0.3):
            spec["imageFamily"] = self.random.choice(("Ubuntu", "AzureLinux"))
        if self.chance(0.3):
            spec["maxPods"] = self.random.choice((10, 30, 110))
        return {
            "apiVersion": "karpenter.azure.com/v1beta1",
            "kind": "AKSNodeClass",
            "metadata": {"name": "default"},
            "spec": spec,
        }

    def pool(self, name: str, ref: Mapping[str, str]) -> Manifest:
        requirements: list[Manifest] = []
        if self.chance(0.7):
            kinds = self.some(("spot", "on-demand") if self.cloud == "azure" else ("spot", "on-demand", "reserved"))
            requirements.append({"key": _CAPACITY, "operator": "In", "values": kinds})
        if self.chance(0.5):
            few = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": self.some(self.types, 6)}
            if self.chance(0.3):
                few["minValues"] = self.random.randint(1, min(3, len(few["values"])))
            requirements.append(few)
        if self.chance(0.25):
            requirements.append({"key": _ZONE, "operator": "In", "values": self.some(self.zones, 2)})
        if self.chance(0.3):
            requirements.append({"key": "team", "operator": "In", "values": self.some(("red", "blue", "green"))})
        template: Manifest = {
            "spec": {
                "nodeClassRef": dict(ref),
                "requirements": requirements,
            }
        }
        if self.chance(0.3):
            effect = self.random.choice(("NoSchedule", "PreferNoSchedule"))
            template["spec"]["taints"] = [{"key": "dedicated", "value": name, "effect": effect}]
        if self.chance(0.2):
            template["spec"]["startupTaints"] = [{"key": "boot", "effect": "NoSchedule"}]
        spec: Manifest = {"template": template}
        if self.chance(0.1):
            spec["replicas"] = self.random.randint(0, 3)
        elif self.chance(0.6):
            spec["limits"] = self.limits()
        if "replicas" not in spec and self.chance(0.4):
            spec["weight"] = self.random.choice((1, 10, 50))
        return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": spec}

    def limits(self) -> Manifest:
        limits: Manifest = {}
        if self.chance(0.7):
            limits["cpu"] = self.random.choice((2, 5, 8, 20, 34, 100))
        if self.chance(0.3):
            limits["memory"] = self.random.choice(("8Gi", "40Gi", "200Gi"))
        if self.chance(0.2):
            limits["nodes"] = str(self.random.randint(0, 4))
        return limits

    def workload(self, name: str, app: str) -> Manifest:
        kind = self.random.choice(("Deployment", "Deployment", "StatefulSet"))
        spec: Manifest = {
            "replicas": self.random.choice((1, 1, 2, 3, 5, 9)),
            "selector": {"matchLabels": {"app": app}},
            "template": {"metadata": {"labels": {"app": app, "name": name}}, "spec": self.pod(app)},
        }
        if kind == "StatefulSet":
            spec["serviceName"] = name
            if self.chance(0.4):
                wanted = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
                spec["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": wanted}]
        return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}

    def pod(self, app: str) -> Manifest:
        requests = {
            "cpu": self.random.choice(("100m", "500m", "1", "1500m", "3", "7", "40")),
            "memory": self.random.choice(("64Mi", "512Mi", "2Gi", "14Gi")),
        }
        container: Manifest = {"name": "main", "image": "img", "resources": {"requests": requests}}
        if self.chance(0.15):
            port = self.random.choice((80, 8080))
            container["ports"] = [{"containerPort": port, "hostPort": port}]
        if self.chance(0.04):
            requests["nvidia.com/gpu"] = "1"
            container["resources"]["limits"] = {"nvidia.com/gpu": "1"}
        spec: Manifest = {"containers": [container]}
        if self.chance(0.25):
            spec["nodeSelector"] = dict([self.label()])
        if self.chance(0.4):
            spec["tolerations"] = [self.random.choice(({"operator": "Exists"}, {"key": "dedicated", "operator": "Exists"}))]
        affinity = self.affinity(app)
        if affinity:
            spec["affinity"] = affinity
        if self.chance(0.35):
            spec["topologySpreadConstraints"] = [self.spread(app) for _ in range(self.random.randint(1, 2))]
        if self.chance(0.12):
            spec["volumes"] = [
                {"name": "v", "persistentVolumeClaim": {"claimName": self.random.choice(("zonal", "late", "gone"))}}
            ]
        return spec

    def label(self) -> tuple[str, str]:
        return self.random.choice(
            (
                (_ZONE, self.random.choice(self.zones)),
                (_CAPACITY, self.random.choice(("spot", "on-demand"))),
                ("node.kubernetes.io/instance-type", self.random.choice(self.types)),
                ("kubernetes.io/arch", self.random.choice(("amd64", "arm64"))),
                ("team", self.random.choice(("red", "blue", "green"))),
                ("karpenter.sh/nodepool", self.random.choice(("alpha", "beta"))),
            )
        )

    def term(self) -> Manifest:
        key, value = self.label()
        return {"matchExpressions": [{"key": key, "operator": self.random.choice(("In", "In", "NotIn")), "values": [value]}]}

    def affinity(self, app: str) -> Manifest:
        affinity: Manifest = {}
        if self.chance(0.2):
            terms = [self.term() for _ in range(self.random.randint(1, 2))]
            affinity["nodeAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
        if self.chance(0.2):
            preferred = [{"weight": self.random.randint(1, 9), "preference": self.term()} for _ in range(2)]
            affinity.setdefault("nodeAffinity", {})["preferredDuringSchedulingIgnoredDuringExecution"] = preferred
        for kind, share in (("podAffinity", 0.2), ("podAntiAffinity", 0.3)):
            if self.chance(share):
                target = self.random.choice((app, app, *_APPS))
                term = {
                    "topologyKey": self.random.choice((_ZONE, _HOST, _CAPACITY)),
                    "labelSelector": {"matchLabels": {"app": target}},
                }
                if self.chance(0.3):
                    weighted = [{"weight": 5, "podAffinityTerm": term}]
                    affinity[kind] = {"preferredDuringSchedulingIgnoredDuringExecution": weighted}
                else:
                    affinity[kind] = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
        return affinity

    def spread(self, app: str) -> Manifest:
        constraint: Manifest = {
            "maxSkew": self.random.choice((1, 1, 2)),
            "topologyKey": self.random.choice((_ZONE, _ZONE, _HOST, _CAPACITY, "team")),
            "whenUnsatisfiable": self.random.choice(("DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")),
            "labelSelector": {"matchLabels": {"app": app}},
        }
        if constraint["whenUnsatisfiable"] == "DoNotSchedule" and self.chance(0.2):
            constraint["minDomains"] = self.random.randint(1, 4)
        return constraint

    def daemon(self, name: str) -> Manifest:
        requests = {"cpu": self.random.choice(("50m", "200m", "1")), "memory": "64Mi"}
        spec: Manifest = {"containers": [{"name": "main", "image": "img", "resources": {"requests": requests}}]}
        if self.chance(0.6):
            spec["tolerations"] = [{"operator": "Exists"}]
        if self.chance(0.3):
            spec["nodeSelector"] = dict([self.label()])
        if self.chance(0.1):
            spec["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80}]
        labels = {"app": self.random.choice((name, name, *_APPS))}
        template = {"metadata": {"labels": labels}, "spec": spec}
        return {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": name},
            "spec": {"selector": {"matchLabels": labels}, "template": template},
        }

    def storage(self) -> list[Manifest]:
        mode = self.random.choice(("WaitForFirstConsumer", "WaitForFirstConsumer", "Immediate"))
        storage_class: Manifest = {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": "gp3", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
            "provisioner": self.random.choice(self.drivers),
            "volumeBindingMode": mode,
        }
        spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "gp3", "resources": {"requests": {"storage": "1Gi"}}}
        late = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "late"}, "spec": spec}
        zone = {"key": _ZONE, "operator": "In", "values": [self.random.choice(self.zones)]}
        volume = {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": "pv"},
            "spec": {
                "capacity": {"storage": "1Gi"},
                "accessModes": ["ReadWriteOnce"],
                "csi": {"driver": self.drivers[0], "volumeHandle": "vol"},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [zone]}]}},
            },
        }
        bound = {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": "zonal", "annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
            "spec": {**spec, "volumeName": "pv"},
            "status": {"phase": "Bound"},
        }
        return [storage_class, late, volume, bound]

    def overlay(self) -> Manifest:
        spec: Manifest = {
            "requirements": [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": self.some(self.types, 3)}]
        }
        if self.chance(0.5):
            spec["priceAdjustment"] = self.random.choice(("-50%", "+100%"))
        else:
            spec["capacity"] = {"example.com/disk": "4"}
        return {"apiVersion": "karpenter.sh/v1alpha1", "kind": "NodeOverlay", "metadata": {"name": "overlay"}, "spec": spec}

    def buffer(self) -> list[Manifest]:
        spec = {"containers": [{"name": "main", "image": "img", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]}
        template = {"metadata": {"labels": {"app": "room"}}, "spec": spec}
        buffer = {"podTemplateRef": {"name": "room"}, "replicas": self.random.randint(1, 4)}
        return [
            {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "room"}, "template": template},
            {
                "apiVersion": "autoscaling.x-k8s.io/v1beta1",
                "kind": "CapacityBuffer",
                "metadata": {"name": "room"},
                "spec": buffer,
            },
        ]

    def existing(self, pools: list[str]) -> list[Manifest]:
        documents: list[Manifest] = []
        for number in range(self.random.randint(1, 3)):
            documents += self.node(f"node-{number}", self.random.choice(pools))
        return documents

    def node(self, name: str, pool: str) -> list[Manifest]:
        labels = {
            "karpenter.sh/nodepool": pool,
            "node.kubernetes.io/instance-type": self.types[1],
            _ZONE: self.random.choice(self.zones),
            _CAPACITY: "on-demand",
            "kubernetes.io/arch": "amd64",
            "kubernetes.io/os": "linux",
            "karpenter.sh/registered": "true",
            "karpenter.sh/initialized": "true",
            "team": "red",
        }
        amounts = {"cpu": "4", "memory": "15Gi", "pods": "58"}
        status = {"capacity": amounts, "allocatable": {**amounts, "cpu": "3900m"}}
        node: Manifest = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": {**labels, _HOST: name}},
            "spec": {"providerID": f"cloud:///{name}"},
            "status": status,
        }
        claim: Manifest = {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodeClaim",
            "metadata": {"name": f"{name}-claim", "labels": labels},
            "spec": {
                "requirements": [],
                "nodeClassRef": dict(self.class_refs[0]),
            },
            "status": {"providerID": f"cloud:///{name}", "nodeName": name, **status},
        }
        if self.chance(0.3):
            for manifest in (node, claim):
                manifest["metadata"]["deletionTimestamp"] = "2026-01-05T00:00:00Z"
        pods = [self.running(f"{name}-pod-{n}", name) for n in range(self.random.randint(0, 2))]
        if self.chance(0.3):
            driver = {"name": self.drivers[0], "nodeID": name, "topologyKeys": None, "allocatable": {"count": 1}}
            pods.append(
                {
                    "apiVersion": "storage.k8s.io/v1",
                    "kind": "CSINode",
                    "metadata": {"name": name},
                    "spec": {"drivers": [driver]},
                }
            )
        return [node, claim, *pods]

    def running(self, name: str, node: str) -> Manifest:
        app = self.random.choice(_APPS)
        spec = {**self.pod(app), "nodeName": node}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": "default", "labels": {"app": app}},
            "spec": spec,
            "status": {"phase": "Running"},
        }
