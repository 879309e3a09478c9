"""All objects of some documents, with all that is wrong in them; old versions are named with what to do."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from cutlist import EC2NodeClass, NodePool
from cutlist.api.external_classes import check_references
from cutlist.api.kinds import KINDS
from cutlist.api.read import Objects, read_objects
from cutlist.api.validation import validate
from cutlist.core.errors import InputError, Problems
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.documents.collecting import collect_documents
from cutlist.documents.parsing import parse_documents
from tests.recorded import SCENARIOS, VECTORS
from tests.unit.api.manifests import said

POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: {name}
spec:
  template:
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: {node_class}
      requirements: []
"""

CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{tags: {a: b}}]
"""

SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"


def a_pool(name: str = "general", node_class: str = "default") -> str:
    return POOL.format(name=name, node_class=node_class)


def read(*texts: str) -> tuple[Objects, list[str]]:
    problems = Problems()
    objects = read_objects(parse_documents("---\n".join(texts), "all.yaml", problems), problems)
    check_references(objects, problems)
    return objects, [said(p) for p in problems.found]


def test_objects_are_told_apart() -> None:
    """Pools, classes, and the rest for others to read."""
    objects, problems = read(a_pool(), CLASS, SERVICE)
    assert [p.name for p in objects.node_pools] == ["general"]
    assert [c.name for c in objects.node_classes] == ["default"]
    assert [d.kind for d in objects.rest] == ["Service"]
    assert problems == []


def test_a_broken_object_is_left_out_and_the_others_are_read() -> None:
    """With everything that is wrong in every object."""
    objects, problems = read(a_pool("one").replace("[]", "{}"), CLASS.replace("role", "rolle"), a_pool("two"))
    assert [p.name for p in objects.node_pools] == ["two"]
    assert problems[0] == "all.yaml:12 spec.template.spec.requirements: found a mapping where a list is needed"
    assert problems[1].startswith("all.yaml:18 (document 2) spec.rolle: unknown field 'rolle'")
    assert problems[1].endswith("did you mean role?")


def test_a_class_that_is_refused_is_not_missing_too() -> None:
    """One mistake gives one message."""
    _, problems = read(a_pool(), CLASS.replace("role: nodes", "role: nodes\n  colour: red"))
    assert [p.partition(":")[0] for p in problems] == ["all.yaml"]
    assert "unknown field 'colour'" in problems[0]


AKS_CLASS = "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: spot}\nspec: {}\n"


def aks_pool(node_class: str) -> str:
    """A NodePool for Azure."""
    reference = f"{{group: karpenter.azure.com, kind: AKSNodeClass, name: {node_class}}}"
    spec = f"{{template: {{spec: {{nodeClassRef: {reference}, requirements: []}}}}}}"
    return f"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {{name: general}}\nspec: {spec}\n"


def test_a_missing_aks_node_class_is_named() -> None:
    """As those of other clouds are; the two that AKS makes by itself need not be there."""
    assert read(aks_pool("spot"), AKS_CLASS)[1] == []
    assert read(aks_pool("default"))[1] == read(aks_pool("system-surge"))[1] == []
    _, [problem] = read(aks_pool("spott"), AKS_CLASS)
    assert "NodePool general refers to the AKSNodeClass 'spott', which is not in the input" in problem
    assert "did you mean spot" in problem


def test_a_missing_class_is_named_with_the_nearest_one() -> None:
    """At the line of the reference."""
    _, problems = read(a_pool(node_class="defualt"), CLASS)
    assert problems == [
        "all.yaml:11 spec.template.spec.nodeClassRef.name: NodePool general refers to the EC2NodeClass 'defualt', "
        "which is not in the input; allowed: default; did you mean default?"
    ]


def test_references_to_classes_of_other_kinds_are_not_looked_at() -> None:
    """Their classes are not read here."""
    _, problems = read(a_pool().replace("EC2NodeClass", "NodeClass").replace("karpenter.k8s.aws", "eks.amazonaws.com"))
    assert problems == []


def test_two_objects_of_one_name() -> None:
    """The later would overwrite the earlier."""
    objects, problems = read(a_pool(), CLASS, a_pool())
    assert len(objects.node_pools) == 1
    assert problems == [
        "all.yaml:26 (document 3) metadata.name: NodePool general is defined twice, first at all.yaml:4 metadata.name"
    ]


def test_v1beta1_is_refused_with_what_this_object_has_to_change() -> None:
    """K-70: only what concerns it."""
    old = {
        "apiVersion": "karpenter.sh/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "a"},
        "spec": {
            "disruption": {"consolidationPolicy": "WhenUnderutilized", "expireAfter": "720h"},
            "template": {"spec": {"nodeClassRef": {"name": "default"}, "kubelet": {}, "requirements": []}},
        },
    }
    with pytest.raises(InputError) as error:
        NodePool.from_manifest(old)
    assert str(error.value) == (
        "NodePool/a apiVersion: NodePool karpenter.sh/v1beta1 is not served since Karpenter 1.1; "
        "`cutlist convert` rewrites it as karpenter.sh/v1: move disruption.expireAfter to template.spec.expireAfter; "
        "consolidationPolicy WhenUnderutilized is WhenEmptyOrUnderutilized; add disruption.consolidateAfter, such as 0s; "
        "move template.spec.kubelet to spec.kubelet of the EC2NodeClass; "
        "write nodeClassRef with group, kind and name, without apiVersion (schema: refused at apply); allowed: karpenter.sh/v1"
    )


@pytest.mark.parametrize(
    ("api_version", "kind", "successor"),
    [
        ("karpenter.sh/v1alpha5", "Provisioner", "NodePool karpenter.sh/v1"),
        ("karpenter.sh/v1alpha5", "Machine", "NodeClaim karpenter.sh/v1"),
        ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate", "EC2NodeClass karpenter.k8s.aws/v1"),
    ],
)
def test_kinds_that_are_gone_name_their_successor(api_version: str, kind: str, successor: str) -> None:
    """Never a partial conversion."""  # K-71, V-131
    objects, problems = read(f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{}}\n")
    assert len(problems) == 1
    article = "an" if successor.startswith("E") else "a"
    assert f"{kind} {api_version} was removed in Karpenter 0.33; write {article} {successor} instead" in problems[0]
    assert objects.node_pools == ()


@pytest.mark.parametrize(
    ("api_version", "kind", "promised"),
    [
        ("karpenter.sh/v1alpha5", "Provisioner", "`cutlist convert` rewrites it"),
        ("karpenter.sh/v1alpha4", "Provisioner", "`cutlist convert` reads karpenter.sh/v1alpha5"),
        ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate", "`cutlist convert` rewrites it"),
        ("karpenter.sh/v1alpha5", "AWSNodeTemplate", "`cutlist convert` reads karpenter.k8s.aws/v1alpha1"),
    ],
)
def test_a_conversion_is_promised_only_where_there_is_one(api_version: str, kind: str, promised: str) -> None:
    """Of kinds that are removed only their last version is converted, in the group that it had."""
    _, problems = read(f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{}}\n")
    assert promised in problems[0]


@pytest.mark.parametrize(
    ("api_version", "kind", "said"),
    [
        ("karpenter.sh/v1beta1", "EC2NodeClass", "EC2NodeClass is not served as 'karpenter.sh/v1beta1'"),
        ("karpenter.sh/v1", "Nodepool", "'Nodepool' is not a kind of Karpenter"),
        ("karpenter.sh/v2", "NodePool", "NodePool is not served as 'karpenter.sh/v2'"),
        ("karpenter.k8s.aws/v1", "NodePool", "NodePool is not served as 'karpenter.k8s.aws/v1'"),
    ],
)
def test_wrong_kinds_and_versions(api_version: str, kind: str, said: str) -> None:
    """With the right one."""
    _, (problem,) = read(f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n")
    assert said in problem
    assert "did you mean" in problem


def test_nodepools_of_other_products_are_left_alone() -> None:
    """The kind's name alone is no reason."""
    objects, problems = read("apiVersion: container.example.com/v1\nkind: NodePool\nmetadata: {name: a}\n")
    assert (len(objects.rest), problems) == (1, [])


@pytest.mark.slow
def test_pools_are_read_in_some_times_what_their_yaml_takes() -> None:
    """From documents to objects, rules included, against the parsing of the same text; each the best of several runs."""
    text = "---\n".join(a_pool(f"pool-{i}") for i in range(50))
    documents = parse_documents(text, "all.yaml", Problems())

    def seconds(run: Callable[[], object]) -> float:
        start = time.process_time()
        run()
        return time.process_time() - start

    assert len(read_objects(documents, Problems()).node_pools) == 50
    reading = min(seconds(lambda: read_objects(documents, Problems())) for _ in range(5))
    assert reading < 15 * min(seconds(lambda: parse_documents(text, "all.yaml", Problems())) for _ in range(5))


def test_the_manifests_of_the_scenarios_are_read() -> None:
    """Every v1 object of the public tutorials is accepted, and comes back as it was."""  # K-69, K-72, K-76, K-93
    seen = 0
    for folder in ("r1-eks-auto-mode", "r2-eks-workshop", "r3-karpenter-on-eks", "r4-legacy-api/converted"):
        for file in sorted((SCENARIOS / folder).rglob("*.yaml")):
            if not {"manifests", "converted"} & set(file.parts) or "wrong" in file.name:
                continue
            problems = Problems()
            documents = [d for d in collect_documents([file], Problems()) if d.api_version.startswith("karpenter")]
            objects = read_objects(documents, problems)
            assert [str(p) for p in problems.found] == [], file
            for one in (*objects.node_pools, *objects.node_classes):
                seen += 1
                assert type(one).from_manifest(one.manifest()) == one
    assert seen >= 10


def test_bare_numbers_of_the_legacy_scenario() -> None:
    """Refused with path and the quoted form, beside the old version."""  # K-78
    file = SCENARIOS / "r4-legacy-api/manifests/30b-nodepool-requirements-spot-bare-numbers.yaml"
    problems = Problems()
    read_objects(collect_documents([file], problems), problems)
    found = [(p.place.path, p.nearest) for p in problems.found]
    assert found[0] == ("apiVersion", "")
    assert ("spec.template.spec.requirements[0].values[3]", '"32"') in found
    assert len(found) == 6


SCHEDULES = ("dailyish-919", "tz-utc-0-9-862", "cron-tz-utc-0-9-1263", "0-0-9-439", "a-b-c-d-e-623", "0-9-----8-373",
             "60-9-413", "0-9-l-393", "0-9-----mon-1-635")  # fmt: skip
STRICTER = {
    "nodepool": {*(f"budget-schedule-{name}" for name in SCHEDULES), "window-broken-other", "limit-11-5"},
    "ec2nodeclass": {
        *("ami-alias-and-ssm", "ami-tags-empty-map", "ami-id-loose", "evictionhard-11-empty"),
        *("field-spec-absent", "field-spec-null", "spec-absent"),
        *("field-blockdevicemappings-devicename-null", "field-blockdevicemappings-ebs-null"),
        *("mapping-no-device-name", "mapping-no-ebs", "mapping-empty-entry"),
        *("reservation-id-and-owner-then-clean", "subnet-id-and-tags-then-clean"),
        *("securi-id-and-tags-then-clean", "securi-name-and-tags-then-clean"),
        *("securi-tags-empty-map", "securi-id-loose", "subnet-tags-empty-map", "subnet-id-loose"),
        *("volume-size-26-ti", "volume-size-27-t"),
    },
}
"""What is refused here and passes the API server and the controller, on purpose ([M] in the spec)."""


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize(("kind", "made"), [("nodepool", NodePool), ("ec2nodeclass", EC2NodeClass)])
def test_verdicts_are_those_of_the_api_server_and_the_controller(kind: str, made: type[NodePool] | type[EC2NodeClass]) -> None:
    """Nothing is accepted that either refuses; what is refused beyond that is listed."""
    accepted_wrongly, refused_wrongly, seen = [], [], 0
    for file in sorted((VECTORS / "api" / kind).glob("*.json")):
        cases: list[dict[str, Any]] = json.loads(file.read_text())
        for case in cases:
            if case["operation"] != "create" or case["provider"] != "aws":
                continue
            seen += 1
            good = case["accepted"] and case.get("ready", True)
            try:
                made.from_manifest(case["object"], BASELINES[0])
            except InputError:
                if good and case["name"] not in STRICTER[kind]:
                    refused_wrongly.append(case["name"])
            else:
                if not good:
                    accepted_wrongly.append(case["name"])
    assert (accepted_wrongly, refused_wrongly) == ([], [])
    assert seen > 500


def test_every_kind_is_read() -> None:
    """Each to its place; nothing of Karpenter's is left over."""
    reference = "{group: karpenter.azure.com, kind: AKSNodeClass, name: azure}"
    objects, problems = read(
        CLASS,
        "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: azure}\nspec: {}\n",
        "apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {name: a}\nspec: {requirements: []}\n",
        f"apiVersion: karpenter.sh/v1\nkind: NodeClaim\nmetadata: {{name: a}}\n"
        f"spec: {{nodeClassRef: {reference}, requirements: []}}\n",
        "apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: {name: a}\n"
        "spec: {replicas: 1, podTemplateRef: {name: t}}\n",
    )
    assert (problems, objects.rest) == ([], ())
    assert [len(part) for part in (objects.node_classes, objects.aks_node_classes, objects.node_overlays)] == [1, 1, 1]
    assert [len(part) for part in (objects.node_claims, objects.capacity_buffers)] == [1, 1]


def test_claims_of_a_cluster_are_left_as_they_are() -> None:
    """Its API server has taken them, and a newer Karpenter may have written more."""
    text = "apiVersion: karpenter.sh/v1\nkind: NodeClaim\nmetadata: {name: a, uid: u}\nspec: {newer: field}\n"
    objects, problems = read(text)
    assert ([d.kind for d in objects.rest], objects.node_claims, problems) == (["NodeClaim"], (), [])


@pytest.mark.parametrize("kind", sorted({f"{version} {kind}" for version, kind in KINDS}))
def test_long_texts_are_refused_in_little_time(kind: str) -> None:
    """No pattern of a CRD takes more time than the text is long."""
    version, name = kind.split()
    long, dashes = "1" * 100_000 + "!", "a-" * 50_000
    spec = {
        "price": long, "priceAdjustment": f"+{long}", "limits": {"cpu": long}, "tags": {dashes: dashes},
        "requirements": [{"key": dashes, "values": dashes}], "role": "/" * 100_000,
        "amiSelectorTerms": [{"alias": f"{long}@{dashes}", "id": f"ami-{long}"}],
        "kubelet": {"kubeReserved": {"cpu": long}, "evictionSoftGracePeriod": {"x": long}, "cpuCFSQuotaPeriod": long},
        "disruption": {"consolidateAfter": "1h" * 50_000, "budgets": [{"nodes": long, "schedule": "* " * 50_000}]},
        "template": {"metadata": {"labels": {dashes: dashes, long: long}}}, "vnetSubnetID": f"/subscriptions/{dashes}",
        "localDNS": {"kubeDNSOverrides": [{"zone": dashes, "cacheDuration": "1h" * 50_000}]},
    }  # fmt: skip
    start = time.monotonic()
    validation = validate(KINDS[version, name], {"metadata": {"name": dashes, "labels": {dashes: long}}, "spec": spec})
    assert validation.findings
    assert max(len(f.message) for f in validation.findings) < 1000
    assert time.monotonic() - start < 5
