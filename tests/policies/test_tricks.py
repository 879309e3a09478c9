"""Ways around the gates that people could try: the pack over its protocol and the gate without an engine both see them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml
from cutlist_policies.gates import gates_of
from pulumi_cutlist.day import today
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.policy_resources import recorded_resources

from cutlist.policy.gates import Verdict, judge
from tests.infrastructure.test_gate import POOL
from tests.policies.pack import running

pytestmark = pytest.mark.xdist_group("pack")

Verdicts = tuple[set[tuple[str, str]], set[tuple[str, str]]]
"""Rule and sentence of every violation, of the pack and of the gate without an engine."""
GOOD: dict[str, Any] = next(yaml.safe_load_all(POOL))
LIMITS = {
    "zero": {"cpu": "0", "memory": "400Gi"},
    "zero-as-a-number": {"cpu": 0, "memory": "400Gi"},
    "exponent": {"cpu": "1e9", "memory": "400Gi"},
    "negative": {"cpu": "-5", "memory": "400Gi"},
    "exa": {"cpu": "1E", "memory": "400Gi"},
    "thousandths": {"cpu": "10000001m", "memory": "400Gi"},
    "no-unit": {"cpu": "100", "memory": 400},
    "pebi": {"cpu": "100", "memory": "1Pi"},
    "another-resource": {"example.com/licences": 1},
    "capitals": {"CPU": 100, "Memory": "400Gi"},
    "nodes-alone": {"nodes": 10},
    "nothing": {},
}
ANCHORS = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: anchors, annotations: &none {}}
spec:
  limits: {<<: *none}
"""
TWICE = ANCHORS.replace("anchors", "twice").replace("spec:\n", "spec:\n  limits: {cpu: 1, memory: 1Gi}\n")
LISTED = f"apiVersion: v1\nkind: List\nitems:\n-{indent(ANCHORS.replace('anchors', 'in-a-text'), '  ')}"
PROGRAM = """
import json
from pathlib import Path

from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.yaml import v2

given = json.loads(Path(__file__).with_name("given.json").read_text())
for number, one in enumerate(given["objects"]):
    version, kind = one["apiVersion"], one["kind"]
    CustomResource(f"made-{number}", api_version=version, kind=kind, metadata=one["metadata"], spec=one["spec"])
v2.ConfigGroup("listed", objs=[given["listed"]])
for number, text in enumerate(given["texts"]):
    v2.ConfigGroup(f"text-{number}", yaml=text)
"""


def pool(name: str, **spec: Any) -> dict[str, Any]:
    """The good NodePool under another name, with other members of its spec."""
    made = copy.deepcopy(GOOD)
    made["metadata"]["name"] = name
    made["spec"] |= spec
    return made


def asking(name: str, requirement: int, key: str, operator: str, *values: str) -> dict[str, Any]:
    """The good NodePool with another requirement in the place of one."""
    node_pool = pool(name)
    node_pool["spec"]["template"]["spec"]["requirements"][requirement] = {
        "key": key,
        "operator": operator,
        "values": list(values),
    }
    return node_pool


def within_lists(manifest: dict[str, Any], times: int) -> dict[str, Any]:
    for _ in range(times):
        manifest = {"apiVersion": "v1", "kind": "List", "items": [manifest]}
    return manifest


def generated() -> dict[str, Any]:
    node_pool = pool("")
    node_pool["metadata"] = {"generateName": "general-"}
    return node_pool


GIVEN = {
    "objects": [
        *(pool(name, limits=limits) for name, limits in LIMITS.items()),
        asking("every-machine-but-one", 1, "kubernetes.io/arch", "NotIn", "s390x"),
        asking("system", 0, "karpenter.sh/capacity-type", "NotIn", "reserved"),
        pool("heavy", weight=101),
        pool("equal-weights", weight=0),
        {**pool("old"), "apiVersion": "karpenter.sh/v1beta1"},
        generated(),
        {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": "by-hand"}, "spec": {}},
    ],
    "listed": within_lists(pool("deep", limits={}), 20),
    "texts": [ANCHORS, LISTED, TWICE],
}
SEEN = {
    *(("NP-01", f"NodePool/{name}") for name in LIMITS),
    ("NP-13", "NodePool/every-machine-but-one"),
    ("NP-15", "NodePool/system"),
    ("OB-01", "NodePool/heavy"),
    ("NP-11", "NodePool/equal-weights"),
    ("OB-01", "NodePool/old"),
    ("OB-01", f"NodePool/made-{len(LIMITS) + 5}"),
    ("NP-17", "NodeClaim/by-hand"),
    ("NP-01", "NodePool/deep"),
    ("NP-01", "NodePool/anchors"),
    ("NP-01", "NodePool/in-a-text"),
    ("OB-02", "ConfigGroup/text-2"),
    ("GT-03", "NodePool/anchors"),
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Verdicts:
    """What both ways say of all the tricks together."""
    folder: Path = tmp_path_factory.mktemp("program")
    (folder / "given.json").write_text(json.dumps(GIVEN))
    (folder / "__main__.py").write_text(PROGRAM)
    (folder / "Pulumi.yaml").write_text("name: cutlist\nruntime: python\n")
    recording = Program(folder, folder, "cutlist", "dev").run(Mode.PREVIEW)
    report = judge(recorded_resources(recording), gates_of({}, "cutlist"), today())
    with running() as started:
        said = started.program(recording)
    offline = {(one.rule, one.sentence) for one in report.outcomes if one.verdict is Verdict.VIOLATED}
    return {(rule, sentence) for rule, sentence, _ in said.violations}, offline


def test_both_ways_see_the_same(verdicts: Verdicts):
    pack, offline = verdicts
    assert pack == offline


@pytest.mark.parametrize(("rule", "about"), sorted(SEEN), ids=lambda value: value)
def test_a_trick_is_seen(verdicts: Verdicts, rule: str, about: str):
    assert (rule, about) in {(id_, sentence.partition(":")[0]) for id_, sentence in verdicts[0]}
