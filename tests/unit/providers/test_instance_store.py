"""RAID0 over instance stores is reported where no machine of the class's NodePools has one (A-24)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.providers.lint.instance_store import NO_INSTANCE_STORE
from cutlist.verbs.validate.answer import validate
from tests.unit.planning.manifests import NODE_CLASS, TYPES, inputs_of, pool

RAID = NODE_CLASS.replace("spec:\n", "spec:\n  instanceStorePolicy: RAID0\n")
STORE = "{key: karpenter.k8s.aws/instance-local-nvme, operator: Gt, values: ['100']}"
FAMILY = "{{key: karpenter.k8s.aws/instance-family, operator: In, values: [{}]}}"


def texts(folder: Path, *pools: str, node_class: str = RAID) -> list[str]:
    """What `validate` says of the policy; a plan says the same."""
    file = folder / "pools.yaml"
    file.write_text("---".join((node_class, *pools)))
    said = [note.text for note in validate([file], region="us-west-2").warnings if note.code == NO_INSTANCE_STORE]
    planned = [n.text for n in inputs_of(*pools, node_class=node_class).warnings if n.code == NO_INSTANCE_STORE]
    assert planned == said
    return said


def test_a_policy_for_machines_without_instance_store_does_nothing(tmp_path: Path) -> None:
    (text,) = texts(tmp_path, pool(requirements=f"[{FAMILY.format('m5')}]"))
    assert text == (
        "EC2NodeClass default: spec.instanceStorePolicy: RAID0 does nothing: none of the 9 instance types that NodePool "
        "general allows has an instance store (m5.12xlarge, m5.16xlarge, m5.24xlarge and 6 more)"
    )


def test_several_pools_and_a_single_type_are_named_as_such(tmp_path: Path) -> None:
    large = f"[{TYPES.format('m5.large')}]"
    (text,) = texts(tmp_path, pool("a", large), pool("b", large))
    assert text.endswith("the only instance type that NodePools a, b allow has no instance store (m5.large)")


@pytest.mark.parametrize("requirements", ["[]", f"[{STORE}]", f"[{FAMILY.format('m5, m5d')}]", f"[{FAMILY.format('d2')}]"])
def test_one_machine_with_disks_is_enough(tmp_path: Path, requirements: str) -> None:
    """Spinning ones too."""
    assert texts(tmp_path, pool(requirements=requirements)) == []


def test_a_second_pool_of_the_class_may_have_the_machines(tmp_path: Path) -> None:
    pools = [pool("a", f"[{FAMILY.format('m5')}]"), pool("b", f"[{FAMILY.format('m5d')}]")]
    assert texts(tmp_path, *pools) == []


def test_without_the_policy_nothing_is_said(tmp_path: Path) -> None:
    assert texts(tmp_path, pool(requirements=f"[{FAMILY.format('m5')}]"), node_class=NODE_CLASS) == []


def test_pools_that_allow_no_known_machine_say_nothing(tmp_path: Path) -> None:
    """That the family does not exist is another warning."""
    assert texts(tmp_path, pool(requirements=f"[{FAMILY.format('m99')}]")) == []


def test_without_a_region_every_known_machine_counts(tmp_path: Path) -> None:
    file = tmp_path / "pools.yaml"
    file.write_text("---".join((RAID, pool(requirements=f"[{FAMILY.format('m5')}]"))))
    assert [note.code for note in validate([file]).warnings] == [NO_INSTANCE_STORE]
