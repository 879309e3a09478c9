"""What is odd about NodePools and node classes: found before any pod is looked at, in plans and tables of types."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import pool_notes
from cutlist_cli import main
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool

SPOT = "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}"
ALIAS = "al2023@v20260625"
SUBNETS = """
status:
  subnets: [{id: subnet-1, zone: us-west-2a, zoneID: usw2-az2}]
"""


def of_hardware(label: str, *values: str) -> str:
    return f"{{key: karpenter.k8s.aws/instance-{label}, operator: In, values: [{', '.join(values)}]}}"


def found(
    *documents: str, node_class: str = NODE_CLASS, zones: tuple[str, ...] = (), region: str = "us-west-2"
) -> dict[str, str]:
    """The findings by code, from the tables of types; each is in the plan as well."""
    inputs = read_inputs(["-"], region=region, zones=zones, stdin="\n---\n".join((node_class, *documents)))
    notes = pool_notes(inputs)
    planned = plan(inputs)
    assert set(notes) <= {*planned.warnings, *planned.assumptions}
    assert len({n.code for n in notes}) == len(notes)
    return {n.code: n.text for n in notes}


def with_alias(alias: str) -> str:
    return NODE_CLASS.replace(ALIAS, alias)


def daemon(cpu: str) -> str:
    return deployment("agent", cpu=cpu, memory="10Mi").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")


def test_nothing_is_odd_about_a_plain_pool() -> None:
    """A pool of everything under a pinned image gives no finding."""
    assert found(pool()) == {}


@pytest.mark.parametrize(
    ("label", "value", "near"),
    [("gpu-name", "a10gg", "a10g"), ("cpu-manufacturer", "amb", "amd"), ("cpu", '"3"', "2"), ("memory", '"8000"', "8192")],
)
def test_values_that_no_type_has(label: str, value: str, near: str) -> None:
    """A value of what machines are made of that none has is named with the nearest, by spelling or by number."""
    text = found(pool(requirements=f"[{of_hardware(label, value)}]"))["not-a-value"]
    reported = f"karpenter.k8s.aws/instance-{label} {value.strip(chr(34))}"
    assert text == f"NodePool general: no known EC2 instance type has {reported}; did you mean {near}?"


def test_values_that_some_type_has_pass() -> None:
    """What any machine has is not a slip, whatever the others of the list are."""
    assert "not-a-value" not in found(pool(requirements=f"[{of_hardware('gpu-name', 'a10g', 't4')}]"))


@pytest.mark.parametrize(
    ("requirements", "why"),
    [
        ("{key: kubernetes.io/os, operator: In, values: [windows]}", "none has kubernetes.io/os In [windows], all have linux"),
        (
            f"{of_hardware('family', 'm5')}, {of_hardware('cpu-manufacturer', 'amd')}",
            "no type meets all of its requirements at once",
        ),
        (
            "{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2d]}",
            "none has topology.kubernetes.io/zone In [us-west-2d], all have us-west-2a",
        ),
    ],
)
def test_a_pool_that_matches_no_type_says_why(requirements: str, why: str) -> None:
    """The requirement that leaves nothing is named, or that they only fail together, or that nothing is on offer."""
    # S-42
    text = found(pool(requirements=f"[{requirements}]"), zones=("us-west-2a",))["no-instance-type"]
    assert text.startswith("NodePool general allows no instance type that is on offer in us-west-2: ")
    assert why in text


def test_a1_under_al2023_is_not_on_offer() -> None:
    """The family fits the requirements and AL2023 does not run on it."""
    #
    assert (
        "(a1.2xlarge, a1.4xlarge, a1.large, a1.medium, a1.metal and 1 more) are not sold"
        in found(pool(requirements=f"[{of_hardware('family', 'a1')}]"))["no-instance-type"]
    )


def test_where_offerings_are_unknown_the_catalogue_is_the_reason() -> None:
    """The types may be sold there; the embedded catalogue does not know in which zones."""
    # S-42
    text = found(pool(requirements=f"[{of_hardware('family', 'm5')}]"), region="us-gov-west-1")["no-instance-type"]
    assert text.endswith(
        "is on offer in us-gov-west-1: the catalogue does not say what its zones sell; "
        "`cutlist catalog update --region us-gov-west-1` reads that"
    )


def test_fewer_values_than_asked_for() -> None:
    """A pool whose types have too few values of a label with minValues launches nothing, and the numbers are reported."""
    families = of_hardware("family", "m5", "m6g").replace("}", ", minValues: 2}")
    amd64 = "{key: kubernetes.io/arch, operator: In, values: [amd64]}"
    text = found(pool(requirements=f"[{families}, {amd64}]"))["min-values-missed"]
    assert text == (
        "NodePool general asks for 2 values of karpenter.k8s.aws/instance-family, but its types have 1; it launches nothing"
    )


@pytest.mark.parametrize(("types", "is_told"), [(14, True), (15, False)])
def test_under_fifteen_types_on_spot(types: int, is_told: bool) -> None:
    """Spot-to-spot consolidation wants 15 types to choose from, so fewer are reported."""
    # K-173
    names = [f"{family}.{size}" for family in ("c5", "c6i", "m5", "m6i", "r5") for size in ("large", "xlarge", "2xlarge")]
    notes = found(pool(requirements=f"[{SPOT}, {TYPES.format(', '.join(names[:types]))}]"))
    assert ("few-spot-types" in notes) is is_told
    if is_told:
        assert notes["few-spot-types"].startswith("NodePool general allows 14 instance types on spot (c5.2xlarge, c5.large,")


def test_few_types_on_demand_are_fine() -> None:
    """EC2 takes the cheapest on demand, so their number is no matter."""
    assert "few-spot-types" not in found(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"))


def test_types_that_never_fit_the_daemons() -> None:
    """Types that the DaemonSets alone fill are named; where all are, that is what keeps pods pending."""
    # K-148
    two = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.xlarge')}]"
    assert found(pool(requirements=two), daemon("3"))["too-small-for-daemons"] == (
        "NodePool general: 1 instance type is too small for the DaemonSets alone: m5.large"
    )
    assert found(pool(requirements=two), daemon("8"))["no-room-for-daemons"] == (
        "NodePool general: the DaemonSets alone fill every instance type that it allows: m5.large, m5.xlarge"
    )
    assert found(pool(requirements=two), daemon("1900m")) == {}


def test_daemons_that_stay_off_a_pool_do_not_count() -> None:
    """A DaemonSet without a toleration for the pool's taint takes no room on its nodes."""
    tainted = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]", extra="taints: [{key: a, effect: NoSchedule}]")
    assert found(tainted, daemon("8")) == {}


def test_zones_without_subnets() -> None:
    """A zone that the pool asks for and the class has no subnet in is named, by the class' status or by the zones given."""
    # K-84 K-124
    zone = "{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2a, us-west-2d]}"
    end = "topology.kubernetes.io/zone us-west-2d, where EC2NodeClass default has no subnet (us-west-2a)"
    for notes in (
        found(pool(requirements=f"[{zone}]"), node_class=NODE_CLASS + SUBNETS),
        found(pool(requirements=f"[{zone}]"), zones=("us-west-2a",)),
    ):
        assert notes["zone-without-subnet"] == f"NodePool general wants {end}"
    assert "zone-without-subnet" not in found(pool(requirements=f"[{zone}]"))


IMAGES = """
  amis: [{id: ami-1, requirements: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]}]
  securityGroups: [{id: sg-1}]
"""


def test_images_that_start_none_of_the_types() -> None:
    """A class with images for arm64 alone and a pool for amd64 make claims that never launch; a mixed pool loses half."""
    #
    resolved = NODE_CLASS + SUBNETS + IMAGES
    amd64 = pool(requirements="[{key: kubernetes.io/arch, operator: In, values: [amd64]}]")
    text = found(amd64, node_class=resolved)["no-image"]
    assert text.startswith("NodePool general: no image of EC2NodeClass default starts any of its instance types (")
    assert (
        "m5.large"
        in found(pool(requirements=f"[{TYPES.format('m5.large, m6g.large')}]"), node_class=resolved)["some-without-image"]
    )


def test_images_of_which_nothing_is_known_on_machines_with_gpus() -> None:
    """Images picked by id or name are taken for GPUs, too; whether they have drivers only their owner knows."""
    by_id = NODE_CLASS.replace(f"[{{alias: {ALIAS}}}]", "[{id: ami-1}]") + "  amiFamily: AL2023\n"
    gpus = pool(requirements=f"[{ON_DEMAND}, {of_hardware('family', 'g5')}]")
    assert "drivers" in found(gpus, node_class=by_id)["image-drivers"]
    assert found(pool(), node_class=by_id) == {}
    assert found(gpus) == {}


@pytest.mark.parametrize(
    ("alias", "codes"),
    [
        ("al2023@latest", {"images-move"}),
        ("bottlerocket@latest", {"images-move"}),
        ("windows2022@latest", set()),
        ("windows2025@latest", {"windows-version"}),
        ("al2@v20250228", {"al2-ends"}),
        ("al2@latest", {"al2-ends", "images-move"}),
        ("al2023@latst", {"image-version"}),
        ("bottlerocket@1.46.0", set()),
    ],
)
def test_aliases(alias: str, codes: set[str]) -> None:
    """`latest` moves but for Windows, which has nothing else; AL2 and Windows 2025 depend on the version of Kubernetes."""
    # A-68 K-116 K-117 K-118
    amd64 = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]")
    assert set(found(amd64, node_class=with_alias(alias))) == codes


@pytest.mark.parametrize(("device", "is_told"), [("/dev/xvda", False), ("/dev/xvdb", True)])
def test_block_devices_without_the_root_volume(device: str, is_told: bool) -> None:
    """Where none is the family's root volume, its size is a guess."""
    #
    mapping = f"  blockDeviceMappings: [{{deviceName: {device}, ebs: {{volumeSize: 100Gi}}}}]\n"
    notes = found(pool(), node_class=NODE_CLASS + mapping)
    assert ("no-root-volume" in notes) is is_told
    assert "20Gi" in notes.get("no-root-volume", "20Gi")


def test_nodes_that_take_no_pods() -> None:
    """`maxPods: 0` is a valid class whose nodes are of no use: class and pods say so."""
    without = NODE_CLASS + "  kubelet: {maxPods: 0}\n"
    assert "spec.kubelet.maxPods is 0" in found(pool(), node_class=without)["no-pods"]
    planned = plan(read_inputs(["-"], region="us-west-2", stdin="\n---\n".join((without, pool(), deployment()))))
    (pending,) = planned.pending
    assert pending.reason == "NodePool general: the pod needs room for 1 pod and the largest allowed instance type takes none"


def test_findings_stand_below_the_table_of_types() -> None:
    """`cutlist types` shows them as text and as JSON."""
    text = "\n---\n".join((with_alias("al2@latest"), pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]")))
    arguments = ["types", "-f", "-", "--region", "us-west-2", "--width", "200"]
    shown = CliRunner().invoke(main, arguments, input=text).stdout
    assert "\nFindings\n  - EC2NodeClass default: images of AL2 exist up to Kubernetes 1.32" in shown
    read_back = json.loads(CliRunner().invoke(main, [*arguments, "-o", "json"], input=text).stdout)
    assert [note["code"] for note in read_back["findings"]] == ["al2-ends", "images-move"]
