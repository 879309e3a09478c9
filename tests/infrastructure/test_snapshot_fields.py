"""The list of fields that a snapshot keeps: nothing beside it survives, and nothing that counts is missing from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError
from cutlist_live.allowed import NAMES, PLAIN, Allowed, Members, Names, kept
from cutlist_live.fields import ANNOTATIONS
from cutlist_live.kinds import KINDS
from tests.conformance import disrupt, schedule
from tests.recorded import VECTORS

_BY_KIND = {k.kind: k for k in KINDS}
_words = st.text("abcdefgh/.-", min_size=1, max_size=6)
_scalars = st.none() | st.booleans() | st.integers(-9, 9) | _words
_anything = st.recursive(_scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3))


def _manifests(allowed: Allowed) -> st.SearchStrategy[Any]:
    """Values of the listed shape with foreign members everywhere, and now and then something else altogether."""
    if not isinstance(allowed, Members):
        return (
            st.dictionaries(_words | st.sampled_from(["karpenter.sh/do-not-disrupt", "helm.sh/hook"]), _anything, max_size=4)
            | _anything
        )
    listed = {name: st.deferred(lambda member=member: _manifests(member)) for name, member in allowed.members.items()}
    one = st.tuples(st.fixed_dictionaries({}, optional=listed), st.dictionaries(_words, _anything, max_size=2))
    member = one.map(lambda both: {**both[1], **both[0]})
    return member | st.lists(member, max_size=2) | _anything


def _strangers(allowed: Allowed, value: Any, path: str = "") -> Iterator[str]:
    """Paths of a value that are not on the list."""
    if isinstance(value, list):
        for one in value:
            if isinstance(one, list) or (isinstance(one, dict) and allowed == PLAIN):
                yield path
            else:
                yield from _strangers(allowed, one, path)
    elif isinstance(value, dict):
        for name, member in value.items():
            if isinstance(allowed, Members) and name in allowed.members:
                yield from _strangers(allowed.members[name], member, f"{path}.{name}")
            elif not isinstance(allowed, Names) or not allowed.has(name) or isinstance(member, dict | list):
                yield f"{path}.{name}"


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), _manifests(kind.fields))))
def test_no_field_beside_the_list_survives(drawn):
    """Whatever an API server sends: what is written has listed members only, and plain values at the ends."""
    kind, sent = drawn
    found = kept(kind.fields, sent)
    assert list(_strangers(kind.fields, found)) == []


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), _manifests(kind.fields))))
def test_what_was_kept_is_kept_again(drawn):
    """A snapshot of a snapshot is the same."""
    kind, sent = drawn
    once = kept(kind.fields, sent)
    assert kept(kind.fields, once) == once


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("karpenter.sh/do-not-disrupt", True),
        ("karpenter.k8s.aws/ec2nodeclass-hash", True),
        ("compatibility.karpenter.sh/v1beta1-kubelet-conversion", True),
        ("controller.kubernetes.io/pod-deletion-cost", True),
        ("pv.kubernetes.io/bind-completed", True),
        ("kubectl.kubernetes.io/last-applied-configuration", False),
        ("evil-karpenter.sh/token", False),
        ("karpenter.sh", False),
        ("helm.sh/hook-weight", False),
    ],
)
def test_annotations_are_kept_by_name(name, is_kept):
    """Karpenter's own and those that change an answer; a name that merely looks like one is not."""
    assert kept(ANNOTATIONS, {name: "x"}) == ({name: "x"} if is_kept else {})


def test_null_and_empty_stay_what_they_are():
    """A container status with empty resources means something else than one without."""
    allowed = Members({"resources": Members({"requests": NAMES}), "gone": PLAIN})
    assert kept(allowed, {"resources": {}, "gone": None}) == {"resources": {}, "gone": None}


def _reduced(raw: Any) -> Any:
    """A scenario whose cluster objects are what a snapshot keeps of them, in every step."""
    if isinstance(raw, list):
        return [_reduced(one) for one in raw]
    if not isinstance(raw, dict):
        return raw
    kind = _BY_KIND.get(raw.get("kind", "")) if "metadata" in raw else None
    if kind is not None:
        version = str(raw.get("apiVersion", "v1")).rpartition("/")[2]
        return kind.kept(raw, version)
    return {name: _reduced(member) for name, member in raw.items()}


def _scenarios(folder: str) -> list[Path]:
    return sorted(p for p in (VECTORS / folder).glob("*.json") if not p.name.endswith(".answer.json"))


def _said(answer: Callable[[Path], Any], path: Path) -> Any:
    """The answer; of a pool that Cutlist refuses, why."""
    try:
        return answer(path)
    except InputError as error:
        return str(error)


@pytest.mark.parametrize(("folder", "answer"), [("disruption", disrupt.answer), ("scheduling", schedule.answer)])
def test_answers_need_no_other_field(folder, answer, tmp_path, monkeypatch):
    """Every recorded cluster, reduced to what a snapshot keeps, is answered as the whole one is."""
    monkeypatch.setenv("CUTLIST_VECTORS", str(VECTORS))
    differing = []
    (tmp_path / folder).mkdir()
    for path in _scenarios(folder):
        raw = json.loads(path.read_text())
        if (kept_alone := _reduced(raw)) == raw:
            continue  # nothing was dropped, so that nothing can be missing
        reduced = tmp_path / folder / path.name
        reduced.write_text(json.dumps(kept_alone))
        if _said(answer, reduced) != _said(answer, path):
            differing.append(path.name)
    assert differing == []
