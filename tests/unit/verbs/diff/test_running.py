"""Why the nodes of two clusters cost differently: pods, NodePools, other nodes, and what no edit explains."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cutlist import read_inputs
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.diff.answer import Difference, diff_paths
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.text import render_diff
from tests.examples import examples
from tests.sample import POOLS, SNAPSHOT

Manifest = dict[str, Any]
SAMPLE: Final = [*yaml.safe_load_all(POOLS.read_text()), *yaml.safe_load_all(SNAPSHOT.read_text())]


def cluster() -> list[Manifest]:
    """Return the objects of the sample's cluster, which a test may change."""
    return copy.deepcopy(SAMPLE)


def named(objects: Sequence[Manifest], kind: str, name: str) -> Manifest:
    return next(o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name)


def another(pod: Mapping[str, Any], name: str, node: str = "") -> Manifest:
    """Return a further pod of the same workload."""
    further = copy.deepcopy({**pod})
    further["metadata"]["name"] = name
    further["spec"]["nodeName"] = node or pod["spec"]["nodeName"]
    return further


def difference(folder: Path, before: Sequence[Manifest], after: Sequence[Manifest]) -> Difference:
    """Return the difference between two clusters, whose parts add up."""
    paths = [folder / "monday.yaml", folder / "friday.yaml"]
    for path, objects in zip(paths, (before, after), strict=True):
        path.write_text(yaml.safe_dump_all(objects))

    def read(files: Sequence[str], nodes: Sequence[str], removed: frozenset[str]) -> PlanInputs:
        return read_inputs(files, cluster=nodes, removed_pools=removed, region="us-west-2", allow_empty=True)

    found = diff_paths(*map(str, paths), (), read)
    assert add_up(found)
    return found


def add_up(found: Difference) -> bool:
    """Tell whether the parts of a difference add up to it."""
    if found.because is None:
        return True
    rows = (*(row.part for row in found.because.edits), found.because.together, found.because.repacked)
    return sum(part or 0 for part in rows) == found.month.difference


def parts(found: Difference) -> dict[str, int | None]:
    assert found.because is not None
    return {edit_sentence(row.edit): row.part for row in found.because.edits}


def test_pods_that_a_workload_has_more_of_have_a_part(tmp_path):
    """Their nodes are those that were there; what these cost beyond the pods' own is the part of no edit."""
    after = cluster()
    after += [another(named(after, "Pod", "checkout-4"), f"more-{n}") for n in range(4)]
    found = difference(tmp_path, cluster(), after)
    assert found.month.difference == 0
    ((sentence, part),) = parts(found).items()
    assert sentence == "shop/replicaset/checkout: pods 4 to 8"
    assert part == -found.because.repacked > 0
    assert "no edit: the nodes are closer to those that their pods would get if placed again than before" in " ".join(
        render_diff(found).split()
    )


def test_a_node_pool_and_the_requests_of_pods_have_their_parts(tmp_path):
    """So does a node that is no longer there, as part of no edit."""
    after = [o for o in cluster() if o["metadata"]["name"] not in ("ip-10-0-3-31", "general-3x31")]
    named(after, "Pod", "cache-6")["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "12", "memory": "4Gi"}
    requirements = named(after, "NodePool", "general")["spec"]["template"]["spec"]["requirements"]
    requirements[0]["values"] = ["r"]
    found = parts(difference(tmp_path, cluster(), after))
    assert set(found) == {
        "shop/replicaset/cache: requests.cpu 1 to 12",
        "NodePool general: requirement karpenter.k8s.aws/instance-category c, m, r to r",
    }
    assert all(part > 0 for part in found.values())


@pytest.mark.parametrize("field", ["nodeSelector", "priorityClassName"])
def test_what_places_a_pod_is_an_edit_and_nothing_else_is(tmp_path, field):
    """Where it may run is; other names and another hash of the same template are not."""
    before, after = cluster(), cluster()
    for objects in (before, after):
        named(objects, "Pod", "batch-5")["metadata"]["labels"]["pod-template-hash"] = "5d4f8c7b9d"
    pod = named(after, "Pod", "batch-5")
    pod["metadata"] |= {"name": "batch-9", "labels": {"app": "batch", "pod-template-hash": "6b7f5c9d4f"}}
    assert difference(tmp_path, before, after).because is None
    pod["spec"][field] = {"kubernetes.io/os": "linux"} if field == "nodeSelector" else "high"
    found = difference(tmp_path, before, after).because
    placed = [] if found is None else [edit_sentence(row.edit) for row in found.edits]
    wanted = ["shop/replicaset/batch: nodeSelector.kubernetes.io/os linux added"]
    assert placed == (wanted if field == "nodeSelector" else [])


def test_nodes_that_karpenter_does_not_manage_are_one_edit(tmp_path):
    """They take pods, so that fewer nodes would be launched for all pods."""
    other = copy.deepcopy(named(SAMPLE, "Node", "ip-10-0-1-11"))
    other["metadata"] |= {"name": "fixed", "uid": "fixed"}
    other["metadata"]["labels"] = {
        key: value for key, value in other["metadata"]["labels"].items() if not key.startswith("karpenter.sh/")
    } | {"kubernetes.io/hostname": "fixed"}
    other["spec"]["providerID"] = "aws:///us-west-2a/i-fixed"
    found = difference(tmp_path, cluster(), [*cluster(), other])
    assert found.month.difference == 0
    ((sentence, part),) = parts(found).items()
    assert sentence == "nodes that Karpenter does not manage 0 to 1"
    assert part < 0 < found.because.repacked


def test_the_object_of_a_workload_is_one_edit_with_its_pods(tmp_path):
    """A Deployment's replicas are the pods that its ReplicaSet runs."""
    owned, before, after = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": True}, cluster(), cluster()
    for objects, count in ((before, 1), (after, 6)):
        pod = named(objects, "Pod", "batch-5")
        pod["metadata"]["labels"]["pod-template-hash"] = "5d4f8c7b9d"
        pod["metadata"]["ownerReferences"] = [{**owned, "name": "batch-5d4f8c7b9d"}]
        template = {"metadata": {"labels": {"app": "batch"}}, "spec": {"containers": pod["spec"]["containers"]}}
        spec = {"replicas": count, "selector": {"matchLabels": {"app": "batch"}}, "template": template}
        metadata = {"name": "batch", "namespace": "shop"}
        objects.append({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec})
        objects += [another(pod, f"batch-6{n}") for n in range(1, count)]
    found = parts(difference(tmp_path, before, after))
    assert list(found) == ["shop/deployment/batch: replicas 1 to 6, pods 1 to 6"]
    assert all(part > 0 for part in found.values())


PODS = st.lists(
    st.tuples(st.sampled_from(["checkout-1", "batch-5", "cache-6"]), st.sampled_from(["ip-10-0-1-12", "ip-10-0-2-21"])),
    max_size=4,
)


@examples(0.05)
@given(PODS, PODS, st.sampled_from([["c", "m", "r"], ["m"]]))
def test_the_parts_of_any_two_clusters_add_up_to_the_cent(tmp_path_factory, old, new, categories):
    sides = []
    for more in (old, new):
        side = cluster()
        side += [another(named(side, "Pod", name), f"more-{n}", node) for n, (name, node) in enumerate(more)]
        sides.append(side)
    requirements = named(sides[1], "NodePool", "general")["spec"]["template"]["spec"]["requirements"]
    requirements[0]["values"] = categories
    assert add_up(difference(tmp_path_factory.mktemp("clusters"), *sides))
