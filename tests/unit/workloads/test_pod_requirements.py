"""What a pod asks of its node's labels (spec: scheduling 2.8)."""

from __future__ import annotations

from cutlist.core.labels import AWS
from cutlist.core.requirement import Expression
from cutlist.workloads.pod_requirements import by_weight, full_requirements, strict_requirements
from cutlist.workloads.pods import Pod, Preference


def prefers(weight: int, value: str) -> Preference:
    return Preference(weight, (Expression("p", "In", (value,)),))


# S-28
def test_only_the_heaviest_preference_counts():
    """Lighter preferred terms have no effect beside a heavier one, and the strict form has none of them."""
    pod = Pod(node_selector={"s": "1"}, preferred=(prefers(1, "light"), prefers(50, "heavy"), prefers(5, "middling")))
    assert str(full_requirements(pod)) == "p In [heavy], s In [1]"
    assert str(strict_requirements(pod)) == "s In [1]"


# S-29
def test_only_the_first_required_term_counts():
    """Of OR-ed required terms the first is used, all of its expressions together."""
    terms = ((Expression("a", "In", ("1", "2")), Expression("a", "NotIn", ("2",))), (Expression("b", "Exists"),))
    assert str(strict_requirements(Pod(required=terms))) == "a In [1]"
    assert str(full_requirements(Pod(required=terms))) == "a In [1]"


def test_no_terms_ask_nothing():
    """Required affinity without terms, or none at all, adds nothing."""
    for required in (None, (), ((),)):
        assert len(strict_requirements(Pod(required=required))) == 0


def test_selector_preference_and_requirement_intersect():
    """All three together constrain one key."""
    pod = Pod(
        node_selector={"p": "a"},
        preferred=(prefers(1, "b"),),
        required=((Expression("q", "Gt", ("4",)),),),
    )
    assert str(full_requirements(pod)) == "p DoesNotExist, q Exists >=5"


# S-21
def test_old_keys_are_read_as_todays():
    """Selector and terms use the provider's spellings."""
    pod = Pod(
        node_selector={"beta.kubernetes.io/arch": "arm64"},
        required=((Expression("topology.ebs.csi.aws.com/zone", "In", ("a",)),),),
    )
    assert str(full_requirements(pod, AWS)) == "kubernetes.io/arch In [arm64], topology.kubernetes.io/zone In [a]"


def test_equal_weights_keep_their_order_up_to_twelve_terms():
    """The sort by weight is stable for up to twelve terms and shuffles more."""
    twelve = tuple(prefers(1 + (n == 11), str(n)) for n in range(12))
    assert [p.expressions[0].values[0] for p in by_weight(twelve)] == ["11", *map(str, range(11))]
    thirteen = tuple(prefers(1 + (n == 12), str(n)) for n in range(13))
    assert [int(p.expressions[0].values[0]) for p in by_weight(thirteen)] == [12, 6, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11, 1]
