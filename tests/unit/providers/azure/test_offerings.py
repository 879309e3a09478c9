"""Offerings, the size that is chosen, and what a failed launch leaves closed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from cutlist.catalog.prices import Price
from cutlist.catalog.regions import LocationCatalog
from cutlist.core.labels import AZURE, ON_DEMAND, SPOT
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.providers.azure.images import image_line
from cutlist.providers.azure.launch import choices
from cutlist.providers.azure.observed import Observed
from cutlist.providers.instance_types import InstanceType, Offering
from tests.unit.providers.azure.launch_failures import Failure, blocked_by
from tests.unit.providers.azure.sizes import JAPAN, label, node_class, size, types

ZONES = {"0", "japaneast-1", "japaneast-2", "japaneast-3"}
ANYTHING = Requirements()


def is_open(t: InstanceType) -> set[tuple[str, str]]:
    return {(o.zone, o.capacity_type) for o in t.offerings if o.available}


def wanting(**wanted: str) -> Requirements:
    return Requirements.of_expressions((Expression(key, "In", (value,)) for key, value in wanted.items()), AZURE)


def test_each_zone_has_one_offering_a_capacity_type():
    """At the same price in all zones."""  # Z-49
    d8 = types()["D8_v4"]
    assert sorted((o.zone, o.capacity_type) for o in d8.offerings) == sorted((z, c) for z in ZONES for c in (SPOT, ON_DEMAND))
    assert {o.price for o in d8.offerings if o.capacity_type == ON_DEMAND} == {0.496}
    assert len({o.price for o in d8.offerings if o.capacity_type == SPOT}) == 1


@pytest.mark.parametrize(("left", "open_as"), [(7, {SPOT}), (8, {SPOT, ON_DEMAND}), (0, {SPOT})])
def test_a_family_quota_hides_on_demand_alone(left, open_as):
    """Where fewer vCPUs are left than the size has; names of families are compared without regard to case."""  # Z-49
    observed = Observed(quota_left={"STANDARDDv4family": left})
    assert {kind for _, kind in is_open(types(observed=observed)["D8_v4"])} == open_as
    assert {kind for _, kind in is_open(types(observed=observed)["D8_v5"])} == {SPOT, ON_DEMAND}


def with_prices(**on_demand: float) -> LocationCatalog:
    """The location with these sizes and prices alone, spot as dear as on demand."""
    prices = {f"Standard_{name}": Price(price, "test") for name, price in on_demand.items() if price}
    names = {f"Standard_{name}" for name in on_demand}
    machines = {name: machine for name, machine in JAPAN.machines.items() if name in names}
    return replace(JAPAN, machines=machines, on_demand=prices, spot=None)


def test_a_size_without_a_price_is_last_and_not_absent():
    """Nothing is known of what it costs."""  # Z-50
    found = choices(types(catalog=with_prices(D2_v4=0, D8_v4=5.0)).values(), ANYTHING)
    assert [c.type.name for c in found] == ["Standard_D8_v4", "Standard_D2_v4"]
    assert found[1].offering.price is None


def test_spot_is_taken_at_an_equal_price():
    """And on-demand where spot is more expensive."""  # Z-51
    equal = with_prices(D8_v4=0.5)
    costly = replace(equal, spot={"Standard_D8_v4": dict.fromkeys(ZONES, Price(0.6, "test"))})
    for catalog, expected in ((equal, SPOT), (costly, ON_DEMAND)):
        (choice,) = choices(types(catalog=catalog).values(), ANYTHING)
        assert choice.offering.capacity_type == expected


def test_a_zone_comes_before_none_and_names_decide_last():
    """Among the zones chance decides, so all are listed."""  # Z-52
    found = choices(types(catalog=with_prices(D8s_v5=0.5, D8_v5=0.5)).values(), ANYTHING)
    assert [c.type.name for c in found] == ["Standard_D8_v5", "Standard_D8s_v5"]
    assert found[0].zones == ("japaneast-1", "japaneast-2", "japaneast-3")
    (first, *_) = choices(types(catalog=with_prices(D8_v5=0.5)).values(), wanting(**{"topology.kubernetes.io/zone": "0"}))
    assert first.zones == ("0",)


def test_regional_spot_comes_before_a_more_expensive_or_equal_zonal_machine():
    """At one price the capacity type decides before the scope."""  # Z-52
    closed = Observed(blocked=blocked_by(Failure.ALLOCATION, size("D8_v4"), "japaneast-1", SPOT, ZONES))
    only_spot = tuple(b for b in closed.blocked if b.capacity_type == SPOT)
    pool_types = types(catalog=with_prices(D8_v4=0.5), observed=Observed(blocked=only_spot))
    (choice,) = choices(pool_types.values(), ANYTHING)
    assert (choice.offering.capacity_type, choice.zones) == (SPOT, ("0",))


def test_six_sizes_of_one_price_resolve_by_name():
    """The first of plain string order; those of the newest versions cost the same and are looked away from."""  # Z-53
    wanted = wanting(**{"karpenter.sh/capacity-type": ON_DEMAND, "karpenter.azure.com/sku-family": "D"})
    listed = {name: t for name, t in types().items() if label(t, "sku-version") in ("4", "5")}
    tied = [c for c in choices(listed.values(), wanted) if c.offering.price == 0.124]
    names = [c.type.name.removeprefix("Standard_") for c in tied]
    assert names == ["D2_v4", "D2_v5", "D2a_v4", "D2as_v4", "D2s_v4", "D2s_v5"]


def test_a_failed_allocation_closes_larger_sisters_in_the_same_scope():
    """Both capacity types; the other scope and smaller sizes stay open."""  # Z-55
    blocked = blocked_by(Failure.ALLOCATION, size("D8_v4"), "japaneast-2", ON_DEMAND, ZONES)
    assert {b.seconds for b in blocked} == {3600}
    pool_types = types(observed=Observed(blocked=blocked))
    for name in ("D8_v4", "D16_v4", "D32_v4", "D48_v4", "D64_v4"):
        assert is_open(pool_types[name]) == {("0", SPOT), ("0", ON_DEMAND)}
    assert is_open(pool_types["D4_v4"]) == is_open(pool_types["D8s_v4"]) == {(z, c) for z in ZONES for c in (SPOT, ON_DEMAND)}


def test_a_used_up_spot_quota_closes_all_spot():
    """Of every size, for an hour."""  # Z-56
    (blocked,) = blocked_by(Failure.SPOT_QUOTA, size("D8_v4"), "japaneast-2", SPOT, ZONES)
    assert blocked.seconds == 3600
    pool_types = types(observed=Observed(blocked=(blocked,)))
    assert {kind for t in pool_types.values() for _, kind in is_open(t)} == {ON_DEMAND}
    assert types(observed=Observed(quota_left={"lowPriorityCores": 0})).keys() == pool_types.keys()


MINUTE, HOUR = 60, 3600


@pytest.mark.parametrize(
    ("failure", "capacity_type", "zones", "kinds", "seconds"),
    [
        (Failure.OTHER, SPOT, {"japaneast-1"}, {SPOT}, {3 * MINUTE}),
        (Failure.FAMILY_QUOTA, ON_DEMAND, {""}, {ON_DEMAND}, {10 * MINUTE}),
        (Failure.NO_FAMILY_QUOTA, ON_DEMAND, {""}, {ON_DEMAND}, {HOUR}),
        (Failure.SIZE_NOT_AVAILABLE, SPOT, ZONES - {"0"}, {SPOT}, {HOUR}),
        (Failure.SIZE_NOT_AVAILABLE, ON_DEMAND, ZONES - {"0"}, {ON_DEMAND}, {23 * HOUR}),
        (Failure.ZONAL_ALLOCATION, ON_DEMAND, {"japaneast-1"}, {SPOT, ON_DEMAND}, {HOUR}),
        (Failure.ALLOCATION, ON_DEMAND, ZONES - {"0"}, {SPOT, ON_DEMAND}, {HOUR}),
        (Failure.OVERCONSTRAINED_ZONAL, ON_DEMAND, {"japaneast-1"}, {ON_DEMAND}, {HOUR}),
        (Failure.OVERCONSTRAINED, ON_DEMAND, ZONES - {"0"}, {ON_DEMAND}, {HOUR}),
        (Failure.NOT_OPEN, ON_DEMAND, {""}, {SPOT, ON_DEMAND}, {23 * HOUR}),
        (Failure.REGIONAL_QUOTA, ON_DEMAND, set(), set(), set()),
    ],
)
def test_what_each_failure_closes(failure, capacity_type, zones, kinds, seconds):
    """An empty zone stands for all; where the whole location's quota is used up nothing is closed."""
    blocked = blocked_by(failure, size("D8_v4"), "japaneast-1", capacity_type, ZONES)
    assert {b.zone for b in blocked} == zones
    assert {b.capacity_type for b in blocked} == kinds
    assert {b.seconds for b in blocked} == seconds


def test_retries_go_down_the_list():
    """With each choice closed after its failure the next one is taken."""
    wanted = wanting(**{"karpenter.azure.com/sku-cpu": "8", "karpenter.sh/capacity-type": ON_DEMAND})
    expected, blocked = [c.type.name for c in choices(types().values(), wanted)[:3]], ()
    for name in expected:
        choice = choices(types(observed=Observed(blocked=blocked)).values(), wanted)[0]
        assert choice.type.name == name
        failed = size(name.removeprefix("Standard_"))
        blocked += tuple(replace(b, family="") for b in blocked_by(Failure.NOT_OPEN, failed, "0", ON_DEMAND, ZONES))


@pytest.mark.parametrize(
    ("family", "version", "line"),
    [
        ("Ubuntu", "1.33", "22.04"),
        ("Ubuntu", "v1.34.2", "24.04"),
        ("AzureLinux", "1.31", "2"),
        ("AzureLinux", "1.32", "3"),
        ("Ubuntu2204", "1.34", "22.04"),
        ("Ubuntu2404", "1.33", "24.04"),
    ],
)
def test_the_line_of_images_follows_kubernetes(family, version, line):
    """Unless the family names one."""  # Z-57
    assert image_line(family, version) == line


def test_hardened_lines_stay_behind():
    """FIPS has 20.04, with trusted launch 22.04."""  # Z-57
    assert image_line("Ubuntu", "1.34", fips=True) == "20.04"
    assert image_line("Ubuntu", "1.34", fips=True, trusted=True) == image_line("Ubuntu", "1.34", trusted=True) == "22.04"


def test_a_class_is_bought_where_it_says():
    """`zones` of a call are the only open ones."""
    from cutlist.providers.azure.provider import instance_types

    found = {t.name: t for t in instance_types(node_class(), JAPAN, zones=["japaneast-2"])}
    assert {zone for zone, _ in is_open(found["Standard_D8_v4"])} == {"japaneast-2"}


@pytest.mark.thorough
@pytest.mark.slow
def test_the_sizes_of_a_location_are_made_quickly():
    """A fresh interpreter takes under 60 ms for the largest one; machines under load get more time here."""
    code = (
        "import gc, time\nfrom cutlist import AKSNodeClass\nfrom cutlist.catalog.embedded import load_location\n"
        "from cutlist.providers.azure.provider import instance_types\nown = AKSNodeClass(name='a')\ngc.collect()\n"
        "start = time.process_time()\ninstance_types(own, load_location('eastus'))\nprint(time.process_time() - start)"
    )
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3))
    assert any(float(run.stdout) < 0.15 for run in runs)  # the first that is quick is enough


def test_an_offering_ranks_by_capacity_type_and_scope():
    """What orders offerings of equal price."""  # Z-51 Z-52
    ranked: list[Offering] = sorted(types()["D8_v4"].offerings, key=lambda o: o.rank)
    assert [(o.capacity_type, o.zone == "0") for o in ranked[::3]] == [(SPOT, False), (SPOT, True), (ON_DEMAND, False)][:3]
