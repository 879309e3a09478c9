"""R4: the reference of the old objects, converted."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from click.testing import CliRunner

from cutlist.api.convert import convert
from cutlist.core.errors import InputError
from cutlist.documents.collecting import read_documents
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import types
from cutlist_cli import main
from tests.seeds.steps import Seed, amounts

R4 = Seed("r4-legacy-api", "us-west-2", "ab")


def converted(step):
    """What happens to a step's inputs, and what is said of it."""
    return convert(read_documents([R4.folder / file for file in R4.step(step)["inputs"]]))


def expected(step):
    return [yaml.safe_load((R4.folder / file).read_text()) for file in R4.step(step)["expect"]["files"]]


def report(found):
    return "\n".join(f"{one.change.kind}: {one.change.text} {one.change.advice}" for one in found.changes)


def in_v1(tmp_path):
    """A folder with all objects of the seed as the command converts them."""
    target = tmp_path / "v1.yaml"
    arguments = ["convert", "-f", str(R4.folder / "composed"), "--to", str(target), "--values", str(tmp_path / "values.txt")]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    return target


# K-70, K-73, K-93, K-97, K-98, K-100, K-105, K-107, K-108, K-109, K-110, K-111, K-112, K-113, K-114, K-118, K-119
@pytest.mark.parametrize("step", ["1-convert-class-foo", "2-convert-class-bar"])
def test_classes_and_pools_become_the_expected_objects(step):
    """Each object is, field by field, the one that the seed has."""
    made = [one.objects[0] for one in converted(step).converted]
    assert sorted(made, key=lambda one: one["kind"]) == sorted(expected(step), key=lambda one: one["kind"])


# K-100, K-118, K-121
def test_the_report_names_what_changes_for_foo():
    """All six notes of the seed are in it."""
    text = report(converted("1-convert-class-foo"))
    for words in (
        "amiFamily AL2 without terms is the alias al2@latest",
        "no AL2 images from Kubernetes 1.33 on",
        "Karpenter sees drift and replaces all nodes of the class",
        "consolidationPolicy WhenUnderutilized is called WhenEmptyOrUnderutilized",
        "expireAfter 720h belongs to the template",
        "nodeClassRef names its class by group and kind: karpenter.k8s.aws and EC2NodeClass",
        "httpPutResponseHopLimit 2 is written and kept",
    ):
        assert words in text


# K-98, K-119
def test_the_report_names_each_changed_default_of_bar():
    """The hop limit, the expiry and the reference were not written and have other defaults, or none."""
    found = converted("2-convert-class-bar")
    defaults = {one.change.new for one in found.changes if one.change.kind == "changed default"}
    assert defaults == {
        "spec.metadataOptions.httpPutResponseHopLimit",
        "spec.template.spec.expireAfter",
        "spec.template.spec.nodeClassRef",
    }
    assert "amiFamily AL2 with its terms is kept" in report(found)


# K-43, K-44, K-45, K-46, K-47, K-48, K-49, K-50, K-51
def test_config_maps_become_values():
    """Both together are the values of the seed; what is dropped is named, and so is the comment inside the JSON."""
    found = converted("3-convert-configmaps")
    assert [found.values] == expected("3-convert-configmaps")
    lost = " ".join(one.change.text for one in found.changes if one.change.kind == "lost")
    for dropped in (
        "development",
        "disableStacktrace",
        "disableCaller",
        "sampling",
        "encoding",
        "encoderConfig",
        "loglevel.webhook",
    ):
        assert dropped in lost
    assert "# comments" in lost


# K-78, K-98, K-106
@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("4-bare-numbers", 'did you mean "4"?'),
        ("5-consolidateafter-alone", "consolidateAfter cannot be combined with consolidationPolicy=WhenUnderutilized"),
        ("6-containerruntime", "removed before v1beta1; containerd is the only runtime"),
    ],
)
def test_fragments_that_the_old_server_refused_are_refused(step, words):
    """In its words, or with the hint that helps."""
    with pytest.raises(InputError, match=re.escape(words)):
        converted(step)


# K-107, K-108, K-109, K-110, K-114, K-120
def test_the_converted_class_gives_the_expected_room(tmp_path):
    """What pods may use follows from the kubelet that moved."""
    inputs = read_inputs([in_v1(tmp_path)], region="us-west-2", zones=R4.zones)
    (rows,) = [pool.types for pool in types(inputs) if pool.node_pool == "foo-nodepool"]
    room = {row.name: row.allocatable for row in rows}
    want = R4.step("10-kubelet-allocatable")["expect"]["m5.xlarge"]
    assert room["m5.xlarge"]["cpu"] == amounts({"cpu": want["cpu"]})["cpu"]
    assert room["m5.xlarge"]["pods"] == amounts({"pods": want["pods"]})["pods"]
    assert room["m5.xlarge"]["memory"] == amounts({"memory": str(want["memoryBytes"])})["memory"]
    assert room["m5.xlarge"]["ephemeral-storage"] == amounts({"s": str(want["ephemeralStorageBytes"])})["s"]


def test_the_converted_objects_can_be_planned_with(tmp_path):
    """What comes out of the command goes into a plan."""
    assert plan(read_inputs([in_v1(tmp_path)], region="us-west-2", zones=R4.zones)).nodes == ()


def test_every_step_on_conversion_is_looked_at():
    """The steps above are those that the seed has."""
    steps = [one["step"] for one in json.loads((R4.folder / "expected.json").read_text())["steps"]]
    assert steps[:6] == [
        "1-convert-class-foo",
        "2-convert-class-bar",
        "3-convert-configmaps",
        "4-bare-numbers",
        "5-consolidateafter-alone",
        "6-containerruntime",
    ]
