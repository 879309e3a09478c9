"""An upgrade of Karpenter with manifests: what happens to nodes, prices and pods."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import BASELINES, DEFAULT
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.infrastructure.charts.notes import Subject, When
from cutlist.planning.fleet_upgrade import outlook_differences, plan_differences, under_rules
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.upgrade.answer import Upgrade, upgrade
from cutlist.verbs.upgrade.text import verdict
from cutlist_cli import main
from tests.unit.verbs.fleets import (
    ZONES,
    any_two_zones,
    deployment,
    fleet,
    node,
    node_class,
    node_pool,
    one_of,
    only_in_the_first_zone,
    pod,
)

pytestmark = pytest.mark.slow

VERSIONS = ("--from", "1.14.1", "--target", "1.15.1")


def manifests(family: str = "al2023", **kubelet: object) -> bytes:
    """A NodePool of a class with these settings of the kubelet, and a Deployment of one pod."""
    terms = [{"tags": {"a": "b"}}]
    spec = {"role": "nodes", "subnetSelectorTerms": terms, "securityGroupSelectorTerms": terms}
    node_class = {"amiSelectorTerms": [{"alias": f"{family}@latest"}], **spec} | ({"kubelet": kubelet} if kubelet else {})
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    types = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["m6i.large"]}
    template = {"spec": {"nodeClassRef": reference, "requirements": [types]}}
    pod = {"containers": [{"name": "web", "image": "web", "resources": {"requests": {"cpu": "1"}}}]}
    app = {"selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": pod}}
    objects = [
        ("karpenter.k8s.aws/v1", "EC2NodeClass", "default", node_class),
        ("karpenter.sh/v1", "NodePool", "general", {"template": template}),
        ("apps/v1", "Deployment", "web", app),
    ]
    keys = ("apiVersion", "kind", "metadata", "spec")
    return yaml.safe_dump_all(
        [dict(zip(keys, (api, kind, {"name": name}, spec), strict=True)) for api, kind, name, spec in objects]
    ).encode()


def upgraded(text: bytes, before: str = "1.14.1", after: str = "1.15.1", **more) -> Upgrade:
    return upgrade(before, after, inputs=read_inputs(["-"], region="us-west-2", stdin=text, karpenter="1.14"), **more)


def nodes(change: Upgrade) -> list[str]:
    return [delta.text for delta in change.of(Subject.NODES)]


def test_a_plan_that_is_the_same_under_both_says_so():
    [same] = nodes(upgraded(manifests()))
    assert same.startswith("the plan is the same: 1 node at $")
    assert same.endswith("; 0 pods pending")
    assert " an hour ($" in same, "spot has a range"


# VA15-70
def test_a_price_that_differs_is_shown_in_all_and_by_nodes():
    """Two GiB more of a root volume."""
    whole, node = nodes(upgraded(manifests("bottlerocket")))
    assert whole.startswith("in all 1 node at $")
    assert whole.endswith("; 0 pods pending")
    assert node.startswith("NodePool general, m6i.large ")
    before, after = (float(part.split("$")[1].split()[0]) for part in node.split(" -> "))
    assert before < after


@pytest.mark.parametrize("family", ["al2023", "bottlerocket"])
def test_old_prices_are_a_note_whether_the_plan_differs_or_not(family: str) -> None:
    """Both show a price an hour."""
    inputs = read_inputs(["-"], region="us-west-2", stdin=manifests(family), karpenter="1.14")
    day = date(2026, 11, 23)
    [note] = upgrade("1.14.1", "1.15.1", inputs=inputs.on_day(day), day=day).notes
    assert note.startswith("Old prices on 2026-11-23: list prices of ")


# VA15-2 VA15-11
def test_a_class_that_becomes_not_ready_is_an_obstacle():
    change = upgraded(manifests("bottlerocket", podsPerCore=2))
    [obstacle] = change.obstacles
    assert obstacle.startswith("under 1.15.1, ")
    assert "spec.kubelet.podsPerCore" in obstacle
    whole, bought, pending = change.of(Subject.NODES)
    assert whole.text.endswith("; 0 pods pending -> 1")
    assert bought.text.endswith(" an hour -> no node")
    assert pending.text.startswith("deployment/web: 0 pods pending -> 1: ")
    assert whole.statements == bought.statements == pending.statements == Behaviour.KUBELET_IS_OPEN.statements
    assert obstacle.endswith("(VA15-11)")
    assert change.fleet is not None
    assert change.fleet.outlook is None
    assert upgraded(manifests("bottlerocket", podsPerCore=2), "1.14.1", "1.14.3").obstacles == ()


def test_versions_before_those_with_recorded_rules_count_as_the_oldest():
    change = upgraded(manifests(), "1.12.0", "1.14.1")
    assert change.notes == ("nodes of Karpenter 1.12.0 are planned by the rules of 1.14.1, the oldest that are recorded",)
    assert len(nodes(change)) == 1


@pytest.mark.parametrize(("settings", "code"), [({}, 0), ({"podsPerCore": 2}, 1)])
def test_the_command_ends_with_one_when_a_class_becomes_not_ready(tmp_path: Path, settings, code):
    file = tmp_path / "all.yaml"
    file.write_bytes(manifests("bottlerocket", **settings))
    done = CliRunner().invoke(main, ["upgrade", *VERSIONS, "-f", str(file), "--region", "us-west-2", "-o", "json"])
    assert done.exit_code == code
    answer = json.loads(done.stdout)
    assert len(answer["obstacles"]) == code
    assert any("pending -> 1" in change["text"] for change in answer["changes"] if change["subject"] == "nodes") == bool(code)


def test_the_versions_are_not_named_twice():
    done = CliRunner().invoke(main, ["upgrade", "--from", "1.14.1", "--target", "1.15.1", "--karpenter", "1.15"])
    assert done.exit_code == 2
    assert "--from and --target name the versions" in done.stderr


# --- a fleet that runs


@cache
def of_fleet(nodes: int = 12) -> Upgrade:
    """The upgrade of a made fleet with these many nodes."""
    return upgraded(yaml.safe_dump_all(fleet(nodes)).encode())


def sentences(change: Upgrade, subject: Subject) -> dict[str, str]:
    """The sentences on a subject, with their statements."""
    return {delta.text: delta.statements for delta in change.of(subject)}


def statements_of(said: dict[str, str], beginning: str) -> str:
    """The statements of the one sentence that begins so."""
    [statements] = [statements for text, statements in said.items() if text.startswith(beginning)]
    return statements


# V15-1
def test_pods_that_become_pending_name_the_statement():
    """A claim in one zone has no two values of zones, however many its types know."""
    texts = sentences(of_fleet(), Subject.NODES)
    assert statements_of(texts, "shop/deployment/zone-bound: 0 pods pending -> 2: ") == "V15-1"
    assert statements_of(texts, "in all ") == "V15-1"
    assert of_fleet().fleet.is_worse


# VA15-20 VA15-24
def test_claims_are_stamped_anew_and_drifted_ones_stay_drifted():
    """Each is counted once, and named where something becomes of it."""
    texts = sentences(of_fleet(), Subject.DRIFT)
    hashes = statements_of(
        texts, "hash of the EC2NodeClass, v5 -> v6: 10 NodeClaims are stamped again and not replaced; 2 drifted "
    )
    assert hashes == "VA15-20 to VA15-24"
    [stamps] = of_fleet().fleet.restampings
    assert stamps.drifted == ("claim-bottlerocket-005", "claim-general-004")
    assert len(stamps.restamped) == stamps.claims - 2 == 10


# VA15-24
def test_a_node_that_differs_from_its_class_is_to_be_replaced_first():
    """Because it is stamped again, and never compared with the class it differs from."""
    [first, *_] = of_fleet().of(Subject.DRIFT)
    assert (first.when, first.text.split(":")[0]) == (When.FIRST, "claim-general-008")
    texts = sentences(of_fleet(), Subject.DRIFT)
    assert (
        statements_of(texts, "drifted only before the upgrade, and not replaced after it: general-008") == "VA15-20 to VA15-24"
    )
    assert (
        statements_of(texts, "the upgrade causes no drift; drifted before it and after it: bottlerocket-005, general-004") == ""
    )


# V15-41
def test_another_order_of_candidates_names_the_statement():
    """Costs that are not whole numbers count as none."""
    texts = sentences(of_fleet(), Subject.DISRUPTION)
    assert statements_of(texts, "order of multi-node consolidation") == "V15-41"
    assert statements_of(texts, "drift: 3 candidates, ") == "VA15-20 to VA15-24"


def test_every_difference_has_a_cause():
    """None is left without a statement."""
    answer = of_fleet().fleet
    keys = {*plan_differences(answer.comparison), *outlook_differences(answer.outlook)}
    assert keys == answer.causes.keys()
    assert all(cause.statements for causes in answer.causes.values() for cause in causes)


def test_a_cause_taken_back_takes_its_difference_back():
    """The later rules without that of minValues leave no pod pending."""
    ours = read_inputs(["-"], region="us-west-2", stdin=yaml.safe_dump_all(fleet(4)))
    later = BASELINES[-1]
    without = replace(later, behaviours=later.behaviours - {Behaviour.MIN_VALUES_COUNT_ALLOWED_VALUES})
    pending = [plan(under_rules(ours, rules).inputs).totals.pending for rules in (BASELINES[0], later, without)]
    assert pending == [0, 2, 0]


# V15-1 VA15-66
def test_the_patch_release_of_the_long_term_minor_is_answered_in_the_same_way():
    """It has the count of minValues, and no other hash."""
    change = upgraded(yaml.safe_dump_all(fleet(4)).encode(), "1.14.1", "1.14.3")
    assert statements_of(sentences(change, Subject.NODES), "shop/deployment/zone-bound: 0 pods pending -> 2") == "V15-1"
    assert change.fleet.restampings == ()
    assert "SpotMaxPriceTooLow" in " ".join(sentences(change, Subject.BEHAVIOUR))


# V15-42
def test_repair_becomes_a_method_where_its_gate_is_on():
    """In 1.14 it is not a method."""
    change = upgraded(manifests(), gates=FeatureGates(node_repair=True))
    texts = sentences(change, Subject.DISRUPTION)
    assert statements_of(texts, "repair is now a disruption method, the first of all: no candidate") == "V15-42 to V15-57"


# V15-25 V15-65
def test_a_gate_that_the_earlier_version_lacks_is_off_there_and_one_that_the_later_lacks_is_refused():
    """With the gates that it has."""
    gates = FeatureGates(terminate_first_drift=True)
    assert upgraded(manifests(), gates=gates).fleet.outlook is not None
    with pytest.raises(InputError, match=r"Karpenter 1\.14 has no feature gate TerminateFirstDrift"):
        upgraded(manifests(), "1.14.1", "1.14.3", gates=gates)


# VA15-110
@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--feature-gate", "RebootForRepair", "--node-repair"), 0, "first grant ec2:RebootInstances"),
        (("--feature-gate", "DRAEFA"), 0, "Karpenter 1.14.1 to 1.15.1"),
        (("--feature-gate", "RebootForRepair"), 2, "no effect without the feature gate NodeRepair"),
        (
            ("--feature-gate", "NodeClassCEL", "--target", "1.14.3"),
            2,
            "--feature-gate: Karpenter 1.14 has no feature gate NodeCl",
        ),
    ],
)
def test_gates_of_aws_are_on_in_the_version_that_has_them(tmp_path: Path, options, code, words):
    """A gate that neither version has is refused."""
    file = tmp_path / "fleet.yaml"
    file.write_bytes(manifests())
    done = CliRunner().invoke(main, ["upgrade", *VERSIONS, "-f", str(file), "--region", "us-west-2", *options])
    assert (done.exit_code, words in " ".join(done.output.split())) == (code, True)


# VA15-9 VA15-30
def test_an_expression_makes_a_class_not_ready_only_where_its_gate_is_off():
    """From 1.15 on; 1.14 refuses it."""
    text = manifests(maxPods="vcpus * 10")
    gated = b"\n---\napiVersion: cutlist/v1\nkind: Figures\ncontroller: {awsFeatureGates: {nodeClassCEL: true}}\n"
    inputs = read_inputs(["-"], region="us-west-2", stdin=text + gated, karpenter="1.15")
    assert upgrade("1.15.0", "1.15.1", inputs=inputs).obstacles == ()
    assert plan(under_rules(inputs, DEFAULT).inputs).totals.nodes == 1


def test_without_nodes_those_that_the_earlier_version_plans_are_forecast():
    """Once they have settled."""
    change = upgraded(manifests())
    assert change.fleet.is_planned
    assert [node.name for node in change.fleet.outlook.after.forecast.nodes] == ["planned-00001"]
    [said] = sentences(change, Subject.DISRUPTION)
    assert said.startswith("the forecast for the nodes that the earlier version plans is the same")


def test_equal_versions_change_nothing_for_a_fleet():
    """And a patch release that counts as the same."""
    for after in ("1.14.1", "1.14.2"):
        change = upgraded(manifests(), "1.14.1", after)
        assert change.fleet.is_same
        assert change.fleet.causes == {}


# V15-60
def test_an_object_that_only_the_later_version_accepts_is_to_be_applied_after_the_upgrade(tmp_path: Path):
    """What both refuse is an ordinary mistake."""
    pool = node_pool("late", "default", weight=1000)
    del pool["spec"]["disruption"]["consolidateAfter"]
    file = tmp_path / "late.yaml"
    file.write_text(yaml.safe_dump_all([node_class("default"), pool, deployment("web")]))
    done = CliRunner().invoke(main, ["upgrade", *VERSIONS, "-f", str(file), "--region", "us-west-2"])
    assert done.exit_code == 2
    said = " ".join(done.stderr.split())
    assert "spec.weight: found 1000 (schema: refused at apply)" in said
    assert said.count("under Karpenter 1.14.1; 1.15.0 accepts it, so apply it after the upgrade") == 1
    assert said.index("consolidateAfter: ") < said.index("apply it after the upgrade")


# VA15-2 VA15-11
def test_a_class_of_a_cluster_becomes_not_ready_too():
    """Though the API server keeps it as it is."""
    objects = [node_class("default", "bottlerocket", kubelet={"podsPerCore": 2}), node_pool("general", "default")]
    change = upgraded(yaml.safe_dump_all([*objects, deployment("web")]).encode())
    [obstacle] = change.obstacles
    assert "spec.kubelet.podsPerCore" in obstacle
    assert obstacle.endswith("(VA15-11)")
    assert change.fleet.comparison.after.totals.pending == 1


def auto(name: str) -> dict:
    pool = node_pool(name, "default")
    reference = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
    wanted = [one_of("eks.amazonaws.com/instance-category", "m")]
    pool["spec"]["template"]["spec"] |= {"nodeClassRef": reference, "requirements": wanted, "expireAfter": "336h"}
    return pool


def test_nodes_of_auto_mode_are_not_upgraded():
    """They are left out, and where there are no others nothing is judged."""
    both = [node_class("default"), node_pool("general", "default"), auto("managed"), deployment("web")]
    change = upgraded(yaml.safe_dump_all(both).encode())
    left_out, version = change.notes
    assert left_out == "NodePools of EKS Auto Mode are left out, since AWS upgrades its Karpenter: managed"
    assert [(service.name, service.karpenter, service.text) for service in change.services] == [("EKS Auto Mode", "", version)]
    assert version.startswith("which version of Karpenter EKS Auto Mode runs is not published (")
    assert {node.node_pool for node in change.fleet.comparison.before.nodes} == {"general"}
    with pytest.raises(InputError, match="every NodePool is of EKS Auto Mode"):
        upgraded(yaml.safe_dump_all([auto("managed"), deployment("web")]).encode())


@pytest.mark.parametrize(("pool", "code"), [("zonal", 1), ("general", 0)])
def test_strict_ends_with_one_when_more_pods_are_pending(tmp_path: Path, pool: str, code: int):
    type_alone = one_of("node.kubernetes.io/instance-type", "m6i.xlarge")
    pools = {"zonal": node_pool("zonal", "default", any_two_zones(), type_alone), "general": node_pool("general", "default")}
    waiting = deployment("bound", affinity=only_in_the_first_zone())
    file = tmp_path / "all.yaml"
    file.write_text(yaml.safe_dump_all([node_class("default"), pools[pool], waiting]))
    arguments = ["upgrade", *VERSIONS, "-f", str(file), "--region", "us-west-2", "-o", "markdown"]
    assert CliRunner().invoke(main, [*arguments, "--strict"]).exit_code == code


# V15-18
def test_default_constraints_count_for_the_later_version_alone(tmp_path: Path):
    """1.14 has no --scheduler-config, and is not refused for it."""
    config, file = tmp_path / "config.yaml", tmp_path / "all.yaml"
    constraint = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule"}
    config.write_text(yaml.safe_dump({"podTopologySpread": {"defaultConstraints": [constraint]}}))
    labels = {"selector": {"app": "web"}, "ports": [{"port": 80}]}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web", "namespace": "shop"}, "spec": labels}
    pools = [node_class("default"), node_pool("general", "default")]
    file.write_text(yaml.safe_dump_all([*pools, deployment("web", replicas=3), service]))
    done = CliRunner().invoke(
        main,
        ["upgrade", *VERSIONS, "-f", str(file), "--region", "us-west-2", "-o", "json", "--scheduler-config", str(config)],
    )
    assert done.exit_code == 0, done.output
    causes = json.loads(done.stdout)["fleet"]["causes"]
    assert {cause["statements"] for caused in causes for cause in caused["causes"]} == {"V15-18 to V15-24"}


# --- disruption of nodes that run


def unready(machine: list[dict]) -> list[dict]:
    """A node whose kubelet has not been heard of for two hours, with its claim."""
    node_object, claim = machine
    silent = {"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown", "lastTransitionTime": "2026-01-05T10:00:00Z"}
    return [{**node_object, "status": {**node_object["status"], "conditions": [silent]}}, claim]


@cache
def with_an_unhealthy_node() -> Upgrade:
    """Six nodes of which one is unhealthy, one costs much to disrupt, and one was never registered, with repair on."""
    objects = [node_class("default"), node_pool("general", "default")]
    for number in range(6):
        machine = node(f"n{number}", "general", "default", ZONES[number % 3])
        if number == 1:
            machine = unready(machine)
        if number == 2:
            for label in ("karpenter.sh/registered", "karpenter.sh/initialized"):
                del machine[0]["metadata"]["labels"][label]
            missing = ("Registered", "Initialized")
            machine[1]["status"]["conditions"] = [c for c in machine[1]["status"]["conditions"] if c["type"] not in missing]
        costs = {"karpenter.sh/disruption-cost": "1000000000"} if number == 3 else {}
        objects += [*machine, pod(f"p{number}", f"n{number}", "3", **costs)]
    now = datetime(2026, 1, 5, 12, tzinfo=UTC).timestamp()
    return upgraded(yaml.safe_dump_all(objects).encode(), now=now, gates=FeatureGates(node_repair=True))


# V15-42 D-35
def test_an_unhealthy_node_is_repaired_by_force_before_and_by_a_method_after():
    texts = sentences(with_an_unhealthy_node(), Subject.DISRUPTION)
    assert statements_of(texts, "next step: none -> Unhealthy: replace: nodepools=[general]: [n1]") == "V15-42 to V15-57"
    assert statements_of(texts, "repair is now a disruption method, the first of all: 1 candidate, n1") == "V15-42 to V15-57"
    by_force = "unhealthy nodes that Karpenter removes now, regardless of budgets: n1 -> none"
    assert statements_of(texts, by_force) == "V15-42 to V15-57"


# V15-39
def test_a_pod_that_says_its_cost_puts_its_node_last():
    texts = sentences(with_an_unhealthy_node(), Subject.DISRUPTION)
    assert statements_of(texts, "order of single-node consolidation from place 3 on: n3, n4, n5 -> n4, n5, n3") == "V15-39"


# V15-32 V15-33
def test_another_reason_that_blocks_a_node_names_its_statements():
    texts = sentences(with_an_unhealthy_node(), Subject.DISRUPTION)
    changed = "claim-n2: blocked, Node isn't initialized -> blocked, Node isn't initialized nor registered"
    assert "V15-32 to V15-34" in statements_of(texts, changed)


def test_the_answer_ends_with_what_differs_for_the_fleet():
    sentence, _ = verdict(with_an_unhealthy_node())
    differences = "2 nodes with another forecast, another order of disruption."
    assert sentence.endswith(f"For these manifests: the same nodes, price and pending pods, {differences}")
    assert verdict(upgraded(manifests()))[0].endswith("For these manifests nothing differs.")


@pytest.mark.parametrize("option", [["--strict"], ["--node-repair"], ["--at", "2026-01-05T12:00:00Z"]])
def test_options_of_a_fleet_need_one(option):
    """Else they would have been asked for without success."""
    done = CliRunner().invoke(main, ["upgrade", *VERSIONS, *option])
    assert done.exit_code == 2
    assert "are for manifests, and -f names none" in done.stderr


# VA15-102 VA15-114
def test_the_permission_of_a_gate_that_is_on_is_granted_first():
    """Reboots are the only thing that is called and was not."""
    change = upgraded(manifests(), gates=FeatureGates(node_repair=True, reboot_for_repair=True))
    first = [delta.text for delta in change.of(Subject.PERMISSIONS) if delta.when is When.FIRST]
    assert first
    assert all(text.startswith("grant ec2:RebootInstances on ") for text in first)
