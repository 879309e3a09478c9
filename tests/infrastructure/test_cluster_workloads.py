"""The node plan that a cluster's component makes by itself, and what it says of a NodePlan beside it."""

from __future__ import annotations

import contextvars
import json
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from pulumi.runtime import Settings, configure, mocks
from pulumi_cutlist.node_plans.matching import KNOWN, Known, PlanBeside, PlannedCluster, note_cluster, note_plan, twins_in
from pulumi_cutlist.node_plans.of_cluster import ClusterOfPlan, read_node_plan
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack.preview import preview

from cutlist.core.errors import InputError
from cutlist.planning.inputs import plan_inputs
from cutlist_cli import main
from tests.infrastructure import azure_stand_in
from tests.infrastructure.aws_stand_in import run
from tests.infrastructure.joined_program import NEW, OBJECTS
from tests.infrastructure.test_aks_node_provisioning import CLOSED
from tests.infrastructure.test_aks_node_provisioning import OBJECTS as OF_AKS

ROOT = Path(__file__).resolve().parents[2]
SHOP = ROOT / "examples" / "shop"
PLAN = "cutlist:index:NodePlan"
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {
        "replicas": 4,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "containers": [{"name": "web", "image": "web", "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}}]
            },
        },
    },
}
CLUSTER = """
from pulumi_cutlist.aws import AutoModeCluster, KarpenterCluster
from pulumi_cutlist.plan import NodePlan
"""


def of_karpenter(folder: Path, more: str = "", mode: Mode = Mode.PREVIEW, **given: Any) -> Recording:
    body = f"{CLUSTER}{more}\nKarpenterCluster('shop', given)\n"
    return run(folder, body, mode, given={**NEW, **OBJECTS, **given})


def plan_of(recording: Recording) -> dict[str, Any]:
    [made] = recording.of_type(PLAN)
    return made.inputs


def refused(*args: Any, **given: Any) -> dict[str, str]:
    with pytest.raises(InputError) as error:
        of_karpenter(*args, **given)
    return {str(problem.place): problem.message for problem in error.value.problems}


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_the_cluster_shows_its_nodes(tmp_path, mode):
    """A plan below the component, of its own region and NodePools; what it records of the workloads is their names."""
    recording = of_karpenter(tmp_path, mode=mode, workloads=[DEPLOYMENT])
    [cluster], [made] = recording.of_type("cutlist:index:KarpenterCluster"), recording.of_type(PLAN)
    assert (made.parent, made.name) == (cluster.urn, "shop-plan")
    assert made.inputs["region"] == "eu-west-1"
    assert made.inputs["totals"]["pods"] == 4
    assert list(made.inputs["nodePools"]) == ["general"]
    assert made.inputs["totals"]["pricePerMonth"] > 0
    assert cluster.inputs["workloads"] == ["Deployment/shop/web"]
    [log] = [log for log in recording.logs if "eu-west-1, Karpenter" in log.message]
    assert log.urn == made.urn


def test_workloads_come_from_files_folders_and_kustomizations(tmp_path):
    """A folder with a kustomization is what it renders, here in another namespace."""
    (tmp_path / "overlay").mkdir()
    (tmp_path / "overlay" / "kustomization.yaml").write_text("namespace: stage\nresources: [web.yaml]\n")
    (tmp_path / "overlay" / "web.yaml").write_text((SHOP / "workloads.yaml").read_text())
    files = [str(SHOP / "workloads.yaml"), str(tmp_path / "overlay")]
    made = plan_of(
        of_karpenter(tmp_path, workloads=files, node_plan={"kustomize": True, "replicas": ["stage/deployment/web=3"]})
    )
    assert made["totals"]["pods"] == 12 + 3 + 2


def test_the_plan_takes_the_settings_of_the_cluster(tmp_path):
    """Karpenter's version, gates and reserves, zones, subnets and the system's nodes are those of the cluster."""
    charts = {"feature_gates": {"spot_to_spot_consolidation": True}, "values": {"settings": {"vmMemoryOverheadPercent": 0.2}}}
    body = """
from pulumi_cutlist.aws.whole_cluster.karpenter_cluster_plan import plan_karpenter_cluster
inputs = plan_karpenter_cluster(given).node_plan.inputs
pulumi.export("facts", {
    "karpenter": str(inputs.options.karpenter), "zones": list(inputs.zones),
    "gates": dict(inputs.figures.controller.feature_gates),
    "overhead": inputs.figures.settings.vm_memory_overhead_percent, "groups": [group.name for group in inputs.node_groups],
    "subnets": len(inputs.figures.addresses.subnets)})
"""
    network = {"own": {"zones": ["eu-west-1a", "eu-west-1c"]}}
    given = {**NEW, **OBJECTS, "karpenter_version": "1.14.1", "charts": charts, "network": network, "workloads": [DEPLOYMENT]}
    assert run(tmp_path, body, given=given).exports["facts"] == {
        "karpenter": "1.14.1",
        "zones": ["eu-west-1a", "eu-west-1c"],
        "gates": {"SpotToSpotConsolidation": True},
        "overhead": 0.2,
        "groups": ["shop-system"],
        "subnets": 2,
    }


def test_auto_mode_plans_with_its_built_in_pools(tmp_path):
    """Those that are on, beside its own."""
    given = {**NEW, "built_in_pools": ["general-purpose"], "workloads": [DEPLOYMENT]}
    made = plan_of(run(tmp_path, f"{CLUSTER}AutoModeCluster('shop', given)\n", Mode.PREVIEW, given=given))
    assert list(made["nodePools"]) == ["general-purpose"]


def test_aks_plans_with_its_own_karpenter(tmp_path):
    """The provider of AKS is built on another Karpenter than the newest."""
    body = "from pulumi_cutlist.azure import AksNodeProvisioning\nAksNodeProvisioning('shop', args)\n"
    names = {"name": "shop", "resource_group": "shop", "location": "westeurope", "subscription": azure_stand_in.SUBSCRIPTION}
    args = {"cluster": names, "settings": CLOSED, **OF_AKS, "workloads": [DEPLOYMENT]}
    recording = azure_stand_in.run(tmp_path, body, Mode.PREVIEW, args=args)
    assert plan_of(recording)["totals"]["pods"] == 4
    assert any("in westeurope, Karpenter 1.14" in log.message for log in recording.logs)


def test_a_snapshot_has_the_objects_as_they_were(tmp_path):
    """Those of the cluster; another one, and one of another group, are not its own."""
    [pool], group = OBJECTS["node_pools"], {"apiVersion": "example.com/v1", "kind": "NodePool", "metadata": {"name": "general"}}
    old = {**pool, "spec": {**pool["spec"], "limits": {"cpu": "7"}}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"karpenter.sh/nodepool": "general"}}}
    snapshot = tmp_path / "snapshot.json"
    items = [group, old, {**old, "metadata": {"name": "other"}}, node, DEPLOYMENT]
    snapshot.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    cluster = ClusterOfPlan("eu-west-1", node_pools=OBJECTS["node_pools"], node_classes=OBJECTS["node_classes"])
    assert read_node_plan(cluster, [str(snapshot)], None).before == (old,)


def test_a_snapshot_yields_to_the_objects_of_the_program(tmp_path):
    """Its NodePools are as they were; one that the program does not have any longer is left out, and says so."""
    old = {**OBJECTS["node_pools"][0], "metadata": {"name": "old"}}
    recording = of_karpenter(tmp_path, workloads=[old, *OBJECTS["node_pools"], DEPLOYMENT])
    assert list(plan_of(recording)["nodePools"]) == ["general"]
    assert any(
        "NodePool old of manifests[0] is not one of the cluster's" in log.message.replace("\n    ", " ")
        for log in recording.logs
    )


def test_mistakes_in_workloads_are_reported_where_they_are(tmp_path):
    """Nothing is registered: neither a missing file, nor text that is no object, nor a misspelt setting."""
    assert refused(tmp_path, workloads=["missing.yaml"]) == {"missing.yaml": "cannot be read: no such file or directory"}
    spoilt = {**DEPLOYMENT, "spec": {**DEPLOYMENT["spec"], "replicas": "many"}}
    assert list(refused(tmp_path, workloads=[str(SHOP / "workloads.yaml"), spoilt])) == ["workloads[1].spec.replicas"]
    assert list(refused(tmp_path, workloads=[DEPLOYMENT], node_plan={"kustomise": True})) == ["node_plan.kustomise"]
    assert list(refused(tmp_path, workloads=[DEPLOYMENT], node_plan={"paid_as": "free"})) == ["node_plan.paid_as"]
    assert refused(tmp_path, node_plan={"kustomize": True}) == {"node_plan": "settings of a node plan without workloads"}
    assert "no workload is in the input" in next(iter(refused(tmp_path, workloads=OBJECTS["node_pools"]).values()))


def test_an_output_among_workloads_is_refused(tmp_path):
    """The plan is made before anything is known."""
    late = "given['workloads'][0]['spec']['replicas'] = pulumi.Output.from_input(3)"
    assert list(refused(tmp_path, late, workloads=[DEPLOYMENT])) == ["workloads[0].spec.replicas"]


def test_without_workloads_a_line_says_what_would_show_nodes(tmp_path):
    """Unless a NodePlan beside the cluster shows them."""
    [hint] = [log for log in of_karpenter(tmp_path).logs if "workloads" in log.message]
    assert hint.message.startswith("KarpenterCluster shop has no `workloads`")
    assert hint.severity == "info"
    plan = "NodePlan('plan', {'region': 'eu-west-1', 'manifests': [*given['node_pools'], *given['node_classes'], pod]})"
    pod = f"pod = {DEPLOYMENT!r}\n"
    assert [log for log in of_karpenter(tmp_path, pod + plan).logs if "has no `workloads`" in log.message] == []


BESIDE = {
    "region": ("'region': 'us-west-2'", {}, ("us-west-2", "eu-west-1")),
    "karpenter_version": ("'region': 'eu-west-1'", {"karpenter_version": "1.14.1"}, ("1.15.0", "1.14.1")),
    "feature_gates.NodeOverlay": (
        "'region': 'eu-west-1', 'feature_gates': {'node_overlay': True}",
        {"charts": {"feature_gates": {"node_overlay": False}}},
        ("on", "off"),
    ),
    "vmMemoryOverheadPercent": (
        "'region': 'eu-west-1'",
        {"charts": {"values": {"settings": {"vmMemoryOverheadPercent": 0.1}}}},
        ("0.075", "0.1"),
    ),
}


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("member", BESIDE)
def test_a_plan_for_another_cluster_is_a_problem(tmp_path, member, before):
    """It names both values, wherever the plan is in the program."""
    inputs, given, (planned, made) = BESIDE[member]
    plan = f"NodePlan('plan', {{{inputs}, 'manifests': [*given['node_pools'], *given['node_classes']]}})\n"
    cluster = "KarpenterCluster('shop', given)\n"
    body = CLUSTER + (plan + cluster if before else cluster + plan)
    with pytest.raises(InputError) as error:
        run(tmp_path, body, Mode.PREVIEW, given={**NEW, **OBJECTS, **given})
    [problem] = error.value.problems
    assert problem.place.path == f"NodePlan/plan {member}"
    assert (tmp_path / "__main__.py").read_text().splitlines()[problem.place.line - 1] == plan.strip()
    assert problem.message == f"the plan is for {planned}, and KarpenterCluster shop beside it has {made}"
    assert problem.allowed.startswith(made)


def test_a_plan_of_other_node_pools_is_about_another_cluster(tmp_path):
    """As is one for the second of two clusters, and one that names the minor version alone."""
    other = "other = {**given['node_pools'][0], 'metadata': {'name': 'other'}}\n"
    plan = other + "NodePlan('plan', {'region': 'us-west-2', 'manifests': [other, *given['node_classes']]})\n"
    assert of_karpenter(tmp_path, plan).of_type(PLAN)
    second = """
there = {**given, 'region': 'us-east-1', 'cluster_name': 'there', 'node_pools': [], 'node_classes': []}
objects = [*given['node_pools'], *given['node_classes']]
for region in ('eu-west-1', 'us-east-1'):
    NodePlan(region, {'region': region, 'karpenter_version': '1.14', 'manifests': objects})
KarpenterCluster('there', there)
"""
    assert len(of_karpenter(tmp_path, second, karpenter_version="1.14.1").of_type(PLAN)) == 2


PROJECT = """
import json
from pulumi_cutlist.aws import KarpenterCluster
from pulumi_cutlist.plan import NodePlan
given = json.loads('''%s''')
manifests = [*given["node_pools"], *given["node_classes"]]
NodePlan("plan", {"region": "eu-west-1", "sources": ["web.yaml"], "manifests": manifests})
KarpenterCluster("shop", {**given, "workloads": ["web.yaml"]})
"""


def test_nodes_that_two_plans_show_are_billed_once(tmp_path):
    """As `cutlist preview` runs the program: the plan of the cluster, and one beside it of the same NodePools."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "web.yaml").write_text((SHOP / "workloads.yaml").read_text())
    (tmp_path / "__main__.py").write_text(PROJECT % json.dumps({**NEW, **OBJECTS}))
    shown = preview(tmp_path, "dev")
    first, second = shown.plans
    assert first.totals.price_per_hour == pytest.approx(second.totals.price_per_hour)
    assert shown.bill.nodes_per_hour == pytest.approx(first.totals.price_per_hour)


def test_a_preview_names_each_of_several_plans_and_no_hint_beside_one(tmp_path):
    """What the program registers as plain objects has a plan of its own, so that a cluster's nodes are shown."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "web.yaml").write_text((SHOP / "workloads.yaml").read_text())
    (tmp_path / "__main__.py").write_text(PROJECT % json.dumps({**NEW, **OBJECTS}))
    command = ["preview", "--stack", "dev", "--project-dir", str(tmp_path)]
    shown = CliRunner().invoke(main, command)
    assert [line for line in shown.stdout.splitlines() if line.startswith("Nodes of")] == [
        "Nodes of plan",
        "Nodes of shop-plan",
    ]
    plain = "import json\nimport pulumi_kubernetes as k8s\nfrom pulumi_cutlist.aws import KarpenterCluster\n"
    made = f"KarpenterCluster('shop', json.loads({json.dumps({**NEW, **OBJECTS})!r}))\n"
    (tmp_path / "__main__.py").write_text(f"{plain}k8s.yaml.v2.ConfigFile('web', file='web.yaml')\n{made}")
    shown = CliRunner().invoke(main, command)
    assert "in eu-west-1, Karpenter 1.15" in " ".join(shown.stdout.split())
    assert "no `workloads`" not in shown.stdout


def test_two_components_do_not_make_one_cluster():
    """Of another account or region it is another cluster; one whose identity is not known yet is compared with none."""

    def cluster(name: str, identity: str) -> PlannedCluster:
        pools = frozenset[str]()
        return PlannedCluster(
            "KarpenterCluster", name, "eu-west-1", None, {}, pools, pools, shows_nodes=False, identity=identity
        )

    [twin] = twins_in([cluster("a", "EKS cluster x"), cluster("b", "EKS cluster y"), cluster("c", "EKS cluster x")])
    assert str(twin).startswith("KarpenterCluster/c: the EKS cluster x is that of KarpenterCluster a already")
    assert not list(twins_in([cluster("a", ""), cluster("b", "")]))


class NoAnswers(mocks.Mocks):
    """Mocks as a program's own tests have them."""

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str, dict[str, Any]]:
        """Answer nothing."""
        return args.name, {}

    def call(self, args: mocks.MockCallArgs) -> dict[str, Any]:
        """Answer nothing."""
        return {}


def test_a_programs_own_tests_are_not_one_program():
    """With mocks nothing is compared, and what another program of the process had is forgotten."""
    there = PlanBeside("plan", plan_inputs([], region="us-west-2"))
    cluster = PlannedCluster("KarpenterCluster", "shop", "eu-west-1", None, {}, frozenset(), frozenset(), shows_nodes=False)

    def noted() -> list[tuple[int, int, bool]]:
        seen = []
        for note in (lambda: note_cluster(cluster, cast("Any", None)), lambda: note_plan(there)):
            configure(Settings(project="shop", stack="dev", monitor=mocks.MockMonitor(NoAnswers()), engine=object()))
            note()
            known = cast("Known", KNOWN.get())
            seen.append((len(known.clusters), len(known.plans), known.waits))
        return seen

    assert contextvars.copy_context().run(noted) == [(1, 0, False), (0, 1, False)]
