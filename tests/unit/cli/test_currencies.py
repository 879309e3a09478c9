"""The currency of the catalogue stands in every form of every answer, in place of dollars."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist.catalog.own_files import DATA
from cutlist_cli import main

SHOP = Path(__file__).resolve().parents[3] / "examples/shop"
POOLS, WORKLOADS, SNAPSHOT = (str(SHOP / f"{name}.yaml") for name in ("pools", "workloads", "snapshot"))
NEXT = str(SHOP / "next/pools.yaml")
ANSWERS = {
    "plan": ("plan", "-f", POOLS, "-f", WORKLOADS, "--restrictions"),
    "advice": ("plan", "-f", str(SHOP / "devices/gang.yaml")),
    "simulate": ("simulate", "-f", POOLS, "-f", WORKLOADS, "--days", "0.2"),
    "runs": ("simulate", "-f", POOLS, "-f", WORKLOADS, "--days", "0.2", "--seeds", "2", "--against", NEXT),
    "types": ("types", "-f", POOLS, "--limit", "3"),
    "nodes": ("nodes", "-f", POOLS, "-f", SNAPSHOT),
    "disrupt": ("disrupt", "-f", POOLS, "-f", SNAPSHOT),
    "interrupt": ("interrupt", "-f", POOLS, "-f", SNAPSHOT),
    "explain": ("explain", "deployment/web", "-f", POOLS, "-f", WORKLOADS),
    "diff": ("diff", POOLS, NEXT, "-f", WORKLOADS),
    "gate": ("gate", "-f", POOLS, "-f", WORKLOADS),
    "suggest": ("suggest", "-f", POOLS, "-f", WORKLOADS, "--plans", "20"),
    "upgrade": ("upgrade", "--from", "1.14.0", "--target", "1.15.0", "-f", POOLS, "-f", WORKLOADS, "-f", SNAPSHOT),
}
DOLLARS = re.compile(r"\$(?=[\d/.]|\b|$)|\$\)")


@pytest.fixture(scope="module")
def euros(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue whose prices of us-west-2 are in euros."""
    folder = tmp_path_factory.mktemp("euros")
    (folder / "aws/regions").mkdir(parents=True)
    for name in ("machines.tsv", "services.tsv"):
        shutil.copy(DATA / "aws" / name, folder / "aws" / name)
    for region in ("us-west-2", "eu-west-1"):
        text = (DATA / "aws/regions" / f"{region}.tsv").read_text()
        changed = text.replace("# currency: USD", "# currency: EUR") if region == "us-west-2" else text
        (folder / "aws/regions" / f"{region}.tsv").write_text(changed)
    return folder


def shown(words: tuple[str, ...], euros: Path, form: str) -> str:
    result = CliRunner().invoke(main, [*words, "--catalog", str(euros), "--region", "us-west-2", "-o", form])
    assert result.exit_code in (0, 1), result.output
    return re.sub(r"<(script|style).*?</\1>", "", result.stdout, flags=re.DOTALL)


@pytest.mark.sampled(one_in=6)
@pytest.mark.parametrize(("name", "form"), [(n, form) for n in ANSWERS for form in ("text", "markdown", "html")])
def test_no_amount_is_in_dollars(euros: Path, name: str, form: str) -> None:
    text = shown(ANSWERS[name], euros, form)
    found = DOLLARS.search(text)
    assert found is None, text[max(found.start() - 80, 0) : found.end() + 40]
    assert "EUR" in text or name in ("gate", "upgrade")


def test_disks_that_are_priced_in_another_currency_are_of_unknown_price(euros: Path) -> None:
    """An amount of dollars is never added to one of euros."""
    assert "without disks" in shown(ANSWERS["plan"], euros, "text")


def test_prices_in_several_currencies_have_no_sum(euros: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SHOP)
    result = CliRunner().invoke(main, ["plan", "--all", "--catalog", str(euros)])
    assert result.exit_code == 0, result.output
    first, *_ = result.stdout.splitlines()
    assert first == "Prices in EUR and USD: 5 nodes for 16 pods in 2 environments"
    rows = {line.split()[0]: line.split() for line in result.stdout.splitlines() if line.startswith(("shop", "search", "all"))}
    assert "EUR" in rows["shop"]
    assert any(cell.startswith("$") for cell in rows["search"])
    assert rows["all"][3] == "-"
