"""Plans and states of OpenTofu become objects of Kubernetes that know the address of their resource."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.document import Document
from cutlist.documents.parsing import parse_documents
from tests.unit.opentofu.plans import DEPLOYMENT, NODE_CLASS, NODE_POOL, WHOLE, change, kubectl, kubernetes, plan


def read(text: str) -> tuple[tuple[Document, ...], list[str]]:
    """Return the documents of a plan, and what is wrong with it."""
    problems = Problems()
    documents = parse_documents(text, "plan.json", problems)
    return documents, [str(problem) for problem in problems.ordered()]


def test_objects_are_those_of_both_providers() -> None:
    """The objects of `kubernetes_manifest` and `kubectl_manifest` are read, each with its address."""
    documents, problems = read(plan(*WHOLE))
    assert not problems
    assert [document.data for document in documents] == [NODE_POOL, NODE_CLASS, DEPLOYMENT]
    assert str(documents[0].at("spec.limits")) == "plan.json module.karpenter.kubectl_manifest.node_pool spec.limits"
    assert str(documents[2].place.at("spec")) == 'plan.json kubernetes_manifest.app["web"] spec'


def test_what_an_apply_leaves_counts() -> None:
    """What is deleted, forgotten, deposed or data is not there; what is replaced, updated or unchanged is."""
    kept = [("no-op",), ("update",), ("delete", "create"), ("create", "delete")]
    changes = [kubectl(f"kubectl_manifest.k{i}", NODE_POOL, actions=actions) for i, actions in enumerate(kept)]
    away = [change("kubectl_manifest.a", None, actions=("delete",)), change("kubectl_manifest.b", None, actions=("forget",))]
    away += [
        kubectl("kubectl_manifest.c", NODE_POOL, deposed="aa"),
        {**kubectl("kubectl_manifest.d", NODE_POOL), "mode": "data"},
    ]
    documents, problems = read(plan(*changes, *away))
    assert not problems
    assert [d.origin.address for d in documents if d.origin] == [f"kubectl_manifest.k{i}" for i in range(len(kept))]


def test_a_state_is_read_with_its_modules() -> None:
    """A state has the resources of all modules below `values`."""
    resource = {"address": "module.a.module.b.kubernetes_manifest.p", "mode": "managed", "type": "kubernetes_manifest"}
    inner = {"resources": [{**resource, "values": {"manifest": NODE_POOL}, "sensitive_values": {}}]}
    root = {"child_modules": [{"address": "module.a", "child_modules": [{"address": "module.a.module.b", **inner}]}]}
    documents, problems = read(json.dumps({"format_version": "1.0", "values": {"root_module": root}}))
    assert not problems
    assert [str(document.place) for document in documents] == ["plan.json module.a.module.b.kubernetes_manifest.p"]


def test_unknown_values_are_marked() -> None:
    """What a plan of nodes does not depend on has a stand-in; everything else that is unknown is named."""
    mask = {"spec": {"role": True, "subnetSelectorTerms": [{"id": True}], "userData": True}}
    manifest = {**NODE_CLASS, "spec": {**NODE_CLASS["spec"], "role": None, "subnetSelectorTerms": [{}], "userData": None}}
    (document,), problems = read(plan(kubernetes("kubernetes_manifest.c", manifest, mask)))
    assert not problems
    assert document.origin is not None
    assert document.origin.values["spec"]["role"] is UNKNOWN
    assert document.data["spec"]["role"] == "known-after-apply"
    assert document.data["spec"]["subnetSelectorTerms"] == [{"id": "subnet-0"}]
    assert document.origin.unknown == ("spec.userData",)


def test_an_unknown_text_is_an_unknown_object() -> None:
    """Nobody knows which object an unknown text has."""
    (document,), problems = read(plan(change("kubectl_manifest.x", {}, {"yaml_body": True}, {"yaml_body": True})))
    assert not problems
    assert document.origin is not None
    assert (document.kind, document.origin.unknown) == ("kubectl_manifest", ("yaml_body",))


def test_what_kubectl_repeats_is_not_secret() -> None:
    """The whole text is marked, always; what `sensitive_fields` hides is missing in the text that is repeated."""
    after = {
        "yaml_body": "kind: Secret\napiVersion: v1\nmetadata: {name: open}\ndata: {a: aGlkZGVu}",
        "yaml_body_parsed": "kind: Secret\napiVersion: v1\nmetadata: {name: open}\ndata: (sensitive value)",
    }
    (document,), _ = read(plan(change("kubectl_manifest.x", after, {}, {"yaml_body": True})))
    assert document.origin is not None
    assert document.origin.secrets == {"aGlkZGVu"}
    del after["yaml_body_parsed"]
    (document,), _ = read(plan(change("kubectl_manifest.x", after, {}, {"yaml_body": True})))
    assert document.origin is not None
    assert document.origin.secrets == {"aGlkZGVu", "open"}


def test_references_pass_variables_and_outputs() -> None:
    """A reference is followed through outputs of modules and variables, whatever the key of the instance."""
    queue = {"address": "aws_sqs_queue.this", "expressions": {"name": {"constant_value": "q"}}}
    output = {"expression": {"references": ["aws_sqs_queue.this[0].arn", "aws_sqs_queue.this[0]", "aws_sqs_queue.this"]}}
    target = {"address": "aws_cloudwatch_event_target.t", "expressions": {"arn": {"references": ["var.queue"]}}}
    root = {
        "module_calls": {
            "queue": {"module": {"resources": [queue], "outputs": {"arn": output}}},
            "rules": {
                "module": {"resources": [target]},
                "expressions": {"queue": {"references": ["module.queue.arn", "module.queue"]}},
            },
        }
    }
    address = 'module.rules["a.b"].aws_cloudwatch_event_target.t["x]y"]'
    documents, _ = read(plan(change(address, {}, {"arn": True, "id": True}), configuration=root))
    origin = documents[0].origin
    assert origin is not None
    assert origin.references == {"arn": ("module.queue.aws_sqs_queue.this",)}
    assert origin.urn == "module.rules.aws_cloudwatch_event_target.t"
    assert origin.values == {"arn": UNKNOWN}  # nobody wrote the id: only the provider fills it in


@pytest.mark.parametrize(
    ("actions", "values"),
    [
        (["update"], {"name": "nodes", "ingress": UNKNOWN}),
        (["create"], {"name": "nodes"}),
        (["delete", "create"], {"name": "nodes"}),
    ],
    ids=" and ".join,
)
def test_a_block_that_an_update_does_not_keep_is_a_dynamic_one(actions: list[str], values: dict[str, Any]) -> None:
    """The provider fills in the rules of a security group; only where it has them already is an unknown one somebody's."""
    after = {"name": "nodes"}
    group = change("aws_security_group.nodes", after, {"ingress": True, "arn": True}, actions=actions)
    block = {"address": "aws_security_group.nodes", "expressions": {"name": {"constant_value": "nodes"}}}
    (document,), _ = read(plan(group, configuration={"resources": [block]}))
    assert document.origin is not None
    assert document.origin.values == values


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (plan(), "no resource is in the plan or state"),
        (plan(*WHOLE, errored=True), "its planning failed"),
        (plan(*WHOLE, deferred_changes=[{}]), "1 of its changes are deferred"),
        (plan(*WHOLE, format_version="2.0"), "has format_version 2.0, which is not known"),
        ('{"format_version": "1.0"}', "no resource is in the plan or state"),
        ('{"version": 4, "terraform_version": "1.9", "resources": []}', "allowed: what tofu show -json"),
        (plan(kubectl("kubectl_manifest.a", {"kind": 3})), "kubectl_manifest.a yaml_body: is not an object of Kubernetes"),
        (plan(kubernetes("kubernetes_manifest.a", {})), "kubernetes_manifest.a manifest: is not an object of Kubernetes"),
        (plan(change("kubectl_manifest.a", {"yaml_body": "a: ["})), "kubectl_manifest.a yaml_body"),
        (
            '{"format_version": "1.0", "planned_values": {"root_module": {"resources": [{}]}}}',
            "it has planned_values and no resource_changes",
        ),
    ],
)
def test_what_is_not_a_whole_plan_is_refused(text: str, refusal: str) -> None:
    """Each refusal names the file, and the address where there is one."""
    _, problems = read(text)
    assert any(refusal in problem and problem.startswith("plan.json") for problem in problems), problems


@pytest.mark.parametrize("broken", [None, 3, "a", [], {}, [None], {"a": None}])
def test_broken_parts_are_no_error_of_the_reader(broken: Any) -> None:
    """Whatever stands in the place of a part, the reader ends without an exception, and says so in problems of the file."""
    texts = [
        *(
            json.dumps({"format_version": "1.0", m: broken})
            for m in ("resource_changes", "configuration", "planned_values", "values")
        ),
        *(plan({**WHOLE[0], m: broken}) for m in ("change", "address", "mode")),
        *(
            plan({**WHOLE[1], "change": {**WHOLE[1]["change"], m: broken}})
            for m in ("actions", "after", "after_unknown", "after_sensitive")
        ),
    ]
    problems = [problem for text in texts for problem in read(text)[1]]
    assert problems
    assert [problem for problem in problems if not problem.startswith("plan.json")] == []
