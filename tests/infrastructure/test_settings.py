"""Settings of a plan in stacks and in NodePlan: each reaches the plan, or its declaration says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pulumi
import pytest
import yaml
from click.testing import CliRunner
from pulumi_cutlist.node_plans import request as plan_request
from pulumi_cutlist.node_plans.of_cluster import ClusterOfPlan, ClusterPlanSettings, read_node_plan
from pulumi_cutlist.plan import NodePlanArgs
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.stack.settings import KEYS

from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.core.setting import Edge, Setting
from cutlist.settings.planning import PLAN, FurtherSettings, SharedSettings
from cutlist_cli import main
from tests.infrastructure.projects import record, without_cluster
from tests.settings import Reached, received, value_of

PROGRAM = """
import json, pathlib
from pulumi_cutlist.plan import NodePlan

NodePlan("nodes", {"region": "us-west-2", **json.loads(pathlib.Path("given.json").read_text())})
"""
OTHER_FORM = {"feature_gates": {"nodeClassCel": True}}
"""Values of settings that components and stacks take in another form."""
each_setting = pytest.mark.parametrize("setting", PLAN, ids=lambda setting: setting.name)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the reading of a plan's inputs is asked for."""
    kept: dict[str, Any] = {}

    def read(_sources: object, **settings: Any) -> None:
        kept.update(settings)
        raise Reached

    monkeypatch.setattr(plan_request, "read_inputs", read)
    return kept


def reached(asked: dict[str, Any], setting: Setting) -> bool:
    """Tell whether the value of a setting is among what was asked."""
    if setting.name in OTHER_FORM:
        return asked["figures"]["controller"]["awsFeatureGates"] in ({"NodeClassCEL": True}, {"nodeClassCel": True})
    return received(asked.get(setting.name)) == value_of(setting)


@each_setting
def test_in_a_node_plan(setting: Setting, asked: dict[str, Any], tmp_path: Path) -> None:
    assert setting.counts(Edge.COMPONENT)
    (tmp_path / "__main__.py").write_text(PROGRAM)
    value = {"node_class_cel": True} if setting.name in OTHER_FORM else value_of(setting)
    (tmp_path / "given.json").write_text(json.dumps({(setting.input or setting.name): value}))
    with pytest.raises(Reached):
        Program(tmp_path, tmp_path, "shop", "dev").run(Mode.PREVIEW)
    assert reached(asked, setting)


@each_setting
def test_in_a_stack(setting: Setting, asked: dict[str, Any], tmp_path: Path) -> None:
    key = setting.spelled(Edge.STACK)
    assert (key in KEYS) == setting.counts(Edge.STACK)
    if not setting.counts(Edge.STACK):
        return
    root = without_cluster(tmp_path)
    file = root / "stacks/Pulumi.dev.yaml"
    stack = yaml.safe_load(file.read_text())
    stack["config"][f"cutlist:{key}"] = OTHER_FORM.get(setting.name, value_of(setting))
    file.write_text(yaml.safe_dump(stack))
    with pytest.raises((Reached, pulumi.RunError)):
        record(root, "dev", Mode.PREVIEW)
    assert reached(asked, setting)


@each_setting
def test_in_the_node_plan_of_a_cluster(setting: Setting, asked: dict[str, Any]) -> None:
    """The cluster decides it, or `node_plan` takes it, never both."""
    cluster = ClusterOfPlan("us-west-2", karpenter=DEFAULT)
    is_taken = setting.name in ClusterPlanSettings.__annotations__
    assert is_taken != (setting.name in {*cluster.settings, *OTHER_FORM})
    if is_taken:
        with pytest.raises(Reached):
            read_node_plan(cluster, ["app.yaml"], cast("ClusterPlanSettings", {setting.name: value_of(setting)}))
        assert reached(asked, setting)


def test_inputs_of_a_node_plan_have_forms_that_the_component_host_knows() -> None:
    """It takes lists and texts, where functions take any sequence and path."""
    for inputs, inherited in ((NodePlanArgs, SharedSettings), (ClusterPlanSettings, FurtherSettings)):
        for name in inherited.__annotations__:
            assert inputs.__annotations__[name] in (bool, int, float, str, list[str])


SPREAD = """
podTopologySpread:
  defaultConstraints:
  - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
"""
APP = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 6
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: w, image: nginx, resources: {requests: {cpu: "1", memory: 1Gi}}}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
"""
POOLS = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  limits: {cpu: 500, memory: 1000Gi}
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: node.kubernetes.io/instance-type, operator: In, values: [m7g.4xlarge]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260625}]
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{tags: {a: b}}]
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with a NodePlan, and default spread constraints beside it."""
    for name, text in {"sched.yaml": SPREAD, "app.yaml": APP, "pools.yaml": POOLS, "__main__.py": PROGRAM}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def totals(folder: Path, **given: object) -> dict[str, Any]:
    (folder / "given.json").write_text(json.dumps({"sources": ["pools.yaml", "app.yaml"], **given}))
    [node_plan] = Program(folder, folder, "shop", "dev").run(Mode.PREVIEW).of_type("cutlist:index:NodePlan")
    return node_plan.inputs["totals"]


def test_a_node_plan_answers_what_the_command_answers(shop: Path) -> None:
    """Default spread constraints spread six pods over four zones, in a stack as on the command line."""
    words = ["plan", "-f", "pools.yaml", "-f", "app.yaml", "--region", "us-west-2", "--scheduler-config", "sched.yaml"]
    command = json.loads(CliRunner().invoke(main, [*words, "-o", "json"]).stdout)["totals"]
    stack = totals(shop, scheduler_config="sched.yaml")
    assert (command["nodes"], stack["nodes"]) == (4, 4)
    assert stack["pricePerMonth"] == command["pricePerMonth"] > totals(shop)["pricePerMonth"]


def test_a_node_plan_names_its_inputs_in_mistakes(shop: Path) -> None:
    """As the program spells them, which is in Python; and no option of the command line."""
    with pytest.raises(InputError) as error:
        totals(shop, scheduler_config="sched.yaml", karpenter_version="1.14")
    assert str(error.value) == "scheduler_config: Karpenter 1.14.1 has no --scheduler-config; allowed: Karpenter 1.15"


def test_a_stack_names_the_place_in_its_file(tmp_path: Path) -> None:
    root = without_cluster(tmp_path)
    file = root / "stacks/Pulumi.dev.yaml"
    (root / "sched.yaml").write_text(SPREAD)
    extra = "config:\n  cutlist:schedulerConfig: sched.yaml\n  cutlist:karpenterVersion: '1.14'\n"
    file.write_text(file.read_text().replace("config:\n", extra, 1))
    with pytest.raises(
        pulumi.RunError, match=r"Pulumi\.dev\.yaml:\d+ config\.cutlist:schedulerConfig: Karpenter 1\.14\.1 has no"
    ):
        record(root, "dev", Mode.PREVIEW)
