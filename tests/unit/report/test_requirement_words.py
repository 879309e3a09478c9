"""Requirements in words, with keys that can be found in the files."""

from __future__ import annotations

import pytest

from cutlist.core.requirement import Requirement
from cutlist.report.requirement_words import in_plain_words

CPU, OS = "karpenter.k8s.aws/instance-cpu", "kubernetes.io/os"


@pytest.mark.parametrize(
    ("requirement", "words"),
    [
        (Requirement.of(OS, "In", ["windows"]), f"{OS} windows"),
        (Requirement.of(OS, "In", ["a", "b", "c"]), f"{OS} a, b or c"),
        (Requirement.of(OS, "NotIn", ["linux", "windows"]), f"{OS} other than linux or windows"),
        (Requirement.of(CPU, "Gte", ["4"]), f"{CPU} at least 4"),
        (Requirement.of(CPU, "Lte", ["16"]), f"{CPU} at most 16"),
    ],
)
def test_a_requirement_as_reasons_write_it_is_in_words(requirement, words):
    assert in_plain_words(f"satisfies the pod's {requirement}; or not") == f"satisfies the pod's {words}; or not"


@pytest.mark.parametrize(("operator", "words"), [("Lt", "below"), ("Gt", "above"), ("Gte", "at least"), ("Lte", "at most")])
def test_a_bound_as_files_write_it_is_in_words(operator, words):
    assert in_plain_words(f"{CPU} {operator} 16") == f"{CPU} {words} 16"


@pytest.mark.parametrize(("bound", "words"), [("16384", "16 GiB"), ("5376", "5.25 GiB"), ("5000", "5000 MiB")])
def test_memory_has_its_unit(bound, words):
    """Karpenter counts it in MiB."""
    for key in ("karpenter.k8s.aws/instance-memory", "karpenter.k8s.aws/instance-gpu-memory", "karpenter.azure.com/sku-memory"):
        assert in_plain_words(f"{key} Lt {bound}") == f"{key} below {words}"


def test_edits_of_node_pools_are_in_words():
    assert (
        in_plain_words("kubernetes.io/arch In amd64 becomes In amd64, arm64") == "kubernetes.io/arch amd64 becomes amd64, arm64"
    )
    assert in_plain_words("instance-family no longer In m5") == "instance-family no longer m5"
    assert in_plain_words("instance-cpu Lt 9 becomes Lt 33") == "instance-cpu below 9 becomes below 33"
    assert in_plain_words("NodePool a: arch In arm64; arch In amd64") == "NodePool a: arch arm64; arch amd64"
    assert in_plain_words("the search In Europe") == "the search In Europe"
    assert in_plain_words("karpenter.sh/capacity-type NotIn spot") == "karpenter.sh/capacity-type other than spot"


def test_many_values_stay_counted():
    shown = in_plain_words(f"the pod's {Requirement.of(OS, 'In', [f'v{n}' for n in range(40)])}")
    assert " others" in shown
    assert "[" not in shown


@pytest.mark.parametrize("text", ["nothing In here", "1 pod of web waits", "In [brackets"])
def test_other_texts_stay_as_they_are(text):
    assert in_plain_words(text) == text
