"""The pages on AKS and EKS Auto Mode, which list what the service decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.services import AKS, EKS_AUTO, Service

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "service"), [("aks", AKS), ("auto-mode", EKS_AUTO)])
def test_a_page_has_each_gate_of_the_service_as_the_table_has_it(page: str, service: Service):
    """With its state and its date, and each NodePool that the service makes."""  # Z-73, V-142
    text = (DOCS / f"{page}.md").read_text()
    rows = _rows(text.split("## What the service decides")[1].split("\n## ")[0])
    assert service.version_from.date in rows["Karpenter"]
    for state in service.gates:
        row = rows[f"`{state.gate}`"]
        assert row.split("|")[2].strip().startswith(state.state), row
        assert state.source.date in row
    assert all(f"`{gate}`" in rows for gate in service.unknown_gates)
    assert {f"`{pool.name}`" for pool in service.pools} <= _rows(text).keys()


def _rows(text: str) -> dict[str, str]:
    return {line.split("|")[1].strip(): line for line in text.splitlines() if line.startswith("| ")}


def test_the_page_on_aks_names_each_limit_with_its_date():
    text = (DOCS / "aks.md").read_text()
    section = text.split("## What a cluster cannot have")[1].split("\n## ")[0]  # Z-74
    assert {limit.source.date for limit in AKS.limits} <= {word.strip(" |") for word in section.replace(",", " ").split()}
