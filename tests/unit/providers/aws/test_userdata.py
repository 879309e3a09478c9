"""User data of the AMI families: how nodes join, and what happens to the user's own part."""

from __future__ import annotations

import tomllib
from email import message_from_string

import pytest
import yaml

from cutlist.core.errors import ClusterNotReadyError, UserDataError
from cutlist.core.taints import Taint
from cutlist.providers.aws.userdata import (
    FAMILIES,
    SIZE_LIMIT,
    BootstrapCluster,
    NodeFacts,
    node_group_user_data,
    size,
    user_data,
)
from tests.unit.providers.aws.node_classes import node_class

CLUSTER = BootstrapCluster("demo", "https://demo.example", "Y2EtYnVuZGxlCg==", "10.100.0.0/16", "10.100.0.10")
ALIASES = {
    "AL2": "al2@latest",
    "AL2023": "al2023@latest",
    "Bottlerocket": "bottlerocket@latest",
    "Windows2022": "windows2022@latest",
}


def facts(**more):
    return NodeFacts(**{"max_pods": 29, "capacity_type": "spot", "labels": {"karpenter.sh/nodepool": "web"}, **more})


def of(family, node=None, cluster=CLUSTER, **spec):
    return user_data(node_class(ALIASES[family], **spec), node or facts(), cluster)


def parts(text):
    """Content type and text of each part."""
    return [(p.get_content_type(), p.get_payload()) for p in message_from_string(text).get_payload()]


def node_config(text):
    """The NodeConfig that Karpenter wrote: the last part."""
    return yaml.safe_load(parts(text)[-1][1])


def test_every_family_that_a_node_class_may_name_has_a_writer():
    """No family is left to a default."""
    from cutlist.providers.aws.families import FAMILIES as KNOWN

    assert set(FAMILIES) == set(KNOWN)


def test_al2_calls_the_bootstrap_script():
    """An AL2 node gets cluster, DNS, pods, labels and taints as arguments of the image's script."""
    #
    script = parts(of("AL2"))[-1][1]
    assert script.startswith("#!/bin/bash -xe\n")
    assert (
        "/etc/eks/bootstrap.sh 'demo' --apiserver-endpoint 'https://demo.example' --b64-cluster-ca 'Y2EtYnVuZGxlCg=='" in script
    )
    assert "--dns-cluster-ip '10.100.0.10'" in script
    assert '--register-with-taints="karpenter.sh/unregistered:NoExecute" --max-pods=29' in script


def test_the_number_of_pods_is_what_sets_templates_apart():
    """Two machines with different numbers of pods get different user data; with maxPods they get the same."""
    #
    few, many = facts(max_pods=8), facts(max_pods=29)
    assert of("AL2023", few) != of("AL2023", many)
    assert of("AL2023", few, kubelet={"maxPods": 20}) == of("AL2023", many, kubelet={"maxPods": 20})


@pytest.mark.parametrize("family", ["AL2", "AL2023", "Windows2022", "Bottlerocket"])
def test_labels_that_the_kubelet_may_not_give_itself_are_left_out(family):
    """Labels of kubernetes.io and k8s.io are set by the controller; all others go with the node."""
    #
    labels = {
        "team": "a",
        "kubernetes.io/role": "x",
        "node-restriction.kubernetes.io/z": "x",
        "a.k8s.io/y": "x",
        "mykubernetes.io/b": "c",
    }
    text = of(family, facts(labels=labels))
    assert "kubernetes.io/role" not in text
    assert "node-restriction" not in text
    assert "a.k8s.io/y" not in text
    assert "team" in text
    assert "mykubernetes.io/b" in text
    assert "karpenter.sh/capacity-type" in text
    assert "karpenter.sh/do-not-sync-taints" in text


def test_the_capacity_type_of_the_launch_wins_over_a_label():
    """What was bought is what the label says, whatever the NodeClaim's labels say."""
    text = of("AL2", facts(labels={"karpenter.sh/capacity-type": "on-demand"}))
    assert "karpenter.sh/capacity-type=spot" in text
    assert "karpenter.sh/capacity-type=on-demand" not in text


def test_taints_come_in_order_and_the_unregistered_one_once():
    """Taints, startup taints, then the taint that keeps pods away until the node is known, unless it already exists."""
    node = facts(taints=(Taint("a", "NoSchedule", "v"),), startup_taints=(Taint("b", "NoExecute"),))
    assert '--register-with-taints="a=v:NoSchedule,b:NoExecute,karpenter.sh/unregistered:NoExecute"' in of("AL2", node)
    given = facts(startup_taints=(Taint("karpenter.sh/unregistered", "NoExecute"),))
    assert of("AL2", given).count("karpenter.sh/unregistered") == 1


def test_al2_on_ipv6():
    """A cluster whose DNS has an IPv6 address gives its nodes addresses of that family."""
    assert "--ip-family ipv6" in of("AL2", cluster=BootstrapCluster("demo", "https://x", dns_ip="fd00::a"))
    assert "--ip-family" not in of("AL2", cluster=BootstrapCluster("demo", "https://x", dns_ip="10.0.0.10"))


def test_dns_of_the_node_class_wins_over_the_cluster():
    """clusterDNS of the NodeClass is what nodes get; AL2 takes one, AL2023 all of them."""
    kubelet = {"clusterDNS": ["1.1.1.1", "2.2.2.2"]}
    assert "--dns-cluster-ip '1.1.1.1'" in of("AL2", kubelet=kubelet)
    assert node_config(of("AL2023", kubelet=kubelet))["spec"]["kubelet"]["config"]["clusterDNS"] == ["1.1.1.1", "2.2.2.2"]


def test_kubelet_settings_as_flags():
    """Every setting has its flag; grace periods are spelled canonically, entries follow the alphabet."""
    kubelet = {
        "podsPerCore": 4,
        "systemReserved": {"memory": "0.5Gi", "cpu": "100m"},
        "evictionHard": {"memory.available": "5%"},
        "evictionSoft": {"memory.available": "10%"},
        "evictionSoftGracePeriod": {"memory.available": "90s"},
        "imageGCHighThresholdPercent": 80,
        "cpuCFSQuota": False,
    }
    text = of("AL2", kubelet=kubelet)
    assert '--pods-per-core=4 --system-reserved="cpu=100m,memory=0.5Gi" --eviction-hard="memory.available<5%"' in text
    assert '--eviction-soft-grace-period="memory.available=1m30s" --image-gc-high-threshold=80 --cpu-cfs-quota=false' in text


def test_al2023_writes_a_node_config():
    """An AL2023 node reads cluster and kubelet settings from a NodeConfig."""
    spec = node_config(of("AL2023", kubelet={"systemReserved": {"cpu": "1"}}, instanceStorePolicy="RAID0"))["spec"]
    assert spec["cluster"] == {
        "name": "demo",
        "apiServerEndpoint": "https://demo.example",
        "certificateAuthority": "Y2EtYnVuZGxlCg==",
        "cidr": "10.100.0.0/16",
    }
    assert spec["instance"] == {"localStorage": {"strategy": "RAID0"}}
    assert spec["kubelet"]["config"]["systemReserved"] == {"cpu": "1"}
    assert spec["kubelet"]["config"]["maxPods"] == 29


def test_al2023_needs_the_service_network():
    """Without the range of service addresses there is no NodeConfig, and Karpenter does not launch."""
    with pytest.raises(ClusterNotReadyError, match="address range"):
        of("AL2023", cluster=BootstrapCluster("demo", "https://x"))


def test_an_authority_that_is_not_base64_is_refused():
    """nodeadm takes bytes, so the text must be base64."""
    with pytest.raises(UserDataError, match="base64"):
        of("AL2023", cluster=BootstrapCluster("demo", "https://x", "not base64!", "10.0.0.0/16"))


@pytest.mark.parametrize(
    ("own", "kind"),
    [
        ("#!/bin/bash\necho x\n", "text/x-shellscript"),
        ("apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n", "application/node.eks.aws"),
        ("#!/bin/sh\n", "application/node.eks.aws"),
        ("- a\n- b\n", "text/x-shellscript"),
        ("a: [1, 2", "text/x-shellscript"),
    ],
)
def test_al2023_tells_a_node_config_from_a_script(own, kind):  # K-122
    """A mapping in YAML, or nothing but comments, is a NodeConfig; everything else is a script."""
    assert [p[0] for p in parts(of("AL2023", userData=own))] == [kind, "application/node.eks.aws"]


def test_al2_takes_every_text_for_a_script():
    """AL2 knows no NodeConfig."""
    assert [p[0] for p in parts(of("AL2", userData="kind: NodeConfig\n"))] == ["text/x-shellscript"] * 2


def test_bottlerocket_settings_of_karpenter_win():  # K-122
    """Karpenter writes over what it knows, adds its labels, replaces taints, and keeps everything else."""
    own = """
outside = 1
[settings.kubernetes]
cluster-name = "other"
max-pods = 5
kube-api-qps = 30
unknown = true
[settings.kubernetes.node-labels]
own = "yes"
[settings.kubernetes.node-taints]
own = ["a:NoSchedule"]
[settings.motd]
text = "hi"
"""
    found = tomllib.loads(of("Bottlerocket", userData=own))
    kubernetes = found["settings"]["kubernetes"]
    assert set(found) == {"settings"}
    assert found["settings"]["motd"] == {"text": "hi"}
    assert (kubernetes["cluster-name"], kubernetes["max-pods"], kubernetes["kube-api-qps"]) == ("demo", 29, 30)
    assert "unknown" not in kubernetes
    assert kubernetes["node-labels"]["own"] == "yes"
    assert kubernetes["node-labels"]["karpenter.sh/nodepool"] == "web"
    assert kubernetes["node-taints"] == {"karpenter.sh/unregistered": [":NoExecute"]}


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("#!/bin/bash\n echo x\n", "not TOML"),
        ("[settings\nx =", "not TOML"),
        ("settings = 1", "settings is 1, and a table is needed"),
        ('[settings.kubernetes]\nmax-pods = "5"', "settings.kubernetes.max-pods is '5', and a whole number is needed"),
        ("[settings.kubernetes]\nlog-level = -1", "log-level is -1"),
        ("[settings.kubernetes.node-labels]\na = 1", "node-labels.a is 1, and a text is needed"),
        ("[settings]\na = 99999999999999999999", "64 bits"),
    ],
)
def test_bottlerocket_refuses_what_it_cannot_merge(own, said):
    """What is not a TOML, or of the wrong kind where Karpenter knows the setting, is named with its path."""
    with pytest.raises(UserDataError) as raised:
        of("Bottlerocket", userData=own)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("version", "reported"),
    [
        ("v1.45.9", True),
        ("v1.46.0", False),
        ("1.46.0", False),
        ("v1.5.0", True),
        ("v2.0.0", False),
        ("latest", False),
        ("odd", True),
    ],
)
def test_bottlerocket_mounts_local_disks(version, reported):
    """Images before 1.46 need the directories that belong on the disks; an unknown version counts as old."""
    text = user_data(node_class(f"bottlerocket@{version}", instanceStorePolicy="RAID0"), facts(), CLUSTER)
    command = tomllib.loads(text)["settings"]["bootstrap-commands"]["000-mount-instance-storage"]
    assert command["commands"][0] == ["apiclient", "ephemeral-storage", "init"]
    assert ("--dirs" in command["commands"][1]) is reported


def test_windows_runs_the_users_commands_first():  # K-122
    """One PowerShell block: the user's part as it is, then the bootstrap script."""
    text = of("Windows2022", userData='Write-Host "hello"')
    lines = text.split("\n")
    assert lines[:2] == ["<powershell>", 'Write-Host "hello"']
    assert lines[-1] == "</powershell>"
    assert "-EKSClusterName 'demo' -APIServerEndpoint 'https://demo.example' -Base64ClusterCA" in lines[-2]
    assert lines[-2].endswith("-DNSClusterIP '10.100.0.10'")


def test_custom_images_get_the_users_text_and_nothing_else():
    """Karpenter adds nothing to the user data of family Custom."""
    own = node_class(amiFamily="Custom", userData="whatever\r\n")
    assert user_data(own, facts(), CLUSTER) == "whatever\r\n"
    assert user_data(node_class(amiFamily="Custom"), facts(), CLUSTER) == ""


@pytest.mark.parametrize("family", list(ALIASES))
def test_an_empty_text_is_no_user_data(family):
    """`userData: ""` and none at all give the same."""
    assert of(family, userData="") == of(family)


def test_size_is_counted_in_bytes():
    """EC2 counts bytes, not characters."""
    assert size("grün") == 5
    assert SIZE_LIMIT == 16384


@pytest.mark.parametrize("family", ["AL2", "AL2023", "Windows2022"])
def test_half_a_character_is_replaced(family):
    """A text with half a surrogate pair, which JSON can hold, becomes one that can be sent."""
    text = of(family, userData="#!/bin/bash\necho \ud800\n")
    assert "echo \ufffd" in text
    assert size(text) > 0


@pytest.mark.parametrize("family", ALIASES)
def test_a_node_group_gets_nothing_of_karpenter(family):
    """The settings are the same; labels and taints are those given alone, without any there are none."""
    of_class = node_class(ALIASES[family], kubelet={"maxPods": 40})
    text = node_group_user_data(of_class, NodeFacts(40, "on-demand"), CLUSTER)
    assert "karpenter.sh" not in text
    assert "taint" not in text.lower()
    assert "40" in text
    own = NodeFacts(40, "on-demand", {"team": "a"}, (Taint("dedicated", "NoSchedule", "web"),))
    reported = node_group_user_data(of_class, own, CLUSTER)
    assert "team" in reported
    assert "dedicated" in reported
    assert "karpenter.sh" not in reported
