"""GPUs that a device plugin shares: what a ConfigMap says of them, what Karpenter counts, and what helps pods that wait."""

from __future__ import annotations

import pytest

from cutlist.planning.model import Plan
from cutlist.planning.traps.shared_gpus import SHARED
from tests.unit.planning.manifests import ON_DEMAND, TYPES, plan_of, pool
from tests.unit.planning.test_remedies import requesting

A10G = f"[{ON_DEMAND}, {TYPES.format('g5.xlarge, g5.12xlarge')}]"
ONE = f"[{ON_DEMAND}, {TYPES.format('g5.xlarge, g5.2xlarge')}]"
A100 = f"[{ON_DEMAND}, {TYPES.format('p4d.24xlarge')}]"


def config(sharing: str, key: str = "any", name: str = "plugin") -> str:
    """Return a ConfigMap with a configuration of the device plugin."""
    return f"""
apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, namespace: gpu-operator}}
data:
  {key}: |-
    version: v1
    sharing: {sharing}
"""


def sliced(replicas: int, method: str = "timeSlicing", more: str = "") -> str:
    return config(f"{{{method}: {{{more}resources: [{{name: nvidia.com/gpu, replicas: {replicas}}}]}}}}")


def policy(spec: str) -> str:
    return f"apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {{name: cluster-policy}}\nspec: {{{spec}}}"


def notes(plan: Plan) -> list[str]:
    return [note.text for note in plan.warnings if note.code == SHARED]


@pytest.mark.parametrize(("method", "name"), [("timeSlicing", "time-slicing"), ("mps", "MPS")])
def test_replicas_of_gpus_are_named_because_karpenter_counts_whole_ones(method: str, name: str):
    (text,) = notes(plan_of(pool(requirements=A10G), requesting("nvidia.com/gpu: 1"), sliced(4, method)))
    assert f"ConfigMap gpu-operator/plugin makes 4 nvidia.com/gpu of each GPU ({name})" in text
    assert "so a g5.xlarge offers nvidia.com/gpu: 4; Karpenter counts nvidia.com/gpu: 1" in text


def test_pods_that_ask_for_replicas_get_the_node_overlay_that_counts_them():
    (pending,) = plan_of(pool(requirements=ONE), requesting("nvidia.com/gpu: 4"), sliced(4)).pending
    assert pending.remedy.startswith("with a NodeOverlay that counts 4 nvidia.com/gpu for each GPU, as ConfigMap")


def test_too_few_replicas_are_no_remedy():
    (pending,) = plan_of(pool(requirements=ONE), requesting("nvidia.com/gpu: 4"), sliced(2)).pending
    assert "as ConfigMap" not in pending.remedy


def test_a_renamed_resource_is_found_and_an_overlay_that_agrees_is_no_trap():
    renamed = sliced(4, more="renameByDefault: true, ")
    overlay = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: shares}
spec:
  requirements: [{key: karpenter.k8s.aws/instance-gpu-count, operator: In, values: ["1"]}]
  capacity: {nvidia.com/gpu.shared: 4}
"""
    pods = requesting("nvidia.com/gpu.shared: 1")
    (pending,) = plan_of(pool(requirements=ONE), pods, renamed).pending
    assert "counts 4 nvidia.com/gpu.shared for each GPU" in pending.remedy
    planned = plan_of(pool(requirements=ONE), pods, renamed, overlay)
    assert not planned.pending
    assert not notes(planned)


def test_without_a_configuration_sharing_is_an_alternative_where_its_plan_places_the_pods():
    (pending,) = plan_of(pool(requirements=ONE), requesting("nvidia.com/gpu: 4")).pending
    assert "request of at most 1 or, where a part of a GPU is enough for it, with 4 replicas of each" in pending.remedy
    (far,) = plan_of(pool(requirements=ONE), requesting("nvidia.com/gpu: 40")).pending
    assert "replicas" not in far.remedy


MIG = """
apiVersion: v1
kind: ConfigMap
metadata: {name: mig}
data:
  config.yaml: |
    version: v1
    mig-configs:
      slices:
      - {devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 2, "2g.10gb": 1}}
"""
LABEL = "  template:\n    metadata: {labels: {nvidia.com/mig.config: slices}}\n"
LABELLED = pool(requirements=A100).replace("  template:\n", LABEL)


def test_partitions_have_their_profiles_or_count_as_gpus():
    """By the strategy of the ClusterPolicy: mixed, or single by default. A p4d.24xlarge has eight GPUs."""
    mixed = plan_of(LABELLED, requesting("nvidia.com/mig-1g.5gb: 1"), MIG, policy("mig: {strategy: mixed}"))
    (text,) = notes(mixed)
    assert "offers nvidia.com/mig-1g.5gb: 16 and nvidia.com/mig-2g.10gb: 8" in text
    (pending,) = mixed.pending
    assert "as ConfigMap mig makes them" in pending.remedy
    alike = MIG.replace('"1g.5gb": 2, "2g.10gb": 1', '"1g.5gb": 3')
    (text,) = notes(plan_of(LABELLED, requesting("nvidia.com/gpu: 1"), alike))
    assert "offers nvidia.com/gpu: 24; Karpenter counts nvidia.com/gpu: 8" in text
    assert not notes(plan_of(pool(requirements=A100), requesting("nvidia.com/gpu: 1"), MIG))


def test_of_several_configurations_the_default_counts():
    pods = requesting("nvidia.com/gpu: 1")
    both = config("{timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}", "many", "a"), sliced(2)
    assert not notes(plan_of(pool(requirements=ONE), pods, *both))
    (text,) = notes(plan_of(pool(requirements=ONE), pods, *both, policy("devicePlugin: {config: {name: a, default: many}}")))
    assert "makes 4 nvidia.com/gpu" in text


def test_a_text_that_is_no_configuration_is_passed_over():
    broken = config("{timeSlicing: [")
    plan = plan_of(pool(requirements=ONE), requesting("nvidia.com/gpu: 1"), broken)
    assert not notes(plan)
    assert any("1 ConfigMap" in note.text for note in plan.assumptions)
