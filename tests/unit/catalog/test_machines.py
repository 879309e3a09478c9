"""Machines of the embedded catalogue: facts, lazy reading, round trip."""

from __future__ import annotations

from dataclasses import fields

import pytest

from cutlist.catalog.embedded import load, machine_names
from cutlist.catalog.format import Source, read_table, write_table
from cutlist.catalog.machines import (
    COLUMNS,
    UNDESCRIBED_FAMILIES,
    UNDESCRIBED_TYPES,
    Gpu,
    Machine,
    Machines,
    Neuron,
    write_machines,
)
from cutlist.core.errors import InputError, Place

PLACE = Place("catalog/machines.tsv")
SOURCES = {"A": Source("2026-10-27", "EC2")}


def values(machine: Machine) -> tuple[object, ...]:
    return tuple(getattr(machine, field.name) for field in fields(machine))


def test_every_machine_survives_writing_and_reading():
    """All fields of all machines of a large region are the same after a round trip."""
    machines = load("us-east-1").machines
    table = read_table(write_machines(machines.values(), {"vendor": "aws"}, SOURCES), PLACE)
    again = Machines.of_table(table, PLACE)
    assert list(again) == sorted(machines)
    assert len(again) > 1300
    assert all(values(again[name]) == values(machines[name]) for name in machines)


def test_m5_large():
    """A well-known type has its well-known figures."""
    m5 = load("us-west-2").machines["m5.large"]
    assert (m5.vcpus, m5.memory_mib, m5.cpu_maker, m5.cpu_ghz, m5.architectures) == (2, 8192, "Intel", 3.1, ("x86_64",))
    assert (m5.network_cards, m5.ipv4_per_interface, m5.trunk_interfaces, m5.network_mbps) == ((3,), 10, 9, 750)
    assert (m5.disk_gb, m5.gpus, m5.neuron, m5.efa_interfaces) == (None, (), (), None)


def test_accelerators():
    """GPUs and Neuron devices are read with count and size, spaces in names kept."""
    machines = load("us-east-1").machines
    assert machines["p5.48xlarge"].gpus == (Gpu("NVIDIA", "H100", 8, 81920),)
    assert machines["inf2.24xlarge"].neuron == (Neuron("Inferentia2", 6, 2),)
    assert load("us-west-2").machines["dl2q.24xlarge"].inference[0].name == "Qualcomm AI100"
    assert len(machines["p5.48xlarge"].network_cards) == 32


def test_missing_facts_are_unknown_not_zero():
    """A clock speed, disk or bandwidth that nobody states is None."""
    machines = load("us-east-1").machines
    assert machines["t1.micro"].cpu_ghz is None
    assert machines["m5.large"].disk_gb is None
    assert machines["c4.large"].network_mbps is None


def test_a_machine_is_one_object_in_all_regions():
    """What is derived from a machine is derived once, since regions share the object."""
    assert load("us-west-2").machines["m5.large"] is load("eu-west-1").machines["m5.large"]


def table_with(**cells: str) -> Machines:
    row = dict(
        zip(COLUMNS, write_machines([load("us-west-2").machines["m5.large"]], {}, {}).splitlines()[-1].split("\t"), strict=True)
    )
    row.update(cells)
    return Machines.of_table(read_table(write_table({}, {}, COLUMNS, [tuple(row.values())]), PLACE), PLACE)


@pytest.mark.parametrize(
    ("column", "cell"), [("vcpus", "two"), ("burstable", "maybe"), ("gpus", "NVIDIA:H100"), ("network_cards", "3")]
)
def test_an_unreadable_cell_names_the_machine(column: str, cell: str):
    """A cell that cannot be read gives one message with file and machine, at the time the machine is asked for."""
    machines = table_with(**{column: cell})
    with pytest.raises(InputError, match=r"machines\.tsv m5\.large: the machine cannot be read"):
        machines["m5.large"]


def test_foreign_columns_are_refused():
    """A file with other columns says which differ."""
    table = read_table(write_table({}, {}, ("type", "colour"), [("m5.large", "red")]), PLACE)
    with pytest.raises(InputError, match=r"columns of machines differ: .*colour"):
        Machines.of_table(table, PLACE)


def test_only_keeps_known_names():
    """A selection holds the named machines that exist, in the order of the names."""
    some = load("us-west-2").machines.only(["m5.large", "no.such", "c5.large"])
    assert list(some) == ["m5.large", "c5.large"]
    assert "no.such" not in some


# VA15-80
def test_a_machine_that_is_not_described_is_in_no_catalogue():
    """It is named as such until its hardware is public."""
    assert len(UNDESCRIBED_TYPES) == 29
    assert UNDESCRIBED_TYPES.isdisjoint(machine_names())
    assert {name.partition(".")[0] for name in UNDESCRIBED_TYPES} == UNDESCRIBED_FAMILIES | {"c7i"}


def test_all_names_are_known_wherever_sold():
    """The names of all machines include those that no region has today."""
    names = machine_names()
    assert len(names) == 1415
    assert set(load("us-west-2").machines) < set(names)
