"""Every field that changes between two sides, and what it does to nodes, without any cluster."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.disruption.edits import Reach
from cutlist.planning.model.changes import Change
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.diff.objects import ObjectChange, object_changes
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool

ON_DEMAND = "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}"
ANY = "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand, spot]}"
ARM = "{key: kubernetes.io/arch, operator: In, values: [arm64]}"


def changes(old: tuple[str, ...], new: tuple[str, ...], **options: Any) -> tuple[ObjectChange, ...]:
    sides = [read_inputs(["-"], region="us-west-2", stdin="\n---\n".join(side)) for side in (old, new)]
    return object_changes(*sides, **options)


def fields(old: str, new: str, *common: str) -> dict[str, tuple[Any, Any, Reach, str]]:
    (change,) = changes((old, *common), (new, *common))
    return {field.path: (field.before, field.after, field.reach, field.rule) for field in change.fields}


def test_equal_sides_have_no_changes():
    side = (NODE_CLASS, pool(), deployment())
    assert changes(side, side) == ()


def test_a_default_that_is_written_down_is_no_change():
    """Objects of Karpenter are compared as they are stored."""
    written = pool(spec="disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 0s}")
    assert changes((NODE_CLASS, pool()), (NODE_CLASS, written)) == ()


def test_a_requirement_that_is_narrowed_drifts_nodes_and_one_that_is_widened_none():
    """D-68: widening never drifts. The path names the key."""
    narrowed = fields(pool(requirements=f"[{ANY}]"), pool(requirements=f"[{ON_DEMAND}]"), NODE_CLASS)
    path = "spec.template.spec.requirements[karpenter.sh/capacity-type].values"
    assert narrowed == {path: (["on-demand", "spot"], ["on-demand"], Reach.SOME, "RequirementsDrifted")}
    widened = fields(pool(requirements=f"[{ON_DEMAND}]"), pool(requirements=f"[{ANY}]"), NODE_CLASS)
    assert widened == {path: (["on-demand"], ["on-demand", "spot"], Reach.NONE, "")}


def test_of_two_requirements_each_is_judged_by_itself():
    """One is widened, and one is new."""
    both = fields(pool(requirements=f"[{ON_DEMAND}]"), pool(requirements=f"[{ANY}, {ARM}]"), NODE_CLASS)
    assert [reach for _, _, reach, _ in both.values()] == [Reach.NONE, Reach.SOME]


@pytest.mark.parametrize(
    ("line", "path", "reach", "rule"),
    [
        ("  weight: 7", "spec.weight", Reach.NONE, ""),
        ("  limits: {cpu: 7}", "spec.limits", Reach.NONE, ""),
        ("  disruption: {consolidateAfter: 7m}", "spec.disruption.consolidateAfter", Reach.NONE, ""),
    ],
)
def test_what_is_outside_the_template_drifts_no_node(line, path, reach, rule):
    """D-70: limits, weight and disruption are not in the hash; the change is listed anyway, with what comes of it."""
    (change,) = changes((NODE_CLASS, pool()), (NODE_CLASS, f"{pool()}\n{line}"))
    (field,) = (field for field in change.fields if field.path.startswith(path))
    assert (field.reach, field.rule) == (reach, rule)
    assert field.which


def test_a_label_of_the_template_drifts_all_nodes_by_the_hash():
    """D-69: the hash has the template's labels, whatever their names."""
    labelled = pool().replace("template:", "template:\n    metadata: {labels: {example.com/team: a}}", 1)
    path = "spec.template.metadata.labels['example.com/team']"
    assert fields(pool(), labelled, NODE_CLASS) == {path: (None, "a", Reach.ALL, "NodePoolDrifted")}


def test_a_tag_of_a_class_drifts_all_its_nodes():
    """The hash of an EC2NodeClass has its tags (spec: disruption 7.4)."""
    (field,) = fields(NODE_CLASS, f"{NODE_CLASS}\n  tags: {{team: a}}", pool()).values()
    assert field[2:] == (Reach.ALL, "NodeClassDrift")


def test_a_workload_is_listed_field_by_field_and_drifts_no_node():
    (change,) = changes((NODE_CLASS, pool(), deployment(replicas=1)), (NODE_CLASS, pool(), deployment(replicas=2, cpu="2")))
    assert (change.kind, change.name, change.reach) == ("Deployment", "web", Reach.NONE)
    reported = {field.path: (field.before, field.after, field.which) for field in change.fields}
    assert reported["spec.replicas"] == (1, 2, "")
    (requests,) = (path for path in reported if path.endswith("requests.cpu"))
    assert requests.startswith("spec.template.spec.containers[")
    assert reported[requests][2] == "its pods are recreated"


def test_objects_that_come_and_go_are_listed():
    """A NodePool that goes takes its nodes with it."""
    old, new = (NODE_CLASS, pool(), pool(name="old")), (NODE_CLASS, pool(), deployment())
    listed = {(c.kind, c.name): (c.change, c.reach) for c in changes(old, new)}
    assert listed == {
        ("NodePool", "old"): (Change.REMOVED, Reach.ALL),
        ("Deployment", "web"): (Change.ADDED, Reach.NONE),
    }


def test_secrets_are_not_shown():
    manifest = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {key: %s}"
    (change,) = changes((NODE_CLASS, pool(), manifest % "old"), (NODE_CLASS, pool(), manifest % "new"))
    (field,) = change.fields
    assert (field.path, field.before, field.after) == ("stringData.key", "(not shown)", "(not shown)")


def test_what_a_cluster_writes_is_left_out():
    """Status, owners' objects, and annotations of controllers."""
    owner = "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u}]"
    owned = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p, {owner}}}\nspec: {{containers: [{{name: a}}]}}"
    name, stamp = "metadata: {name: general", "annotations: {karpenter.sh/nodepool-hash: '7'}"
    stamped = pool().replace(name, f"{name}, {stamp}")
    assert stamped != pool()
    assert changes((NODE_CLASS, pool()), (NODE_CLASS, stamped, owned)) == ()


def test_karpenters_objects_alone():
    """A snapshot has only the fields of workloads that plans need, so they are not compared with manifests."""
    old, new = (NODE_CLASS, pool(), deployment()), (NODE_CLASS, f"{pool()}\n  weight: 7", deployment(replicas=9))
    assert [c.kind for c in changes(old, new, karpenter_alone=True)] == ["NodePool"]


CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {%s}\n"


def changed_fields(old: str, new: str) -> str:
    return str(changes((pool(), NODE_CLASS, old), (pool(), NODE_CLASS, new)))


@pytest.mark.parametrize("key", ["password", "api_token", "clientSecret"])
def test_values_under_secret_names_are_not_shown(key):
    shown = changed_fields(CONFIG % f"{key}: CANARY-1", CONFIG % f"{key}: CANARY-2")
    assert ("(not shown)" in shown, "CANARY" in shown) == (True, False)


def test_the_value_of_an_item_with_a_secret_name_is_not_shown():
    """In a list that is new as a whole, where no path has the name of the item."""
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {values: {%s}}\n"
    settings = "settings: [{name: LEVEL, value: info}, {name: DB_PASSWORD, value: CANARY-1}]"
    shown = changed_fields(release % "", release % settings)
    assert ("info" in shown, "CANARY" in shown) == (True, False)


def test_what_a_text_assigns_to_a_secret_name_is_not_shown():
    shown = changed_fields(CONFIG % "a: 'level=1'", CONFIG % "a: 'level=2 password=CANARY-1'")
    assert ("level=2 password=[secret]" in shown, "CANARY" in shown) == (True, False)


def test_user_data_is_not_shown():
    changed = NODE_CLASS.replace("spec:", "spec:\n  userData: CANARY-2", 1)
    assert "CANARY" not in str(changes((pool(), NODE_CLASS), (pool(), changed)))
