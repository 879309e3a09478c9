"""What a claim is launched as is predicted once for the same types and requirements."""

from __future__ import annotations

from dataclasses import replace

from cutlist import EC2NodeClass, Kubelet
from cutlist.catalog.embedded import load
from cutlist.core.labels import NODEPOOL, ZONE
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.planning.aws.cloud import AwsCloud
from cutlist.planning.cloud import KeptPredictions, Predictions
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.results import PlacedClaim
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL
from tests.unit.scheduling.builders import REGISTRY

AL2023 = "al2023@latest"


class CountingCloud:
    """A cloud that launches nothing, and keeps what it is asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def predict(self, types, wanted, _node_class, _options):
        self.calls.append((types, wanted))

    def launch_terms(self, node_class):
        return node_class


def wanting(*expressions: Expression) -> Requirements:
    """Return requirements."""
    return Requirements.of_expressions(expressions, REGISTRY)


def test_claims_of_other_passes_share_a_prediction_and_others_do_not():
    cloud, zone = CountingCloud(), wanting(Expression(ZONE, "In", ("a",)))
    predictions = Predictions(cloud, {}, REGISTRY, SchedulerOptions(), lambda *_: {})
    for types, requirements, pool, calls in (
        ((SMALL, MEDIUM), Requirements(), "web", 1),
        ((SMALL, MEDIUM), Requirements(), "web", 1),
        ((SMALL, LARGE), Requirements(), "web", 2),
        ((SMALL, MEDIUM), zone, "web", 3),
        ((SMALL, MEDIUM), Requirements(), "batch", 3),  # of an equal class
        ((SMALL, MEDIUM), zone, "web", 3),
        ((SMALL, MEDIUM), wanting(Expression(NODEPOOL, "In", ("web",)), Expression("team", "In", ("a",))), "web", 3),
        ((SMALL, MEDIUM), wanting(Expression("team", "Exists", (), 2)), "web", 4),  # a number of values is asked of the types
    ):
        predictions.of(PlacedClaim(pool, {}, requirements, {}, InstanceTypeOptions(types, (None,) * len(types))))
        assert len(cloud.calls) == calls


def test_plans_share_predictions_of_equal_classes_and_options_alone():
    """A cheaper cloud, another class or other options may launch something else."""
    cloud, kept = CountingCloud(), KeptPredictions()
    other, claim = CountingCloud(), PlacedClaim("web", {}, Requirements(), {}, InstanceTypeOptions((SMALL,), (None,)))
    first, second = (EC2NodeClass(name=name, role="r", ami="al2023@latest", discovery="d") for name in "ab")
    for of, node_class, strict, calls in (
        (cloud, first, True, (1, 0)),
        (cloud, first, True, (1, 0)),
        (cloud, second, True, (2, 0)),
        (cloud, first, False, (3, 0)),
        (other, first, True, (3, 1)),
    ):
        options = SchedulerOptions(strict_min_values=strict)
        Predictions(of, {"web": node_class}, REGISTRY, options, lambda *_: {}, kept).of(claim)
        assert (len(cloud.calls), len(other.calls)) == calls


def test_classes_that_differ_in_amounts_alone_share_predictions(monkeypatch):
    """What is launched is the same type, with the amounts of the claim's own class."""
    asked = []
    plainly = AwsCloud.predict
    monkeypatch.setattr(AwsCloud, "predict", lambda self, *given: asked.append(given) or plainly(self, *given))
    catalog = load("us-west-2")
    cloud = AwsCloud(replace(catalog, machines={name: catalog.machines[name] for name in ("m5.large", "c5.large")}))
    shapes = [Kubelet(max_pods=pods) for pods in (20, 30, 40)]
    classes = {
        f"pool-{n}": EC2NodeClass(name="c", role="r", ami=AL2023, discovery="d", kubelet=k) for n, k in enumerate(shapes)
    }
    predictions = Predictions(cloud, classes, REGISTRY, SchedulerOptions(), lambda *_: {})
    found = []
    for pool, node_class in classes.items():
        types = tuple(cloud.types(node_class))
        claim = PlacedClaim(pool, {}, Requirements(), {}, InstanceTypeOptions(types, (None,) * len(types)))
        found.append(predictions.of(claim))
        assert any(found[-1].type is t for t in types)
    assert len(asked) == 1
    assert [one.type.capacity["pods"] // NANO for one in found] == [20, 30, 40]
