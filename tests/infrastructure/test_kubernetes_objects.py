"""Karpenter's objects as resources: what reaches the API server, in which order, and how it is applied."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pulumi
import pytest
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError
from tests.infrastructure.unknowns import has_unknowns

TOKENS = {
    "NodePool": "kubernetes:karpenter.sh/v1:NodePool",
    "EC2NodeClass": "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
    "AutoNodeClass": "kubernetes:eks.amazonaws.com/v1:NodeClass",
    "AKSNodeClass": "kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass",
}
CHART = "kubernetes:helm.sh/v3:Release"
MANAGER, FORCE = "pulumi.com/patchFieldManager", "pulumi.com/patchForce"

PROGRAM = """
import pulumi
from pulumi_kubernetes.helm.v3 import Release

from cutlist import AKSNodeClass, AutoNodeClass, EC2NodeClass, NodePool
from pulumi_cutlist import kubernetes

chart = Release("karpenter-crd", chart="oci://public.ecr.aws/karpenter/karpenter-crd")
after_chart = pulumi.ResourceOptions(depends_on=[chart])
typed = {
    "EC2NodeClass": EC2NodeClass(name="machines", role="R", ami="al2023@v20260625", discovery="demo"),
    "AutoNodeClass": AutoNodeClass(name="machines", role="R", discovery="demo"),
    "AKSNodeClass": AKSNodeClass(name="machines", os_disk_size_gb=64),
}
groups = {"EC2NodeClass": "karpenter.k8s.aws", "AutoNodeClass": "eks.amazonaws.com", "AKSNodeClass": "karpenter.azure.com"}
for kind, one in typed.items():
    made = getattr(kubernetes, kind)(f"class-{kind}", {"manifest": one}, after_chart)
    pool = NodePool(name=f"pool-{kind.lower()}", node_class=one, requirements={"kubernetes.io/arch": ["arm64"]})
    args = {"manifest": pool, "node_class_name": made.object_name}
    kubernetes.NodePool(f"pool-{kind}", args, after_chart)
    kubernetes.NodePool(f"alone-{kind}", {"manifest": pool.manifest()}, after_chart)
"""


def run(folder: Path, program: str, mode: Mode = Mode.PREVIEW) -> Recording:
    (folder / "__main__.py").write_text(textwrap.dedent(program))
    return Program(folder, folder, "shop", "dev").run(mode)


def objects(recording: Recording) -> list[Registration]:
    return [one for token in TOKENS.values() for one in recording.of_type(token)]


@pytest.fixture(params=Mode)
def recording(request, tmp_path) -> Recording:
    return run(tmp_path, PROGRAM, request.param)


def test_nothing_unknown_reaches_an_object(recording):
    """In a preview as in an update every object is known to the last field."""
    assert len(objects(recording)) == 9
    assert [one.urn for one in objects(recording) if has_unknowns(one)] == []


def test_an_object_is_named_like_its_component(recording):
    """One object a component, with the component's name and under it."""
    for kind, token in TOKENS.items():
        components = {one.name: one.urn for one in recording.of_type(f"cutlist:index:{kind}")}
        assert components
        assert {one.name: one.parent for one in recording.of_type(token)} == components


@pytest.mark.parametrize("kind", ["EC2NodeClass", "AutoNodeClass", "AKSNodeClass"])
def test_a_class_goes_before_its_pools(recording, kind):
    """A pool that has its class's name from the component depends on the class's object; the reference is a plain name."""
    [of_class] = recording.of_type(TOKENS[kind])
    pools = {one.name: one for one in recording.of_type(TOKENS["NodePool"])}
    pool = pools[f"pool-{kind}"]
    assert of_class.urn in pool.request.dependencies
    assert pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "machines"
    assert of_class.urn not in pools[f"alone-{kind}"].request.dependencies


def test_an_edit_of_a_pool_that_waits_for_its_class_says_what_it_replaces(tmp_path, monkeypatch):
    """An engine tells how each pool was; the name of its class is not known before the class is made."""

    def of_object(edits: ObjectEdits, name: str) -> pulumi.ResourceOptions:
        if name == "pool-EC2NodeClass-NodePool":
            other = {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}
            reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "machines"}
            spec = {"template": {"spec": {"nodeClassRef": reference, "requirements": [other]}}}
            was = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "pool-ec2nodeclass"}, "spec": spec}
            edits.before[name] = was
        return pulumi.ResourceOptions()

    monkeypatch.setattr(ObjectEdits, "of_object", of_object)
    [said] = [log.message for log in run(tmp_path, PROGRAM).logs if "This replaces nodes" in log.message]
    assert "the nodes outside the new requirements of NodePool pool-ec2nodeclass drift" in said


def test_the_chart_with_the_crds_goes_before_all_objects(recording):
    """What a component depends on, its object depends on as well."""
    [chart] = recording.of_type(CHART)
    assert [one.name for one in objects(recording) if chart.urn not in one.request.dependencies] == []


def test_a_typed_object_and_its_manifest_are_the_same(recording):
    """The pool that was given typed and the one that was given as a manifest have the same spec."""
    pools = {one.name: one.inputs["spec"] for one in recording.of_type(TOKENS["NodePool"])}
    for kind in ("EC2NodeClass", "AutoNodeClass", "AKSNodeClass"):
        assert pools[f"pool-{kind}"] == pools[f"alone-{kind}"]


def test_objects_are_applied_under_one_field_manager(recording):
    """The manager's name never changes, and nothing is taken from other managers unasked."""
    reported = [one.inputs["metadata"]["annotations"] for one in objects(recording)]
    assert reported == [{MANAGER: "cutlist"}] * 9


ONE = """
import pulumi
from pulumi_cutlist.kubernetes import AKSNodeClass

manifest = {{
    "apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass",
    "metadata": {{"name": "machines", {metadata}}}, "spec": {{"osDiskSizeGB": 64.0}}, "status": {{"conditions": []}},
}}
AKSNodeClass("machines", {{"manifest": manifest, {args}}}, pulumi.ResourceOptions({options}))
"""


def one(folder: Path, *, metadata: str = "", args: str = "", options: str = "") -> Registration:
    recording = run(folder, ONE.format(metadata=metadata, args=args, options=options))
    [found] = recording.of_type(TOKENS["AKSNodeClass"])
    return found


def test_conflicts_are_forced_when_asked_for(tmp_path):
    """`patch_force` becomes the provider's annotation."""
    assert one(tmp_path, args='"patch_force": True').inputs["metadata"]["annotations"][FORCE] == "true"


def test_annotations_of_the_author_go_first(tmp_path):
    """What a manifest says about its patch stays, beside its other annotations."""
    given = f'"annotations": {{"{MANAGER}": "ours", "team": "a"}}'
    assert one(tmp_path, metadata=given).inputs["metadata"]["annotations"] == {MANAGER: "ours", "team": "a"}


def test_what_a_server_added_is_not_applied(tmp_path):
    """An object as `kubectl get -o yaml` prints it can be given: the API server would refuse its own additions."""
    found = one(tmp_path, metadata='"uid": "1-2", "resourceVersion": "7", "managedFields": [], "generation": 2')
    assert found.inputs["metadata"] == {"name": "machines", "annotations": {MANAGER: "cutlist"}}
    assert "status" not in found.inputs


def test_an_object_has_no_options_of_its_component(tmp_path):
    """An alias, a deletion rule and ignored changes of a component are its own; the numbers of the wire are whole."""
    given = 'aliases=[pulumi.Alias(name="old")], ignore_changes=["manifest"], delete_before_replace=True'
    found = one(tmp_path, options=given)
    assert (list(found.request.ignoreChanges), found.request.deleteBeforeReplace) == ([], False)
    assert found.inputs["spec"] == {"osDiskSizeGB": 64}


def refused(folder: Path, manifest: str) -> str:
    """Return why an EC2NodeClass of this manifest is refused; `other` is the typed object of another kind."""
    program = f"""
    from cutlist import AutoNodeClass
    from pulumi_cutlist.kubernetes import EC2NodeClass

    other = AutoNodeClass(name="a", role="R", discovery="d")
    EC2NodeClass("a", {{"manifest": {manifest}}})
    """
    with pytest.raises(InputError) as refusal:
        run(folder, program)
    return str(refusal.value)


@pytest.mark.parametrize("manifest", ["'text'", "None", "[1]"])
def test_what_is_no_object_is_refused(tmp_path, manifest):
    """Text and a list are mistakes that name what was found."""
    message = refused(tmp_path, manifest)
    assert message.startswith("manifest: ")
    assert "a mapping" in message


@pytest.mark.parametrize("manifest", ["other", "other.manifest()"])
def test_an_object_of_another_kind_is_refused(tmp_path, manifest):
    """Before its fields are compared with those of the kind that the component makes."""
    assert refused(tmp_path, manifest) == "manifest.kind: the object is of kind 'NodeClass'; allowed: EC2NodeClass"
