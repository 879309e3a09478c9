"""The tables of devices: how they are read, and how a release is taken in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.devices import ADAPTER_COLUMNS, ADAPTERS, GPU_COLUMNS, GPUS, read_adapters, read_gpus
from cutlist.catalog.format import Source, Table, read_table, write_table
from cutlist.catalog.own_files import DATA
from cutlist.core.errors import InputError, Place
from cutlist.core.karpenter.versions import read_version
from tests.examples import examples
from tests.recorded import VECTORS
from tools import devices as tool
from tools.devices import list_cell

HERE = Place("devices.tsv")
SOURCES = {"K": Source("2026-11-12", "a table")}
ONE = ("p5.48xlarge", "1.15.0", "", "2*pci0000:44+pci0000:55", "3*efa1", "2*0+1", "2*yes+no", "K")


def table(row: tuple[str, ...], columns: tuple[str, ...] = ADAPTER_COLUMNS) -> Table:
    """A table with one row."""
    return Table({}, SOURCES, columns, (row,))


def test_a_list_in_a_cell_has_equal_neighbours_counted() -> None:
    """All lists of a row are of the same devices."""
    found = read_adapters(table(ONE), HERE).devices("p5.48xlarge", read_version("1.15.2"))
    assert found is not None
    assert [(each.root, each.subsystem, each.numa_node, each.rdma) for each in found] == [
        ("pci0000:44", "efa1", 0, True),
        ("pci0000:44", "efa1", 0, True),
        ("pci0000:55", "efa1", 1, False),
    ]


@given(st.lists(st.sampled_from(["", "a", "b:1"]), min_size=1, max_size=12))
@examples(0.3)
def test_a_list_reads_back_as_it_was_written(roots: list[str]) -> None:
    """Whatever repeats."""
    cells = ("t", "1.15.0", "", list_cell(roots), list_cell([""] * len(roots)), list_cell([""] * len(roots)))
    found = read_adapters(table((*cells, list_cell(["yes"] * len(roots)), "K")), HERE).devices("t", read_version("1.15.0"))
    assert found is not None
    assert [each.root for each in found] == roots


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((*ONE[:4], "efa1", *ONE[5:]), "p5.48xlarge"),
        ((*ONE[:5], "x*0+1", *ONE[6:]), "the devices cannot be read"),
        ((*ONE[:6], "3*maybe", "K"), "the devices cannot be read"),
        ((*ONE[:7], "L"), "the devices cannot be read"),
        (("p5.48xlarge", "1.15", *ONE[2:]), "not an exact version"),
    ],
)
def test_a_cell_that_cannot_be_read_names_its_row(row: tuple[str, ...], said: str) -> None:
    """Devices, releases and sources."""
    with pytest.raises(InputError, match=said) as error:
        read_adapters(table(row), HERE)
    assert "devices.tsv" in str(error.value)


def test_other_columns_are_refused() -> None:
    """Those of the other table, for one."""
    with pytest.raises(InputError, match="the columns are type"):
        read_gpus(table(ONE), HERE)


@pytest.mark.parametrize(("name", "columns"), [(GPUS, GPU_COLUMNS), (ADAPTERS, ADAPTER_COLUMNS)])
def test_taking_both_releases_in_gives_the_tables_that_come_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, columns: tuple[str, ...]
) -> None:
    """A type that changes has two rows, one that is removed has an end, and taking a release in twice changes nothing."""
    (tmp_path / "aws").mkdir()
    monkeypatch.setattr(tool, "DATA", tmp_path)
    for version, day, file in (("1.15.0", "2026-10-10", "1.15.1"), ("1.15.2", "2026-11-12", "1.15.2")):
        listed = tmp_path / f"{file}.json"
        listed.write_text(json.dumps(json.loads((VECTORS / "aws-devices" / f"{file}.json").read_text())[""]), "utf-8")
        for _ in range(2):
            assert tool.main([version, day, str(listed)]) == 0
    made = (tmp_path / "aws" / name).read_text("utf-8")
    assert made == (DATA / "aws" / name).read_text("utf-8")
    read = read_table(made, HERE)
    assert read.columns == columns
    assert write_table(read.header, read.sources, read.columns, read.rows) == made
    if name == GPUS:
        assert [row[:3] for row in read.rows if row[0] == "p4d.24xlarge"] == [
            ("p4d.24xlarge", "1.15.0", "1.15.2"),
            ("p4d.24xlarge", "1.15.2", ""),
        ]
        assert [row[2] for row in read.rows if row[0] == "g6f.large"] == ["1.15.2"]


def test_the_tool_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    """A text that is no version, and too few arguments."""
    assert tool.main(["1.15"]) == tool.main(["1.15", "2026-11-12", "x.json"]) == 2
    assert "python -m tools.devices VERSION DATE DEVICES.json" in capsys.readouterr().err
