"""Valid v1beta1 objects of all shapes, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from cutlist.api.convert import notes
from cutlist.api.v1beta1 import API_VERSIONS

names = st.sampled_from(["default", "general", "gpu", "spot-pool"])
texts = st.sampled_from(["a", "b", "x y", "#!/bin/sh\n", "<&>", "yes", "1e3", "é"])
label_values = st.sampled_from(["a", "team-b", "", "1", "true"])
durations = st.sampled_from(["Never", "0s", "30s", "90m", "1h30m", "720h", "168h0m0s"])
quantities = st.sampled_from(["1", "1000m", "1024Mi", "1.5Gi", "0.1", "2e3", "1000G"])


def mappings(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a mapping in which each member may be missing."""
    return st.fixed_dictionaries({}, optional=members)


requirements = st.one_of(
    st.sampled_from(
        [
            {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64", "arm64"]},
            {"key": "kubernetes.io/os", "operator": "Exists", "values": []},
            {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"], "minValues": 1},
            {"key": "karpenter.k8s.aws/instance-generation", "operator": "Gt", "values": ["2"]},
            {"key": "example.com/team", "operator": "DoesNotExist"},
            {"key": "node.kubernetes.io/instance-type", "operator": "NotIn", "values": ["m5.large"]},
            {"key": "karpenter.k8s.aws/instance-cpu", "operator": "Lt", "values": ["33"], "minValues": 2},
        ]
    )
)
taints = st.lists(
    st.sampled_from(
        [
            {"key": "a", "effect": "NoSchedule"},
            {"key": "example.com/b", "effect": "NoExecute", "value": "c"},
            {"key": "d", "effect": "PreferNoSchedule", "timeAdded": "2024-02-03T04:05:06+02:00"},
        ]
    ),
    max_size=2,
    unique_by=lambda taint: taint["key"],
)
kubelets = mappings(
    clusterDNS=st.lists(st.just("10.0.0.10"), max_size=1),
    maxPods=st.sampled_from([0, 20, 110]),
    podsPerCore=st.integers(0, 4),
    systemReserved=st.dictionaries(st.sampled_from(["cpu", "memory", "pid"]), quantities, max_size=2),
    kubeReserved=st.dictionaries(st.sampled_from(["cpu", "ephemeral-storage"]), quantities, max_size=2),
    evictionHard=st.dictionaries(st.sampled_from(["memory.available", "nodefs.available"]), st.just("5%"), max_size=2),
    evictionMaxPodGracePeriod=st.integers(0, 90),
    imageGCHighThresholdPercent=st.integers(80, 100),
    imageGCLowThresholdPercent=st.integers(0, 79),
    cpuCFSQuota=st.booleans(),
)
soft_kubelets = st.builds(
    lambda kubelet, graces: {**kubelet, "evictionSoft": dict.fromkeys(graces, "7.5%"), "evictionSoftGracePeriod": graces},
    kubelets,
    st.dictionaries(st.sampled_from(["memory.available", "nodefs.available"]), st.sampled_from(["1m", "90s", "1m30s"])),
)
references = st.sampled_from(
    [
        {"name": "default"},
        {"kind": "EC2NodeClass", "name": "gpu"},
        {"apiVersion": "karpenter.k8s.aws/v1beta1", "name": "default"},
        {"apiVersion": "karpenter.k8s.aws/v1beta1", "kind": "EC2NodeClass", "name": "default"},
        {"apiVersion": "", "kind": "", "name": "spare"},
    ]
)
budgets = st.lists(
    st.sampled_from(
        [
            {"nodes": "10%"},
            {},
            {"nodes": "0", "schedule": "@daily", "duration": "90m"},
            {"nodes": "5", "schedule": "0 9 * * mon-fri", "duration": "8h0m0s"},
        ]
    ),
    max_size=2,
)
lifetimes = mappings(expireAfter=durations, budgets=budgets)
policies = st.one_of(
    st.builds(lambda after: {"consolidationPolicy": "WhenEmpty", "consolidateAfter": after}, durations),
    st.sampled_from([{}, {"consolidationPolicy": "WhenUnderutilized"}, {"consolidateAfter": "Never"}]),
)
disruptions = st.builds(lambda policy, lifetime: {**policy, **lifetime}, policies, lifetimes)
stale_notes = st.sampled_from(
    [{}, {"team": "a"}, {notes.KUBELET: '{"maxPods":5}', "x": "<y>"}, {notes.NODE_CLASS_REF: '{"name":"gone"}'}]
)
metadata = st.builds(
    lambda name, more: {"name": name, **more},
    names,
    mappings(
        labels=st.dictionaries(st.sampled_from(["app", "example.com/x"]), label_values, max_size=2), annotations=stale_notes
    ),
)


def _node_spec(reference: Any, listed: Any, more: Any) -> dict[str, Any]:
    return {"nodeClassRef": reference, "requirements": listed, **more}


def _object(kind: str, about: Any, spec: Any) -> dict[str, Any]:
    return {"apiVersion": API_VERSIONS[kind], "kind": kind, "metadata": about, "spec": spec}


_lists = {"taints": taints, "startupTaints": taints.map(lambda t: [{**one, "key": f"s-{one['key'][0]}"} for one in t])}
_requirement_lists = st.lists(requirements, max_size=3)
_kubelets = st.one_of(kubelets, soft_kubelets)
_templates = st.builds(
    lambda about, spec: {**about, "spec": spec},
    mappings(metadata=mappings(labels=st.just({"team": "a"}), annotations=st.sampled_from([{}, {"x": "y"}]))),
    st.builds(_node_spec, references, _requirement_lists, mappings(**_lists, kubelet=_kubelets, resources=st.just({}))),
)
pools = st.builds(
    _object,
    st.just("NodePool"),
    metadata,
    st.builds(
        lambda template, more: {"template": template, **more},
        _templates,
        mappings(
            disruption=disruptions,
            limits=st.dictionaries(st.sampled_from(["cpu", "memory", "nvidia.com/gpu"]), st.one_of(quantities, st.just(1000))),
            weight=st.integers(1, 100),
        ),
    ),
)
claims = st.builds(
    _object,
    st.just("NodeClaim"),
    metadata.map(lambda m: {**m, "labels": {"karpenter.sh/nodepool": "default"}}),
    st.builds(
        _node_spec,
        references,
        _requirement_lists,
        mappings(**_lists, kubelet=_kubelets, resources=mappings(requests=st.dictionaries(st.just("cpu"), quantities))),
    ),
)

selector_terms = st.sampled_from([{"id": "{}-0a1b"}, {"tags": {"karpenter.sh/discovery": "demo"}}, {"tags": {"Name": "*"}}])


def _terms(prefix: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    with_id = selector_terms.map(lambda term: {"id": f"{prefix}-0a1b"} if "id" in term else term)
    return st.lists(with_id, min_size=1, max_size=2)


image_terms = st.lists(
    st.sampled_from([{"id": "ami-0a"}, {"name": "my-*", "owner": "self"}, {"name": "n", "owner": ""}, {"tags": {"a": "b"}}]),
    min_size=1,
    max_size=2,
)
volumes = st.lists(
    st.sampled_from(
        [
            {"deviceName": "/dev/xvda", "rootVolume": False, "ebs": {"volumeSize": "1024Gi", "volumeType": "gp3"}},
            {"deviceName": "/dev/xvdb", "ebs": {"snapshotID": "snap-1", "encrypted": False, "iops": 0}},
            {"deviceName": "/dev/xvdc", "ebs": {"volumeSize": "100Gi", "deleteOnTermination": True}},
        ]
    ),
    max_size=2,
)
options = mappings(
    httpEndpoint=st.sampled_from(["enabled", "disabled"]),
    httpPutResponseHopLimit=st.integers(1, 64),
    httpTokens=st.sampled_from(["required", "optional"]),
)
families = st.sampled_from(["AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022"])
images = st.one_of(
    families.map(lambda family: {"amiFamily": family}),
    st.builds(
        lambda family, terms: {"amiFamily": family, "amiSelectorTerms": terms},
        st.one_of(families, st.sampled_from(["Custom", "Ubuntu"])),
        image_terms,
    ),
)
_class_specs = st.builds(
    lambda image, who, subnets, groups, more: {
        **image,
        **who,
        "subnetSelectorTerms": subnets,
        "securityGroupSelectorTerms": groups,
        **more,
    },
    images,
    st.sampled_from([{"role": "r"}, {"instanceProfile": "p"}]),
    _terms("subnet"),
    _terms("sg"),
    mappings(
        tags=st.dictionaries(st.sampled_from(["team", "Name"]), texts, max_size=2),
        userData=texts,
        blockDeviceMappings=volumes,
        metadataOptions=options,
        associatePublicIPAddress=st.booleans(),
        detailedMonitoring=st.booleans(),
        instanceStorePolicy=st.just("RAID0"),
        context=texts,
    ),
)
classes = st.builds(
    _object,
    st.just("EC2NodeClass"),
    metadata.map(lambda m: {k: v for k, v in m.items() if k != "annotations"}),
    _class_specs,
)
objects = st.one_of(pools, classes, claims)
