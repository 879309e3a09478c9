"""One line of help for fields, by kind and path, for those who write manifests in an editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_REQUIREMENT: Final = {
    "key": "A label key that the machine has, such as karpenter.k8s.aws/instance-category or kubernetes.io/arch.",
    "operator": "In, NotIn, Exists, DoesNotExist; Gt, Lt, Gte, Lte take one whole number, as text.",
    "values": "Texts: quote numbers and true or false.",
}
_CLAIM: Final = {
    "nodeClassRef": "The node class that makes the machines: group, kind and name.",
    "nodeClassRef.group": "karpenter.k8s.aws, eks.amazonaws.com or karpenter.azure.com, without a version. It stays for ever.",
    "nodeClassRef.kind": "EC2NodeClass, NodeClass (EKS Auto Mode) or AKSNodeClass. It stays for ever.",
    "nodeClassRef.name": "The name of the class. When it changes, all nodes of the pool are replaced.",
    "requirements": "What a machine must be; all of them hold together.",
    **{f"requirements[].{name}": text for name, text in _REQUIREMENT.items()},
    "requirements[].minValues": "So many different values must stay possible at launch, 1 to 50.",
    "taints": "Keep pods away that do not tolerate them.",
    "startupTaints": "Taints that something removes while the node starts; pods need not tolerate them.",
    "expireAfter": "The longest life of a node, such as 720h, or Never. Expiry does not wait for budgets.",
    "terminationGracePeriod": "After so long a node that is being deleted goes, whatever holds it.",
}
_NODE_POOL: Final = {
    **{f"template.spec.{path}": text for path, text in _CLAIM.items()},
    "template": "What the nodes of the pool are made from.",
    "template.metadata.labels": "Labels of the nodes. Pods that select a label of your own need a pool that has it.",
    "template.metadata.annotations": "Annotations of the nodes.",
    "disruption": "When and how fast nodes may be replaced. Written at all, it needs consolidateAfter.",
    "disruption.consolidateAfter": "How long a node must be quiet before it may be consolidated: 0s, 30s, 1h30m or Never.",
    "disruption.consolidationPolicy": "Which nodes may be consolidated: empty ones alone, or also those with room to spare.",
    "disruption.budgets": "How many nodes may go at a time. Absent is 10%, an empty list is no limit.",
    "disruption.budgets[].nodes": "A number such as 5, or a percentage of the pool's nodes such as 10%, rounded up.",
    "disruption.budgets[].reasons": "Why nodes go that this budget is for; absent for every reason.",
    "disruption.budgets[].schedule": "When the window opens: five cron fields in UTC, or @daily and the like. Needs duration.",
    "disruption.budgets[].duration": "How long the window stays open, in hours and minutes such as 8h. Needs schedule.",
    "limits": "At most so much of a resource in all nodes together: cpu, memory, nodes, or any other.",
    "weight": "Pools of higher weight are tried first, 1 to 100; absent counts as 0.",
    "replicas": "Makes the pool static: it keeps so many nodes, whatever pods there are.",
}
_EC2_NODE_CLASS: Final = {
    "amiFamily": "Decides on user data and disks. An alias tells it already.",
    "amiSelectorTerms": "Which images: an alias such as al2023@v20250228 alone, or ids, names, tags, parameters.",
    "amiSelectorTerms[].alias": "family@version. With @latest nodes are replaced whenever an image is published.",
    "amiSelectorTerms[].name": "A name filter of EC2, in which * and ? work; not the tag Name.",
    "amiSelectorTerms[].owner": "An account, self or amazon; narrows name and tags.",
    "amiSelectorTerms[].ssmParameter": "A parameter that holds the id of an image.",
    "subnetSelectorTerms": "Which subnets, by tags or id; terms are alternatives.",
    "securityGroupSelectorTerms": "Which security groups, by tags, id or name; all that are found are attached.",
    "capacityReservationSelectorTerms": "Which capacity reservations; pools must allow the capacity type reserved.",
    "placementGroupSelector": "The placement group that instances start in, by name or id.",
    "associatePublicIPAddress": "Whether nodes get public addresses; absent, the subnet decides.",
    "ipPrefixCount": "Address prefixes (/28) that the first interface gets at launch.",
    "role": "The name of the nodes' IAM role. Either this or instanceProfile.",
    "instanceProfile": "An instance profile of your own. Either this or role.",
    "userData": "Merged with what the family needs; for Custom taken as it is.",
    "tags": "Tags of instances, volumes and network interfaces.",
    "kubelet": "Settings of the kubelet.",
    "kubelet.maxPods": "Pods a node can hold, in place of the number that its interfaces allow.",
    "kubelet.podsPerCore": "Pods a node can hold for each of its cores, within maxPods.",
    "kubelet.systemReserved": "Kept for the operating system: cpu, memory, ephemeral-storage, pid.",
    "kubelet.kubeReserved": "Kept for Kubernetes' own parts: cpu, memory, ephemeral-storage, pid.",
    "kubelet.evictionHard": "Below so much of a signal pods are evicted at once; counts against what pods may use.",
    "kubelet.evictionSoft": "Below so much of a signal pods are evicted after their grace period.",
    "blockDeviceMappings": "Volumes in place of the family's own.",
    "blockDeviceMappings[].rootVolume": "Marks the volume whose size is the node's ephemeral storage.",
    "blockDeviceMappings[].ebs.volumeSize": "In whole Gi, G, Ti or T, such as 100Gi.",
    "instanceStorePolicy": "RAID0 joins the machine's own disks into the node's ephemeral storage.",
    "detailedMonitoring": "Metrics every minute, at a price.",
    "metadataOptions": "How instances reach their metadata service.",
    "metadataOptions.httpPutResponseHopLimit": "1 keeps pods away from the metadata service; 2 lets them reach it.",
    "metadataOptions.httpTokens": "required for IMDSv2 alone.",
    "connectionTracking": "Idle timeouts of tracked connections, in seconds; Nitro machines only.",
    "cpuOptions.nestedVirtualization": "enabled keeps only machines that can run virtual machines themselves.",
}
_AKS_NODE_CLASS: Final = {
    "imageFamily": "The operating system of the nodes.",
    "vnetSubnetID": "The subnet of the nodes; absent, that of the cluster.",
    "osDiskSizeGB": "The disk of the operating system and of pods, in decimal gigabytes.",
    "fipsMode": "FIPS for images with validated cryptography.",
    "maxPods": "Pods a node can hold, 10 to 250; absent, as the network has it.",
    "localDNS": "A DNS cache on every node.",
    "linuxOSConfig.swapFileSize": "A swap file; kubelet.failSwapOn has to be false with it.",
    "tags": "Tags of the machines. They do not count as drift.",
}
_NODE_OVERLAY: Final = {
    "requirements": "Which instance types are meant.",
    **{f"requirements[].{name}": text for name, text in _REQUIREMENT.items()},
    "price": "USD per hour, in place of the price of the cloud.",
    "priceAdjustment": "Added to the price, with its sign: +0.5, -0.02, +15%, -10%.",
    "capacity": "Extended resources that the nodes will have.",
    "weight": "Of several overlays the one with the higher weight counts, 1 to 10000.",
}
_CAPACITY_BUFFER: Final = {
    "podTemplateRef": "A PodTemplate of the same namespace; with replicas or limits.",
    "scalableRef": "A Deployment, StatefulSet or ReplicaSet whose pods are meant.",
    "replicas": "Room for so many pods.",
    "percentage": "Room for such a share of the workload's replicas, rounded up, at least 1.",
    "limits": "Caps the sum of what the pods ask for.",
}

FIELD_HELP: Final[Mapping[str, Mapping[str, str]]] = {
    "NodePool": _NODE_POOL,
    "NodeClaim": {**_CLAIM, "resources.requests": "What the pods of the node ask for together."},
    "NodeOverlay": _NODE_OVERLAY,
    "CapacityBuffer": _CAPACITY_BUFFER,
    "EC2NodeClass": _EC2_NODE_CLASS,
    "AKSNodeClass": _AKS_NODE_CLASS,
}
"""By kind and path below `spec`, `[]` for the elements of a list."""
