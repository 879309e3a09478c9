"""Refusals are worked out when they are read, once, and otherwise are the tuple that they stand for."""

from __future__ import annotations

import pickle

from cutlist.scheduling.late_refusals import LateRefusals, Refusals
from cutlist.scheduling.refusals import NodesExhausted, UnresolvedVolumes

_FOUND: Refusals = (("general", NodesExhausted()), ("", UnresolvedVolumes()))


def test_refusals_are_asked_for_once():
    asked: list[str] = []
    late = LateRefusals(lambda: asked.append("once") or _FOUND)
    assert asked == []
    assert list(late) == list(_FOUND)
    assert late[1:] == _FOUND[1:]
    assert len(late) == 2
    assert asked == ["once"]


def test_refusals_equal_those_that_they_stand_for():
    late = LateRefusals(lambda: _FOUND)
    assert late == _FOUND
    assert late == LateRefusals(lambda: _FOUND)
    assert late != _FOUND[:1]
    assert hash(late) == hash(_FOUND)
    assert repr(late) == repr(_FOUND)
    assert pickle.loads(pickle.dumps(late)) == _FOUND  # noqa: S301 - made here
    assert not LateRefusals(tuple)
