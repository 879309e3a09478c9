"""The settings of `catalog`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.setting import Kind, Setting
from cutlist.settings import answers
from cutlist.settings.planning import region_for
from cutlist.settings.suggest import RATES

REGION_OF_SUBNETS: Final = region_for("Region of the subnets.")

REGIONS: Final = Setting("regions", "Region to read; repeatable.", several=True, repeated="", metavar="REGION", option="region")
COMPARED_REGIONS: Final = replace(REGIONS, help="Region to compare; repeatable.")
CLOUD: Final = Setting("cloud", "The cloud of the regions.", choices=("aws", "azure"), default="aws")
SAVED: Final = Setting(
    "saved",
    "Folder with saved answers of Azure about one location: skus.json, usage.json, prices.json.",
    Kind.FOLDER,
    metavar="DIR",
    option="from",
)
PRICES: Final = Setting(
    "prices",
    "Only read list prices: of instance types, disks, NAT gateways, endpoints, load balancers and other services.",
    Kind.FLAG,
)
TERM: Final = Setting(
    "term",
    "Term of commitments of which the bill does not say it.",
    choices=("1y", "3y"),
    otherwise="such hours have no rate",
)
RATES_FILE: Final = Setting(
    "rates_file",
    ("Also write what commitments saved, as a table for ", RATES, " of `suggest` and `simulate`."),
    Kind.FILE,
    metavar="FILE",
    option="rates-to",
)
LIMIT: Final = Setting(
    "limit", "Entries to show for each kind, 0 for all.", Kind.WHOLE_NUMBER, default=20, metavar="N", least=0
)
STRICT: Final = answers.strict_about("Exit with 1 if anything differs.")


def update_of(region: str) -> str:
    """Return the command that reads what a region sells."""
    return f"`cutlist catalog update {REGIONS.flag} {region}`"
