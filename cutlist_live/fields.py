"""The fields of each kind that a snapshot keeps: those that plans and disruption read, and no others.

No container's image, command, arguments or environment, except how many volumes the CSI driver's DaemonSet sets and the
variables of the VPC CNI about addresses; no Secret, no user data or proxy of a node class, no volumes except claims, no
messages of conditions, no `managedFields`; of annotations only those in `ANNOTATIONS`.
"""

from __future__ import annotations

from typing import Final

from cutlist.api.kinds import KINDS
from cutlist.planning.attach_settings import ARGUMENT as ATTACH_ARGUMENT
from cutlist.planning.pod_network import SETTINGS as CNI_SETTINGS
from cutlist.workloads.gangs.membership import ANNOTATIONS as OF_GANGS
from cutlist.workloads.objects import BETA_STORAGE_CLASS, BIND_COMPLETED, DEFAULT_CLASS
from cutlist.workloads.pods import DELETION_COST, PREFERRED, REQUIRED
from cutlist_live.allowed import NAMES, PLAIN, Allowed, Each, Members, Names, Texts, of_schema, plain

ANNOTATIONS: Final = Names(
    (
        "karpenter.sh/",
        "karpenter.k8s.aws/",
        "karpenter.azure.com/",
        "compatibility.karpenter.sh/",
        "compatibility.karpenter.k8s.aws/",
        "eks.amazonaws.com/nodeclass-hash",
        "eks.amazonaws.com/nodeclass-hash-version",
        "helm.sh/hook",
        *OF_GANGS,
        DELETION_COST,
        BETA_STORAGE_CLASS,
        BIND_COMPLETED,
        DEFAULT_CLASS,
    )
)
METADATA: Final = Members(
    {
        **plain("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp"),
        "labels": NAMES,
        "annotations": ANNOTATIONS,
        "ownerReferences": Members(plain("apiVersion", "kind", "name", "uid", "controller")),
    }
)
CONDITIONS: Final = Members(plain("type", "status", "reason", "lastTransitionTime", "observedGeneration"))

_EXPRESSIONS: Final = Members(plain("key", "operator", "values"))
_SELECTOR: Final = Members({"matchLabels": NAMES, "matchExpressions": _EXPRESSIONS})
_NODE_TERM: Final = Members({"matchExpressions": _EXPRESSIONS, "matchFields": _EXPRESSIONS})
_NODE_SELECTOR: Final = Members({"nodeSelectorTerms": _NODE_TERM})
_POD_TERM: Final = Members(
    {
        **plain("topologyKey", "namespaces", "matchLabelKeys", "mismatchLabelKeys"),
        "labelSelector": _SELECTOR,
        "namespaceSelector": _SELECTOR,
    }
)
_POD_AFFINITY: Final = Members({REQUIRED: _POD_TERM, PREFERRED: Members({"weight": PLAIN, "podAffinityTerm": _POD_TERM})})
_AFFINITY: Final = Members(
    {
        "nodeAffinity": Members({REQUIRED: _NODE_SELECTOR, PREFERRED: Members({"weight": PLAIN, "preference": _NODE_TERM})}),
        "podAffinity": _POD_AFFINITY,
        "podAntiAffinity": _POD_AFFINITY,
    }
)
_TOLERATIONS: Final = Members(plain("key", "operator", "value", "effect", "tolerationSeconds"))
_SPREAD: Final = Members(
    {
        **plain("topologyKey", "maxSkew", "whenUnsatisfiable", "minDomains", "matchLabelKeys"),
        **plain("nodeAffinityPolicy", "nodeTaintsPolicy"),
        "labelSelector": _SELECTOR,
    }
)
_RESOURCES: Final = Members({"requests": NAMES, "limits": NAMES, "claims": Members(plain("name"))})
_CONTAINERS: Final = Members(
    {
        **plain("name", "restartPolicy"),
        "resources": _RESOURCES,
        "ports": Members(plain("hostPort", "containerPort", "protocol", "hostIP")),
    }
)
_VOLUMES: Final = Members(
    {
        "name": PLAIN,
        "persistentVolumeClaim": Members(plain("claimName")),
        "ephemeral": Members(
            {
                "volumeClaimTemplate": Members(
                    {"spec": Members({**plain("storageClassName"), "resources": Members({"requests": NAMES})})}
                )
            }
        ),
    },
    one_of=("persistentVolumeClaim", "ephemeral"),
)
_POD_SPEC: Final = Members(
    {
        **plain("nodeName", "priority", "priorityClassName", "runtimeClassName", "hostNetwork"),
        **plain("schedulerName", "terminationGracePeriodSeconds"),
        "nodeSelector": NAMES,
        "affinity": _AFFINITY,
        "tolerations": _TOLERATIONS,
        "topologySpreadConstraints": _SPREAD,
        "containers": _CONTAINERS,
        "initContainers": _CONTAINERS,
        "resources": _RESOURCES,
        "overhead": NAMES,
        "resourceClaims": Members(plain("name", "resourceClaimName", "resourceClaimTemplateName")),
        "schedulingGroup": Members(plain("podGroupName")),
        "workloadRef": Members(plain("name", "podGroup", "podGroupReplicaKey")),
        "schedulingGates": Members(plain("name")),
        "volumes": _VOLUMES,
    }
)
_CONTAINER_STATUSES: Final = Members({"name": PLAIN, "resources": Members({"requests": NAMES}), "allocatedResources": NAMES})
_TEMPLATE: Final = Members({"metadata": Members({"labels": NAMES, "annotations": ANNOTATIONS}), "spec": _POD_SPEC})


def _kind(**members: Allowed) -> Members:
    return Members({"metadata": METADATA, **members})


_WITHOUT: Final = ("userData", "httpsProxy", "certificateBundles", "message")
_CONTEXT: Final = "context"
"""`EC2NodeClass.spec.context`: an id of an account's own, which EC2 passes on to a fleet's launches."""


def _karpenters(version: str, kind: str, *without: str) -> Members:
    """Return all fields of a kind that Cutlist knows, without those that may hold credentials, and without free text."""
    properties = KINDS[version, kind].schema["properties"]
    return _kind(**{part: of_schema(properties[part], *_WITHOUT, *without) for part in ("spec", "status")})


NODE_POOL: Final = _karpenters("karpenter.sh/v1", "NodePool")
NODE_CLAIM: Final = _karpenters("karpenter.sh/v1", "NodeClaim")
NODE_OVERLAY: Final = _karpenters("karpenter.sh/v1alpha1", "NodeOverlay")
CAPACITY_BUFFER: Final = _karpenters("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer")
EC2_NODE_CLASS: Final = _karpenters("karpenter.k8s.aws/v1", "EC2NodeClass", _CONTEXT)
EC2_NODE_CLASS_WITH_CONTEXT: Final = _karpenters("karpenter.k8s.aws/v1", "EC2NodeClass")
AUTO_NODE_CLASS: Final = _karpenters("eks.amazonaws.com/v1", "NodeClass")
AKS_NODE_CLASS: Final = _karpenters("karpenter.azure.com/v1beta1", "AKSNodeClass")
NODE: Final = _kind(
    spec=Members(
        {**plain("providerID", "unschedulable", "podCIDR"), "taints": Members(plain("key", "value", "effect", "timeAdded"))},
    ),
    status=Members(
        {"capacity": NAMES, "allocatable": NAMES, "conditions": CONDITIONS, "nodeInfo": Members(plain("kubeletVersion"))}
    ),
)
POD: Final = _kind(
    spec=_POD_SPEC,
    status=Members(
        {
            **plain("phase", "startTime", "nominatedNodeName"),
            "conditions": CONDITIONS,
            "containerStatuses": _CONTAINER_STATUSES,
            "initContainerStatuses": _CONTAINER_STATUSES,
            "resourceClaimStatuses": Members(plain("name", "resourceClaimName")),
        }
    ),
)
_DAEMONS_CONTAINERS: Final = Members(
    {**_CONTAINERS.members, "args": Texts(ATTACH_ARGUMENT), "env": Members(plain("name", "value"), called=CNI_SETTINGS)}
)
_DAEMONS_SPEC: Final = Members({**_POD_SPEC.members, "containers": _DAEMONS_CONTAINERS})
DAEMON_SET: Final = _kind(
    spec=Members({"selector": _SELECTOR, "template": Members({**_TEMPLATE.members, "spec": _DAEMONS_SPEC})})
)
POD_TEMPLATE: Final = _kind(template=_TEMPLATE)
POD_DISRUPTION_BUDGET: Final = _kind(
    spec=Members({**plain("minAvailable", "maxUnavailable", "unhealthyPodEvictionPolicy"), "selector": _SELECTOR}),
    status=Members(plain("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods", "observedGeneration")),
)
_CLAIMED: Final = {**plain("storageClassName"), "resources": Members({"requests": NAMES})}
CLAIM: Final = _kind(spec=Members({**_CLAIMED, **plain("volumeName")}), status=Members(plain("phase")))
VOLUME: Final = _kind(
    spec=Members(
        {
            "nodeAffinity": Members({"required": _NODE_SELECTOR}),
            "capacity": NAMES,
            "csi": Members(plain("driver")),
            "awsElasticBlockStore": Members(plain("volumeID")),
            "local": Members(plain("path")),
            "hostPath": Members(plain("path")),
        }
    )
)
_PARAMETERS: Final = Names(
    (
        *("type", "iops", "iopsPerGB", "throughput"),
        *("skuName", "skuname", "storageAccountType", "storageaccounttype"),
        *("DiskIOPSReadWrite", "diskIOPSReadWrite", "DiskMBpsReadWrite", "diskMBpsReadWrite", "maxShares"),
    )
)
"""The parameters on which the price of a volume depends, as the drivers' documentation spells them."""
STORAGE_CLASS: Final = _kind(
    provisioner=PLAIN,
    volumeBindingMode=PLAIN,
    parameters=_PARAMETERS,
    allowedTopologies=Members({"matchLabelExpressions": Members(plain("key", "values"))}),
)
ENI_CONFIG: Final = _kind(spec=Members(plain("subnet")))
CNI_NODE: Final = _kind(spec=Members({"features": Members(plain("name"))}))
CILIUM_NODE: Final = _kind(
    spec=Members({"ipam": Members(plain("podCIDRs")), "eni": Members(plain("instanceType", "firstInterfaceIndex"))})
)
_SELECTORS: Final = Members({"cel": Members(plain("expression"))})
_AMOUNT: Final = Members(plain("value"))
_ASKED: Final = Members(
    {
        **plain("name", "deviceClassName", "allocationMode", "count", "adminAccess"),
        "selectors": _SELECTORS,
        "capacity": Members({"requests": NAMES}),
    }
)
_REQUEST: Final = Members({"name": PLAIN, "exactly": _ASKED, "firstAvailable": _ASKED})
_CLAIMED_DEVICES: Final = Members(
    {
        "devices": Members(
            {"requests": _REQUEST, "constraints": Members(plain("requests", "matchAttribute", "distinctAttribute"))}
        )
    }
)
_COUNTERS: Final = Each(_AMOUNT)
_CAPACITY: Final = {
    **plain("value"),
    "requestPolicy": Members({**plain("default", "validValues"), "validRange": Members(plain("min", "max", "step"))}),
}
_DEVICES: Final = Members(
    {
        **plain("name", "allowMultipleAllocations"),
        "attributes": Each(Members(plain("string", "int", "bool", "version"))),
        "capacity": Each(Members(_CAPACITY)),
        "consumesCounters": Members({"counterSet": PLAIN, "counters": _COUNTERS}),
        "taints": Members(plain("key", "value", "effect")),
    }
)
DEVICE_CLASS: Final = _kind(spec=Members({"selectors": _SELECTORS, "extendedResourceName": PLAIN}))
RESOURCE_CLAIM: Final = _kind(
    spec=_CLAIMED_DEVICES,
    status=Members(
        {
            "allocation": Members(
                {
                    "devices": Members(
                        {"results": Members({**plain("request", "driver", "pool", "device"), "consumedCapacity": NAMES})}
                    ),
                    "nodeSelector": _NODE_SELECTOR,
                }
            ),
            "reservedFor": Members(plain("apiGroup", "resource", "name", "uid")),
        }
    ),
)
RESOURCE_CLAIM_TEMPLATE: Final = _kind(spec=Members({"spec": _CLAIMED_DEVICES}))
RESOURCE_SLICE: Final = _kind(
    spec=Members(
        {
            **plain("driver", "nodeName", "allNodes"),
            "pool": Members(plain("name", "generation", "resourceSliceCount")),
            "nodeSelector": _NODE_SELECTOR,
            "devices": _DEVICES,
            "sharedCounters": Members({"name": PLAIN, "counters": _COUNTERS}),
        }
    )
)
_GANG: Final = Members({"basic": Members({}), "gang": Members(plain("minCount"))})
POD_GROUP: Final = _kind(spec=Members({"schedulingPolicy": _GANG, "minMember": PLAIN}))
WORKLOAD: Final = _kind(spec=Members({"podGroups": Members({"name": PLAIN, "policy": _GANG})}))
CSI_NODE: Final = _kind(spec=Members({"drivers": Members({"name": PLAIN, "allocatable": Members(plain("count"))})}))
NAMESPACE: Final = _kind()
PRIORITY_CLASS: Final = _kind(value=PLAIN, globalDefault=PLAIN)
RUNTIME_CLASS: Final = _kind(
    handler=PLAIN,
    overhead=Members({"podFixed": NAMES}),
    scheduling=Members({"nodeSelector": NAMES, "tolerations": _TOLERATIONS}),
)
LIMIT_RANGE: Final = _kind(
    spec=Members(
        {
            "limits": Members(
                {"type": PLAIN, **dict.fromkeys(("default", "defaultRequest", "min", "max", "maxLimitRequestRatio"), NAMES)}
            )
        }
    )
)
RESOURCE_QUOTA: Final = _kind(
    spec=Members(
        {
            "hard": NAMES,
            "scopes": PLAIN,
            "scopeSelector": Members({"matchExpressions": Members(plain("scopeName", "operator", "values"))}),
        }
    )
)
