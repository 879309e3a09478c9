"""Reading and judging take as long again for as many objects again; `python -m tools.benchmarks read` has the seconds.

What is compared is not time but how many functions are called, which is the same on every machine.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from cutlist.core.errors import Place
from cutlist.documents.collecting import read_documents
from cutlist.planning import document_inputs, meant_pools
from cutlist.planning.gpu_sharing import sharing
from cutlist.planning.gpu_sharing.configurations import config_texts
from cutlist.planning.passes import run_joint_passes
from cutlist.planning.read_inputs import read_inputs
from cutlist.planning.remedies import search, trial
from cutlist.policy.gates import Judgement, Report, Verdict
from cutlist.policy.gates.levels import Level
from cutlist.policy.gates.own import LIVE
from cutlist.policy.rules import Profile, Resource, Resources
from cutlist.providers.aws.provider import _types_of
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling import placement_failures
from cutlist.scheduling.claim_refusals import refusal_of
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements
from cutlist.settings.planning import PlanSettings
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.gate.answer import GateResult, default_gates, gate
from cutlist.verbs.gate.text import sections
from cutlist.verbs.nodes.answer import read_nodes
from cutlist.verbs.plan.answer import bounded_plan, plan
from cutlist.verbs.plan.further_prices import with_further_prices
from cutlist.verbs.validate.answer import validate
from tests.sample import POOLS, WORKLOADS
from tests.unit.planning.manifests import NODE_CLASS, deployment, inputs_of, pool
from tests.unit.property.planned_inputs import small_region
from tools.benchmarks.growth_calls import CommandError, calls_of, counted_calls, exponent, run
from tools.benchmarks.growth_inputs import VERBS, cases

EXAMPLE = str(POOLS), str(WORKLOADS)
TYPES = "[{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, c5, r5]}]"
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings-{}, labels: {{part: web}}}}\n"


def _in_one_file(folder: Path, objects: int) -> str:
    file = folder / f"{objects}.yaml"
    file.write_text("---\n".join(OBJECT.format(number) for number in range(objects)))
    return str(file)


def _in_many_files(folder: Path, objects: int) -> str:
    below = folder / str(objects)
    below.mkdir()
    for number in range(objects):
        (below / f"{number}.yaml").write_text(OBJECT.format(number))
    return str(below)


_LONG = {("suggest", of) for of in VERBS["suggest"].dimensions} | {("simulate", "pods"), ("simulate", "seeds")}
"""Laws whose runs take seconds."""


def _cases() -> list[Any]:
    return [pytest.param(*case, marks=pytest.mark.thorough if case in _LONG else ()) for case in cases()]


@pytest.fixture
def few_types(monkeypatch):
    """Let inputs be read with a region of few instance types: the growth is the same, and each run is short."""
    region = small_region()
    monkeypatch.setattr(document_inputs, "load_chosen", lambda *_: region)


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(("verb", "dimension"), _cases())
def test_a_command_calls_no_more_for_as_much_again(few_types, verb, dimension):
    """For sizes that double three times. The cost of a square would have an exponent of 2."""
    calls = counted_calls(verb, dimension)
    assert exponent(calls) <= 1.2, calls


@pytest.mark.parametrize(
    ("cost", "power"),
    [(lambda n: 700 + 5 * n, 1.0), (lambda n: 3 * n * n, 2.0), (lambda n: 900, 0.0), (lambda n: 80 * n**1.5, 1.5)],
)
def test_the_exponent_is_that_of_what_grows(cost, power):
    assert exponent([cost(size) for size in (100, 200, 400, 800)]) == pytest.approx(power, abs=0.01)


def test_a_command_that_answers_nothing_has_no_growth():
    with pytest.raises(CommandError, match="No such option"):
        run(["plan", "--no-such-option"])


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("written", [_in_one_file, _in_many_files])
@pytest.mark.parametrize(
    "work",
    [
        lambda path: read_documents([path]),
        lambda path: read_inputs([*EXAMPLE, path], region="us-west-2"),
        lambda path: validate([*EXAMPLE, path]),
        lambda path: gate([*EXAMPLE, path], default_gates(), date(2026, 1, 5), PlanSettings(region="us-west-2")),
    ],
    ids=["read", "inputs of a plan", "validate", "gate"],
)
def test_as_many_objects_again_are_as_many_calls_again(tmp_path, work, written):
    """From 60 objects to 120, and to 240: each step adds twice the calls of the step before."""
    few, more, most = (written(tmp_path, objects) for objects in (60, 120, 240))
    work(few)  # what is done once
    base, doubled, again = (calls_of(lambda path=path: work(path)) for path in (few, more, most))
    assert doubled - base > 0
    assert again - doubled == pytest.approx(2 * (doubled - base), rel=0.05)


@pytest.mark.thorough
def test_a_hundred_thousand_resources_of_a_type_are_put_in_order():
    """They are not copied for each one that is added: that took a minute."""
    resources = [Resource("kubernetes:v1:ConfigMap", f"settings-{n:06}", {}, Place().at) for n in range(100_000)]
    ordered = Resources.of(reversed(resources))
    assert ordered.by_type == {"kubernetes:v1:ConfigMap": tuple(resources)}


def test_sections_of_outcomes_are_as_long_as_the_outcomes():
    """Each outcome is sorted once, also where a change says a lot about its judge."""

    def report(number: int) -> Report:
        outcomes = tuple(
            Judgement(rule, "title", Level.ADVISORY, Verdict.VIOLATED, f"NodePool/{n}", Place("a.yaml"), "spec", f"found {n}")
            for n in range(number)
            for rule in (LIVE.id, "NP-04")
        )
        return Report("production", Profile.START, outcomes, number, number, 2)

    first, second, third = (calls_of(lambda n=n: list(sections(report(n)))) for n in (50, 100, 200))
    assert third - second == 2 * (second - first)


def _cluster(folder: Path, pods: int) -> str:
    """Write a cluster in which each pod runs on its own node."""
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{n}"}} for n in range(pods)]
    spec = {"containers": [{"name": "app", "resources": {"requests": {"cpu": "1"}}}]}
    running = [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"web-{n}"}, "spec": {**spec, "nodeName": f"node-{n}"}}
        for n in range(pods)
    ]
    file = folder / f"{pods}.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*nodes, *running]}))
    return str(file)


def _waiting(folder: Path, kinds: int, cpu: str = "") -> str:
    """Write Deployments of which no two are alike and none gets a node; all request as much `cpu` if it is given."""
    text = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: waiting-{0}}}
spec:
  selector: {{matchLabels: {{app: waiting-{0}}}}}
  template:
    metadata: {{labels: {{app: waiting-{0}}}}}
    spec: {{nodeSelector: {{team: team-{0}}}, containers: [{{name: a, resources: {{requests: {{cpu: {1}}}}}}}]}}
"""
    file = folder / f"waiting-{kinds}.yaml"
    file.write_text("---\n".join(text.format(number, cpu or f"1{number:03}m") for number in range(kinds)))
    return str(file)


@pytest.mark.parametrize(
    ("written", "work"),
    [
        (_cluster, lambda path: read_nodes([path])),
        (_waiting, lambda path: gate([EXAMPLE[0], path], default_gates(), date(2026, 1, 5), PlanSettings(region="us-west-2"))),
    ],
    ids=["nodes of a cluster", "gate of pending pods"],
)
def test_twice_as_many_pods_are_at_most_twice_as_many_calls(tmp_path, monkeypatch, work, written):
    """From a number of kinds on at which no trials are left for what would help."""
    monkeypatch.setattr(search, "TRIALS", 10)
    inputs = [written(tmp_path, pods) for pods in (110, 220, 440)]
    work(inputs[0])  # what is done once
    calls = [calls_of(lambda path=path: work(path)) for path in inputs]
    first, second = (after - before for before, after in pairwise(calls))
    assert 0 < second <= 2.1 * first


def test_the_requirements_of_a_node_pool_are_read_once_for_all_pods_that_wait(tmp_path, monkeypatch):
    """Each pod asks whether it names the NodePool by a label."""
    monkeypatch.setattr(search, "TRIALS", 10)
    made = []
    monkeypatch.setattr(meant_pools, "fresh_requirements", lambda *of: made.append(of) or fresh_requirements(*of))
    pending = plan(read_inputs([EXAMPLE[0], _waiting(tmp_path, 20)], region="us-west-2")).pending
    assert len(pending) == 20
    assert [pool.name for pool, _ in made] == ["general"]


def test_trials_that_differ_in_labels_alone_are_made_once(tmp_path, monkeypatch):
    """Without what they select, the pods are equal: each trial counts, and all have the result of the first."""
    made: list[object] = []
    monkeypatch.setattr(
        trial, "run_joint_passes", lambda controllers: made.append(controllers) or run_joint_passes(controllers)
    )

    def trials(kinds: int) -> tuple[int, int]:
        made.clear()
        inputs = read_inputs([EXAMPLE[0], _waiting(tmp_path, kinds, cpu="1")], region="us-west-2")
        pending = plan(inputs).pending
        assert len({pod.remedy for pod in pending}) == 1
        return len(pending), len(made)

    assert [trials(kinds) for kinds in (10, 20, 40)] == [(10, 1), (20, 1), (40, 1)]


POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {0}}}
spec:
  template:
    spec:
      nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}
      requirements: [{{key: karpenter.k8s.aws/instance-family, operator: In, values: [{1}]}}]
"""


@pytest.mark.parametrize(("pools", "tries"), [((), False), (("m5", "c5"), True)])
def test_a_gate_without_a_page_looks_for_help_only_where_a_reason_depends_on_it(tmp_path, monkeypatch, pools, tries):
    """The plan is the same but for what would help."""
    file = tmp_path / "pools.yaml"
    file.write_text("---\n".join(POOL.format(f"other-{family}", family) for family in pools) or "# none\n")
    made: list[object] = []
    paths = [EXAMPLE[0], _waiting(tmp_path, 5), *([str(file)] if pools else [])]

    def gated(*, advises: bool) -> GateResult:
        settings = PlanSettings(region="us-west-2")
        return gate(paths, default_gates(), date(2026, 1, 5), settings, advises=advises)

    (whole,) = gated(advises=True).plans
    monkeypatch.setattr(trial, "run_joint_passes", lambda of: made.append(of) or run_joint_passes(of))
    (without,) = gated(advises=False).plans
    assert all(pods.remedy for pods in whole.pending)
    assert bool(made) is tries
    assert [replace(pods, remedy="") for pods in without.pending] == [replace(pods, remedy="") for pods in whole.pending]


def test_only_a_page_of_a_gate_has_what_would_help(tmp_path, monkeypatch):
    made: list[object] = []
    monkeypatch.setattr(trial, "run_joint_passes", lambda of: made.append(of) or run_joint_passes(of))
    given = ["gate", "-f", EXAMPLE[0], "-f", _waiting(tmp_path, 5), "--region", "us-west-2"]
    for form, tries in (("text", False), ("json", False), ("markdown", False), ("html", True)):
        run([*given, "-o", form])
        assert bool(made) is tries, form
    made.clear()
    run([*given, "--also-to", f"html={tmp_path / 'gate.html'}"])
    assert made


def test_no_refusal_is_worked_out_for_a_trial(tmp_path, monkeypatch):
    """Twice as many pods that are tried together are asked why they wait as often as there are pods, not trials of them."""
    asked: list[object] = []
    monkeypatch.setattr(placement_failures, "refusal_of", lambda *of: asked.append(of) or refusal_of(*of))
    for kinds in (101, 202):
        asked.clear()
        plan(read_inputs([EXAMPLE[0], _waiting(tmp_path, kinds)], region="us-west-2"))
        assert len(asked) == kinds


def test_configurations_of_shared_gpus_are_read_as_often_for_many_node_pools(monkeypatch):
    """They are those of the whole input."""
    config = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n"
    shared = yaml.safe_dump({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": config}})
    read: list[object] = []
    monkeypatch.setattr(sharing, "config_texts", lambda documents: read.append(documents) or config_texts(documents))
    inputs = [inputs_of(shared, deployment(), *(pool(f"pool-{n}") for n in range(pools))) for pools in (1, 5)]
    times = []
    for of in inputs:
        read.clear()
        with_further_prices(plan(of), of)
        times.append(len(read))
    assert times[0] == times[1] > 0


@pytest.mark.parametrize("work", [bounded_plan, lambda inputs: explain(inputs, "deployment/web")], ids=["plan", "explain"])
def test_types_are_made_for_few_of_many_classes(monkeypatch, work):
    """Classes that differ in the number of pods or the disk are compared without their types."""
    made: list[str] = []
    plainly = InstanceType.late
    monkeypatch.setattr(InstanceType, "late", lambda name, *parts: made.append(name) or plainly(name, *parts))
    times = []
    for pools in (2, 4, 8):
        documents = [deployment()]
        for n in range(pools):
            disk = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": f"{20 + n}Gi"}}
            figures = {"kubelet": {"maxPods": 20 + n}, "blockDeviceMappings": [disk]}
            of_class = yaml.safe_load(NODE_CLASS)
            of_class["metadata"]["name"] = f"class-{pools}-{n}"
            of_class["spec"] |= figures
            own = pool(f"pool-{n:02d}", TYPES).replace("name: default", f"name: class-{pools}-{n}")
            documents += [yaml.safe_dump(of_class), own]
        _types_of.cache_clear()  # which keeps types that were made
        made.clear()
        work(inputs_of(*documents))
        times.append(len(made))
    assert 0 < times[0] == times[1] == times[2]
