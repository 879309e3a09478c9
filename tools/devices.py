"""Take the device tables of a release of Karpenter's AWS provider into the catalogue.

    python -m tools.devices VERSION DATE DEVICES.json

`DEVICES.json` is what the program `devices` of tools/oracle/aws prints for that release, DATE the day of the release. Rows that
are as before stay as they are; what the release changes or removes ends with it, and what it adds begins with it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from cutlist.catalog.devices import ADAPTER_COLUMNS, ADAPTERS, GPU_COLUMNS, GPUS
from cutlist.catalog.format import Source, Table, read_table, write_table
from cutlist.catalog.own_files import DATA
from cutlist.core.errors import CutlistError, Place
from cutlist.core.karpenter.versions import read_version
from cutlist.providers.aws.devices import EFA_DRIVER, GPU_DRIVER

_AT: Final = slice(3, -1)
"""The cells of a row that say what the devices are, between releases and source."""
_ROOT: Final = "resource.kubernetes.io/pcieRoot"

Cells = tuple[str, ...]


def _gpu_cells(devices: Sequence[Mapping[str, Any]]) -> Cells:
    """Return the cells of the GPUs of an instance type. Raises ValueError if they differ in more than their root."""
    names = ("productName", "architecture", "brand", "cudaComputeCapability")
    kinds = {(*(_value(d, name) for name in names), d["capacity"]["memory"]["value"]) for d in devices}
    odd = {name for d in devices for name in d["attributes"]} - {*names, _ROOT, "type"}
    odd |= {name for d in devices for name in d["capacity"]} - {"memory"}
    if len(kinds) > 1 or odd or {_value(d, "type") for d in devices} != {"gpu"}:
        raise ValueError(f"GPUs of a form that the table cannot hold: {kinds} {sorted(odd)}")
    return (*kinds.pop(), list_cell(_value(d, _ROOT) for d in devices))


def _adapter_cells(devices: Sequence[Mapping[str, Any]]) -> Cells:
    lists = (_ROOT, f"{EFA_DRIVER}/pciSubsystem", f"{EFA_DRIVER}/numaNode", f"{EFA_DRIVER}/rdma")
    same = {f"{EFA_DRIVER}/pciDevice": "Elastic Fabric Adapter (EFA)", f"{EFA_DRIVER}/pciVendor": "Amazon.com, Inc."}
    odd = {name for d in devices for name in d["attributes"]} - {*lists, *same}
    if odd or any(_value(d, name) != value for d in devices for name, value in same.items()):
        raise ValueError(f"adapters of a form that the table cannot hold: {sorted(odd)}")
    return tuple(list_cell(_value(d, name) for d in devices) for name in lists)


def list_cell(values: Iterable[str]) -> str:
    """Return the cell that holds a list of values."""
    runs = ((value, len(list(same))) for value, same in groupby(values))
    return "+".join(value if count == 1 else f"{count}*{value}" for value, count in runs)


def _value(device: Mapping[str, Any], name: str) -> str:
    (value,) = device["attributes"].get(name, {"string": ""}).values()
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def taken(table: Table, version: str, code: str, found: Mapping[str, Cells]) -> list[Cells]:
    """Return the rows of a table with those of a release taken in, whose source has this code."""
    rows, same = [], set()
    for row in table.rows:
        if row[2]:
            rows.append(row)
        elif found.get(row[0]) == row[_AT]:
            rows.append(row)
            same.add(row[0])
        else:
            rows.append((*row[:2], version, *row[3:]))
    return rows + [(name, version, "", *cells, code) for name, cells in found.items() if name not in same]


def _written(path: Path, columns: Sequence[str], version: str, source: Source, found: Mapping[str, Cells]) -> str:
    place = Place(path.name)
    if path.exists():
        table = read_table(path.read_text("utf-8"), place)
    else:
        content = path.stem
        table = Table({"vendor": "aws", "content": content}, {}, tuple(columns), ())
    code = "K" + version.replace(".", "")
    return write_table(table.header, {**table.sources, code: source}, columns, taken(table, version, code, found))


def _found(listed: Mapping[str, Any], driver: str, cells: Callable[[Sequence[Mapping[str, Any]]], Cells]) -> dict[str, Cells]:
    slices = ((name, part) for name, each in listed.items() for part in each["resourceSliceTemplates"])
    return {name: cells(part["devices"]) for name, part in slices if part["driver"] == driver}


def main(arguments: Iterable[str]) -> int:
    """Write both tables, and say how many types each has."""
    try:
        written, date, file = arguments
        version = str(read_version(written))
    except (ValueError, CutlistError) as problem:
        sys.stderr.write(f"{problem}\n\n{__doc__}")
        return 2
    listed = json.loads(Path(file).read_text("utf-8"))
    source = Source(date, f"tables of GPUs and EFA of github.com/aws/karpenter-provider-aws {version} (Apache-2.0)")
    tables = ((GPUS, GPU_COLUMNS, GPU_DRIVER, _gpu_cells), (ADAPTERS, ADAPTER_COLUMNS, EFA_DRIVER, _adapter_cells))
    for name, columns, driver, cells in tables:
        found = _found(listed, driver, cells)
        path = DATA / "aws" / name
        path.write_text(_written(path, columns, version, source, found), "utf-8")
        sys.stdout.write(f"{name}: {len(found)} instance types in {version}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
