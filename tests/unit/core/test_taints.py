"""Taints, tolerations and host ports (spec: scheduling 6.1 and 6.2)."""

from __future__ import annotations

import pytest

from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION, HostPort, Taint, Toleration, host_ports, untolerated

ANY = "0.0.0.0"  # noqa: S104 - compared, not bound
TAINT = Taint("team", "NoSchedule", "7")


# S-71
@pytest.mark.parametrize(
    ("toleration", "matches"),
    [
        (Toleration("team", "", "7"), True),
        (Toleration("team", "Equal", "7", "NoSchedule"), True),
        (Toleration("team", "Equal", "8"), False),
        (Toleration("team", "Equal", "7", "NoExecute"), False),
        (Toleration("other", "Equal", "7"), False),
        (Toleration("", "Equal", "7"), True),
        (Toleration("team", "Exists"), True),
        (Toleration("other", "Exists"), False),
        (Toleration("", "Exists"), True),
        (Toleration("", "Exists", "", "NoExecute"), False),
        (Toleration("team", "Near", "7"), False),
    ],
)
def test_operators_keys_and_effects(toleration, matches):
    """No operator is Equal, an empty key or effect matches any, and an unknown operator matches nothing."""
    assert toleration.tolerates(TAINT) is matches


# S-71
@pytest.mark.parametrize(
    ("taint", "operator", "value", "matches"),
    [
        ("7", "Gt", "6", True),
        ("7", "Gt", "7", False),
        ("7", "Lt", "8", True),
        ("7", "Lt", "7", False),
        ("-3", "Lt", "0", True),
        ("07", "Gt", "6", False),
        ("7", "Gt", "06", False),
        ("7", "Gt", "-0", False),
        ("7", "Lt", "+8", False),
        ("", "Gt", "6", False),
        ("7", "Lt", "9" * 5000, False),
        ("9223372036854775808", "Gt", "6", False),
    ],
)
def test_comparisons_want_canonical_integers(taint, operator, value, matches):
    """Gt and Lt compare the taint with the toleration, and only numbers in their one spelling."""
    assert Toleration("k", operator, value).tolerates(Taint("k", "NoSchedule", taint)) is matches


def test_every_taint_must_be_tolerated():
    """All untolerated taints are reported, those that only prefer as well."""
    taints = [TAINT, Taint("spot", "PreferNoSchedule"), Taint("gpu", "NoExecute")]
    assert untolerated(taints, [Toleration("team", "Exists")]) == taints[1:]
    assert untolerated(taints, [Toleration("team", "Exists"), PREFER_NO_SCHEDULE_TOLERATION]) == taints[2:]
    assert untolerated(taints, [Toleration(operator="Exists")]) == []
    assert untolerated([], []) == []


# S-71
def test_many_tolerations_match_as_few_do():
    """A taint is compared only with those of its key and value, and with those of any key or value."""
    others = [Toleration("team", "Equal", str(number)) for number in range(100, 140)]
    taints = [TAINT, Taint("team", "NoExecute", "110"), Taint("", "NoSchedule", "7"), Taint("gpu", "NoSchedule")]
    for more in (
        [],
        [Toleration("team", "", "7")],
        [Toleration("team", "Gt", "6")],
        [Toleration("gpu", "Exists"), Toleration("team", "Exists", "7", "NoExecute")],
        [Toleration("", "Equal", "7")],
        [Toleration("", "Exists", "", "NoSchedule")],
    ):
        tolerated = {taint for taint in taints if any(t.tolerates(taint) for t in (*others, *more))}
        assert untolerated(taints, [*others, *more]) == [taint for taint in taints if taint not in tolerated]


def test_taints_and_tolerations_are_read_from_manifests():
    """Missing members are empty, and seconds are not looked at."""
    assert Taint.read({"key": "k", "effect": "NoSchedule", "value": None}) == Taint("k", "NoSchedule")
    assert Toleration.read({"operator": "Exists", "tolerationSeconds": 5}) == Toleration(operator="Exists")


def test_a_taint_prints_as_kubectl_takes_it():
    """The value is left out when there is none."""
    assert [str(TAINT), str(Taint("spot", "NoExecute"))] == ["team=7:NoSchedule", "spot:NoExecute"]


# S-63
@pytest.mark.parametrize(
    ("one", "two", "conflict"),
    [
        ((ANY, 80, "TCP"), ("10.0.0.1", 80, "TCP"), True),
        (("::", 80, "TCP"), ("10.0.0.1", 80, "TCP"), True),
        (("10.0.0.1", 80, "TCP"), ("10.0.0.1", 80, "TCP"), True),
        (("10.0.0.1", 80, "TCP"), ("10.0.0.2", 80, "TCP"), False),
        ((ANY, 80, "TCP"), (ANY, 80, "UDP"), False),
        ((ANY, 80, "TCP"), (ANY, 81, "TCP"), False),
    ],
)
def test_ports_conflict_on_one_address_or_any(one, two, conflict):
    """Same port and protocol conflict on equal addresses, or when either side takes all."""
    assert HostPort(*one).conflicts(HostPort(*two)) is conflict
    assert HostPort(*two).conflicts(HostPort(*one)) is conflict


# S-12
def test_host_ports_are_those_of_ordinary_containers():
    """Ports without a host port and those of init containers take nothing; address and protocol have defaults."""
    pod = {
        "spec": {
            "containers": [{"ports": [{"containerPort": 80, "hostPort": 8080}, {"containerPort": 81}, {"hostPort": 0}]}, {}],
            "initContainers": [{"ports": [{"hostPort": 9090}]}],
        }
    }
    assert host_ports(pod) == {HostPort(ANY, 8080, "TCP")}
    assert host_ports({}) == frozenset()


@pytest.mark.parametrize(
    ("written", "same"), [("0:0::0", "::"), ("FD00::1", "fd00::1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("odd", "odd")]
)
def test_addresses_have_one_spelling(written, same):
    """An address is the same however it is written."""
    pod = {"spec": {"containers": [{"ports": [{"hostPort": 80, "hostIP": written, "protocol": "UDP"}]}]}}
    assert host_ports(pod) == {HostPort(same, 80, "UDP")}
