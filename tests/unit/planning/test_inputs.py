"""Reading the inputs of a plan: every mistake of a run, together."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from cutlist.core.errors import InputError
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool


def messages(*documents: str, region: str | None = "us-west-2", zones: tuple[str, ...] = ()) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_inputs(["-"], region=region, zones=zones, stdin="\n---\n".join(documents))
    return [str(p) for p in caught.value.problems]


def test_mistakes_of_all_files_and_of_the_region_are_reported_together(tmp_path: Path) -> None:
    """A run shows everything at once, by file and line."""
    (tmp_path / "pools.yaml").write_text(pool(spec="limits: {cpu: -4}").replace("name: default}", "name: defualt}"))
    (tmp_path / "class.yaml").write_text(NODE_CLASS)
    (tmp_path / "app.yaml").write_text(deployment(replicas=-1, cpu="1K"))
    (tmp_path / "broken.yaml").write_text("a: [1\nb: {")
    with pytest.raises(InputError) as caught:
        read_inputs([tmp_path / n for n in ("pools.yaml", "class.yaml", "app.yaml", "broken.yaml")], region="us-wst-2")
    found = [(Path(p.place.source).name, p.place.line) for p in caught.value.problems]
    assert [name for name, _ in found] == ["app.yaml"] * 2 + ["broken.yaml"] + ["pools.yaml"] * 2 + [""]
    assert [line for _, line in found[:2]] == sorted(line for _, line in found[:2])
    assert any("us-wst-2" in str(p) and "us-west-2?" in str(p) for p in caught.value.problems)


def test_a_pool_that_names_a_missing_class() -> None:
    """The reference, where it stands, and the class that was perhaps meant."""
    (said,) = messages(NODE_CLASS, pool().replace("name: default}", "name: defualt}"))
    assert "nodeClassRef.name" in said
    assert "did you mean default?" in said


@pytest.mark.parametrize(
    ("key", "values", "texts"),
    [
        ("node.kubernetes.io/instance-type", "m5.lrage", ["no known EC2 instance type has", "did you mean m5.large?"]),
        ("karpenter.k8s.aws/instance-family", "m55, m5", ["no known EC2 instance type has", "instance-family m55"]),
        (
            "node.kubernetes.io/instance-type",
            "m8g-flex.large",
            ["m8g-flex.large: Karpenter 1.15.1 lists its limits"],
        ),
        ("karpenter.k8s.aws/instance-family", "c7g-flex, m5", ["instance-family c7g-flex: Karpenter 1.15.1 lists its limits"]),
        ("karpenter.k8s.aws/instance-family", "c7id", ["instance-family c7id; did you mean c7i?"]),
        ("topology.kubernetes.io/zone", "us-east-1a", ["us-west-2 has no", "zone us-east-1a, only us-west-2a, us-west-2b"]),
        ("topology.kubernetes.io/zone", "b, us-west-2a", ["zone b, only", "did you mean us-west-2b?"]),
        ("topology.kubernetes.io/zone", "us-west-2x, us-west-2a", ["zone us-west-2x", "did you mean us-west-2"]),
        (
            "topology.k8s.aws/zone-id",
            "us-west-2a",
            ["zone-id us-west-2a", "did you mean topology.kubernetes.io/zone us-west-2a"],
        ),
        ("topology.k8s.aws/zone-id", "usw2-az9", ["zone-id usw2-az9", "did you mean usw2-az"]),
        ("topology.kubernetes.io/region", "us-west-3", ["region us-west-3", "did you mean us-west-2?"]),
        ("kubernetes.io/arch", "x86_64, amd64", ["arch x86_64, only amd64, arm64"]),
    ],
)
def test_a_value_that_no_known_machine_has_is_a_warning(key: str, values: str, texts: list[str]) -> None:
    """Karpenter accepts and ignores it, and the catalogue may be older than the value: never a refusal."""
    inputs = inputs_of(pool(requirements=f"[{{key: {key}, operator: In, values: [{values}]}}]"))
    (warning,) = inputs.warnings
    assert warning.code == "not-a-value"
    assert all(text in warning.text for text in ["NodePool general: ", *texts])


def test_a_machine_that_other_regions_sell_is_a_warning() -> None:
    """One NodePool for many regions may name machines that this region lacks."""
    named = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('p5.48xlarge, m5.large')}]")
    planned = plan_of(named, deployment(), region="eu-west-3")
    assert [w.code for w in planned.warnings] == ["not-in-region"]


def test_no_node_pool_at_all() -> None:
    """Workloads alone are not a plan."""
    (said,) = messages(deployment())
    assert "no NodePool is in the input" in said


def test_a_file_that_cannot_be_read_may_have_had_the_node_pool() -> None:
    """What follows from one mistake is not reported as another."""
    assert len(messages(f"{pool()}\n\tlimits: 5", deployment())) == 1
    assert "no NodePool" not in messages(f"{pool()}\n\tlimits: 5", deployment())[0]


def test_standard_input_without_a_node_pool_is_called_by_its_name() -> None:
    """A place is a name that people know, and once; where nothing at all is written, that is the mistake."""
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}"
    with pytest.raises(InputError, match=r"^<stdin>: no NodePool is in the input"):
        read_inputs(["-", "-"], region="us-west-2", stdin=config_map)
    with pytest.raises(InputError, match=r"^<stdin>: contains no object; [^;]+$"):
        read_inputs(["-", "-"], region="us-west-2", stdin="")


def test_a_missing_region_does_not_hide_other_mistakes() -> None:
    """Without a region the files are checked anyway."""
    assert any("replicas" in said for said in messages(NODE_CLASS, pool(), deployment(replicas=-1), region=None))
    assert messages(NODE_CLASS, pool(), region=None) == ["region: no region is given"]


def test_a_zone_that_the_region_lacks() -> None:
    """Zones given by hand are checked against the region."""
    (said,) = messages(NODE_CLASS, pool(), zones=("us-west-2x",))
    assert "zone 'us-west-2x' is not in us-west-2" in said


def test_objects_are_in_the_order_of_their_names() -> None:
    """The order of files does not reach the plan."""
    inputs = inputs_of(pool("b"), pool("a"))
    assert [p.name for p in inputs.node_pools] == ["a", "b"]


def test_a_region_without_known_offerings_says_so() -> None:
    """Where the catalogue has prices but no zones, the plan explains why nothing can be placed."""
    planned = plan_of(pool(), deployment(), region="us-gov-west-1")
    assert not planned.nodes
    assert any(n.code == "catalogue" for n in planned.assumptions)


def test_objects_given_as_data_are_those_of_a_file() -> None:
    """A program may hand over objects in place of files, and gets the same plan; a list of objects counts as its members."""
    written = [NODE_CLASS, pool(), deployment()]
    objects = [yaml.safe_load(document) for document in written]
    expected = plan(read_inputs(["-"], region="us-west-2", stdin="\n---\n".join(written)))
    assert expected.nodes
    assert plan(read_inputs([], region="us-west-2", manifests=objects)) == expected
    assert (
        plan(read_inputs([], region="us-west-2", manifests=[{"apiVersion": "v1", "kind": "List", "items": objects}]))
        == expected
    )


def test_mistakes_in_objects_given_as_data_name_their_position() -> None:
    """There is no file and no line, so a place is the object's position and the path inside it."""
    objects = [yaml.safe_load(NODE_CLASS), yaml.safe_load(pool(spec="limits: {cpu: -4}")), {"kind": "Deployment"}]
    with pytest.raises(InputError) as caught:
        read_inputs([], region="us-west-2", manifests=objects)
    said = [str(p) for p in caught.value.problems]
    assert [one.partition(": ")[0] for one in said] == ["manifests[1] spec.limits.cpu", "manifests[2]"]


def test_without_files_and_objects_the_missing_node_pool_is_reported() -> None:
    """Nothing given is a mistake as well, and says what would have been right."""
    with pytest.raises(InputError, match=r"^.*manifests: no NodePool is in the input"):
        read_inputs([], region="us-west-2")
