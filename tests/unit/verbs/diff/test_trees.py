"""Differences between objects as data: all of them lead from one to the other, and a part of them only part of the way."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cutlist.verbs.diff.trees import Item, differences, path_text, with_values
from tests.examples import examples

scalars = st.integers(0, 3) | st.sampled_from(["a", "b"])
named = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from("uvwx")}, optional={"cpu": scalars}),
    max_size=3,
    unique_by=lambda o: o["name"],
)
trees = st.recursive(
    scalars | named | st.lists(scalars, max_size=2),
    lambda inner: st.dictionaries(st.sampled_from(["m", "n", "o.p"]), inner, min_size=1, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from(["spec", "metadata"]), trees, max_size=2)


@examples(0.5)
@given(objects, objects)
def test_all_differences_together_lead_to_the_other_object(old: dict[str, Any], new: dict[str, Any]):
    made = with_values(old, new, [found.path for found in differences(old, new)])
    assert list(differences(made, new)) == []


@examples(0.5)
@given(objects, objects, st.data())
def test_some_differences_leave_the_others(old: dict[str, Any], new: dict[str, Any], data: st.DataObject):
    """What is not chosen is still different, and nothing else is."""
    paths = [found.path for found in differences(old, new)]
    chosen = set(data.draw(st.lists(st.sampled_from(paths)) if paths else st.just([])))
    before = repr(old)
    made = with_values(old, new, chosen)
    assert {found.path for found in differences(made, new)} == set(paths) - chosen
    assert repr(old) == before


def test_items_are_found_by_their_names():
    old = {"containers": [{"name": "web", "image": "a"}, {"name": "proxy", "image": "b"}]}
    new = {"containers": [{"name": "proxy", "image": "c"}, {"name": "web", "image": "a"}]}
    (found,) = differences(old, new)
    assert (found.path, found.old, found.new) == (("containers", Item("proxy"), "image"), "b", "c")
    assert path_text(found.path) == "containers[proxy].image"
    assert with_values(old, new, [found.path])["containers"][1] == {"name": "proxy", "image": "c"}


def test_items_are_told_apart_by_the_member_that_names_them():
    """A disk by its device, a claim template by its metadata."""

    def of(size: str) -> dict[str, Any]:
        disks = [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": size}}]
        claims = [{"metadata": {"name": "data"}, "spec": {"storage": size}}, {"metadata": {"name": "logs"}, "spec": {}}]
        return {"disks": disks, "claims": claims}

    found = {path_text(of.path): (of.old, of.new) for of in differences(of("1Gi"), of("2Gi"))}
    assert found == {
        "disks[/dev/xvda].ebs.volumeSize": ("1Gi", "2Gi"),
        "claims[data].spec.storage": ("1Gi", "2Gi"),
    }
    one_of_two = with_values(of("1Gi"), of("2Gi"), [("claims", Item("data"), "spec", "storage")])
    assert one_of_two == {**of("2Gi"), "disks": of("1Gi")["disks"]}
