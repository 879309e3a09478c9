"""Why the price of a plan differs: edits of real inputs, each with its part, and the parts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cutlist import plan, read_inputs
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.diff.answer import Difference, diff, diff_paths
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.edits import Edits
from cutlist.verbs.diff.objects import object_changes
from tests.examples import examples
from tests.sample import POOLS, SNAPSHOT

REGION: Final = "us-west-2"
ARM: Final = {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}
SPOT: Final = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]}
ONLY: Final = {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": ["m5", "m6i", "c6i"]}
CLASS: Final = next(o for o in yaml.safe_load_all(POOLS.read_text()) if o["kind"] == "EC2NodeClass")


def pool(name: str = "general", *requirements: Mapping[str, Any], cpu: int = 1000, **spec: Any) -> dict[str, Any]:
    """Return a NodePool of few types, which are planned quickly."""
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": spec.pop("of", "default")}
    template = {"spec": {"nodeClassRef": reference, "requirements": [ONLY, *(requirements or (SPOT,))]}}
    metadata = {"name": name}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": metadata,
        "spec": {"template": template, "limits": {"cpu": cpu}, **spec},
    }


def deployment(name: str, replicas: int, cpu: str = "500m", image: str = "a", **requests: str) -> dict[str, Any]:
    """Return a Deployment of one container."""
    container = {"name": "app", "image": image, "resources": {"requests": {"cpu": cpu, "memory": "1Gi", **requests}}}
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


def inputs(*objects: Mapping[str, Any], **settings: Any) -> PlanInputs:
    """Return the inputs of a plan of these objects beside the node class."""
    return read_inputs((), manifests=[CLASS, *objects], region=REGION, allow_empty=True, **settings)


def difference(before: PlanInputs, after: PlanInputs) -> Difference:
    """Return the difference, whose parts add up."""
    found = diff(before, after)
    assert sums_of_rows(found) == month_of(found)
    return found


def month_of(found: Difference) -> Mapping[str, int | None]:
    """Return what all nodes cost, with the difference once for the edits and once for the NodePools."""
    month = found.month
    return {"edits": month.difference, "pools": month.difference, "before": month.before, "after": month.after}


def sums_of_rows(found: Difference) -> Mapping[str, int]:
    """Return the sums of the parts of edits and of the rows of NodePools."""
    because, pools = found.because, found.node_pools
    parts_of_edits = () if because is None else (*(row.part for row in because.edits), because.together, because.repacked)
    return {
        "edits": sum(part or 0 for part in parts_of_edits),
        "pools": sum(row.difference or 0 for row in pools),
        "before": sum(row.before or 0 for row in pools),
        "after": sum(row.after or 0 for row in pools),
    }


def parts(before: PlanInputs, after: PlanInputs) -> dict[str, int | None]:
    """Return the parts of edits by their sentences."""
    because = difference(before, after).because
    assert because is not None
    return {edit_sentence(row.edit): row.part for row in because.edits}


WEB, API = deployment("web", 6), deployment("api", 6)


def test_one_edit_has_the_whole_difference():
    found = difference(inputs(pool(), WEB), inputs(pool(), deployment("web", 12)))
    assert found.because is not None
    ((row,), month) = found.because.edits, found.month
    assert edit_sentence(row.edit) == "deployment/web: replicas 6 to 12"
    assert row.part == month.difference
    assert month.difference > 0
    assert found.because.planned == 0


def test_each_edit_has_its_own_part():
    """One that makes nodes cheaper and one that needs more of them."""
    found = parts(inputs(pool(), WEB, API), inputs(pool(), deployment("web", 60), deployment("api", 1)))
    assert list(found) == ["deployment/web: replicas 6 to 60", "deployment/api: replicas 6 to 1"]
    assert found["deployment/web: replicas 6 to 60"] > 0 > found["deployment/api: replicas 6 to 1"]


def test_two_fields_of_one_object_are_two_edits_and_a_requirement_is_one():
    before = inputs(pool(cpu=10), deployment("web", 30))
    after = inputs(pool("general", {**SPOT, "operator": "NotIn", "values": ["spot"]}, cpu=20), deployment("web", 30))
    assert set(parts(before, after)) == {
        "NodePool general: limits.cpu 10 to 20",
        "NodePool general: requirement karpenter.sh/capacity-type operator In to NotIn, "
        "requirement karpenter.sh/capacity-type spot, on-demand to spot",
    }


def test_fields_that_are_not_valid_without_each_other_are_one_edit():
    """More than the limit allows no API server accepts."""
    limited = deployment("web", 6, cpu="500m")
    limited["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "500m"}
    more = deployment("web", 6, cpu="2")
    more["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "2"}
    (sentence,) = parts(inputs(pool(), limited), inputs(pool(), more))
    assert "containers[app].resources.limits.cpu 500m to 2" in sentence
    assert "containers[app].resources.requests.cpu 500m to 2" in sentence


def test_what_no_plan_depends_on_has_no_part_and_costs_no_plan():
    """Another image, and an object that places no pods."""
    settings = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"a": "b"}}
    found = difference(inputs(pool(), WEB), inputs(pool(), deployment("web", 12, image="b"), settings)).because
    assert found is not None
    assert [(row.part or 0) > 0 for row in found.edits] == [True, False, False]
    assert found.planned == 0


def test_an_object_that_needs_another_one_shares_its_part_with_it():
    """A NodePool without its class is no NodePool, and a class alone launches nothing."""
    other = {**CLASS, "metadata": {"name": "other"}}
    web = inputs(deployment("web", 6))
    found = parts(web, inputs(pool(of="other"), other, deployment("web", 6)))
    assert found["NodePool general added"] > 0
    assert abs(found["NodePool general added"] - found["EC2NodeClass other added"]) <= 1


def test_the_release_of_karpenter_is_an_edit():
    found = parts(inputs(pool(), WEB, karpenter="1.14"), inputs(pool(), deployment("web", 12), karpenter="1.15"))
    assert [name for name in found if name.startswith("Karpenter 1.14")]
    assert found["deployment/web: replicas 6 to 12"] > 0


def test_the_zones_are_an_edit():
    found = parts(inputs(pool(), WEB), inputs(pool(), WEB, zones=["us-west-2a"]))
    assert list(found) == ["zone us-west-2a added"]


def test_with_many_edits_each_is_looked_at_alone_and_a_row_has_the_rest():
    """The one of what they do together."""
    names = [f"web-{n}" for n in range(7)]
    before = inputs(pool(), *(deployment(name, 3) for name in names))
    after = inputs(pool(), *(deployment(name, 4 + n) for n, name in enumerate(names)))
    found = difference(before, after).because
    assert found is not None
    assert not found.is_exact
    assert found.together is not None
    assert not any(row.is_averaged for row in found.edits)
    assert found.planned <= 30


def test_of_many_edits_those_that_need_each_other_share_what_they_do():
    """A limit and the pods that it held back, beside workloads of another NodePool whose pods fill a node each."""
    first, names = {"example.com/a": "x"}, [f"small-{n}" for n in range(5)]

    def side(limit: int, big: int, small: int) -> PlanInputs:
        held, free = pool("held", cpu=limit), pool("free")
        held["spec"]["template"]["metadata"] = {"labels": first}
        free["spec"]["template"]["metadata"] = {"labels": {"example.com/a": "y"}}
        workloads = [
            deployment("big", big, cpu="3"),
            *(deployment(name, 1, cpu=f"{small + n}") for n, name in enumerate(names)),
        ]
        for workload in workloads:
            chosen = first if workload["metadata"]["name"] == "big" else {"example.com/a": "y"}
            workload["spec"]["template"]["spec"]["nodeSelector"] = chosen
        return inputs(held, free, *workloads)

    found = difference(side(4, 1, 1), side(400, 90, 2)).because
    assert found is not None
    averaged = {edit_sentence(row.edit): row.part for row in found.edits if row.is_averaged}
    assert {"NodePool held: limits.cpu 4 to 400", "deployment/big: replicas 1 to 90"} <= set(averaged)
    assert min(averaged[name] or 0 for name in averaged if "held" in name or "big" in name) > 10_000


def test_fields_of_an_object_that_do_nothing_without_each_other_are_one_edit():
    """A Job runs as many pods at once as it has parallelism, and no more than it has completions."""

    def job(pods: int) -> dict[str, Any]:
        template = {"spec": {"restartPolicy": "Never", **deployment("train", 1, cpu="3")["spec"]["template"]["spec"]}}
        spec = {"parallelism": pods, "completions": pods, "template": template}
        return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec}

    found = parts(inputs(pool(), job(2), WEB), inputs(pool(), job(9), deployment("web", 8)))
    assert set(found) == {"job/train: completions 2 to 9, parallelism 2 to 9", "deployment/web: replicas 6 to 8"}


def test_the_inputs_of_all_edits_are_those_of_the_later_side():
    """And those of none plan as the earlier side does."""
    before = inputs(pool(cpu=10), WEB, API)
    after = inputs(pool("general", SPOT, cpu=20), pool("second", ARM), deployment("web", 9), deployment("new", 2))
    edits = Edits.between(before, after, object_changes(before, after))
    everything = frozenset(range(len(edits.all)))
    for chosen, side in ((frozenset[int](), before), (everything, after)):
        assert plan(edits.inputs(chosen)).nodes == plan(side).nodes


WORKLOADS = st.lists(
    st.builds(deployment, st.sampled_from(["a", "b", "c"]), st.integers(0, 40), st.sampled_from(["250m", "1", "3"])),
    min_size=1,
    max_size=3,
    unique_by=lambda o: o["metadata"]["name"],
)
NODE_POOLS = st.lists(
    st.builds(
        lambda name, cpu, requirement, weight: pool(name, requirement, cpu=cpu, weight=weight),
        st.sampled_from(["general", "second"]),
        st.sampled_from([8, 64, 1000]),
        st.sampled_from([SPOT, {**SPOT, "values": ["on-demand"]}, {**SPOT, "values": ["spot"]}]),
        st.sampled_from([1, 10]),
    ),
    min_size=1,
    max_size=2,
    unique_by=lambda o: o["metadata"]["name"],
)
SIDES = st.builds(lambda pools, workloads: [*pools, *workloads], NODE_POOLS, WORKLOADS)


@pytest.mark.slow
@examples(0.1)
@given(SIDES, SIDES)
def test_the_parts_of_any_change_add_up_to_the_cent(old: Sequence[Any], new: Sequence[Any]):
    """So do the rows of the NodePools, before and after."""
    found = diff(inputs(*old), inputs(*new))
    assert sums_of_rows(found) == month_of(found)


# --- a cluster, and a proposal for it


def proposal(folder: Path, before: Sequence[Any], after: Sequence[Any]) -> Difference:
    """Return the difference between a cluster with four nodes and a proposal."""
    cluster, proposed = folder / "cluster.yaml", folder / "proposal.yaml"
    running = list(yaml.safe_load_all(SNAPSHOT.read_text()))
    cluster.write_text(yaml.safe_dump_all([CLASS, *before, *running]))
    proposed.write_text(yaml.safe_dump_all([CLASS, *after]))

    def read(files: Sequence[str], nodes: Sequence[str], removed: frozenset[str]) -> PlanInputs:
        return read_inputs(files, cluster=nodes, removed_pools=removed, region=REGION, allow_empty=True)

    return diff_paths(str(cluster), str(proposed), (), read)


def test_a_proposal_for_a_cluster_has_a_part_for_each_edit_and_one_for_packing_again(tmp_path):
    found = proposal(tmp_path, [pool()], [pool("general", {**SPOT, "values": ["on-demand"]})])
    assert sums_of_rows(found) == month_of(found)
    assert found.because is not None
    assert found.because.planned == 1  # that of the same pods on the cluster's own objects
    ((row,), repacked) = found.because.edits, found.because.repacked
    assert edit_sentence(row.edit) == "NodePool general: requirement karpenter.sh/capacity-type spot, on-demand to on-demand"
    assert row.part > 0 > repacked


def test_a_proposal_that_changes_nothing_still_packs_again(tmp_path):
    found = proposal(tmp_path, [pool()], [pool()])
    assert found.because is not None
    assert found.because.edits == ()
    assert found.because.repacked == found.month.difference < 0
    assert sums_of_rows(found) == month_of(found)


def test_workloads_that_a_snapshot_shortens_are_no_edits_of_a_proposal(tmp_path):
    """Only what has a part in the price is named of them."""
    before, after = deployment("web", 0), deployment("web", 0, image="b")
    found = proposal(tmp_path, [pool(), before], [pool(cpu=2000), after])
    assert found.because is not None
    assert [edit_sentence(row.edit) for row in found.because.edits] == ["NodePool general: limits.cpu 1000 to 2000"]


@pytest.mark.slow
@examples(0.05)
@given(SIDES, SIDES)
def test_the_parts_of_any_proposal_add_up_to_the_cent(tmp_path_factory, old: Sequence[Any], new: Sequence[Any]):
    """Of whatever the cluster and the proposal have."""
    found = proposal(tmp_path_factory.mktemp("cluster"), old, new)
    assert sums_of_rows(found) == month_of(found)
