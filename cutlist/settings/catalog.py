"""The settings of `catalog`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.setting import Kind, Setting
from cutlist.settings import answers
from cutlist.settings.planning import region_for
from cutlist.settings.suggest import RATES

REGION_OF_SUBNETS: Final = region_for("Region of the subnets.")

REGIONS: Final = Setting(
    "regions",
    "Region to read; repeatable.",
    several=True,
    repeated="",
    otherwise="those that the folder has",
    metavar="REGION",
    option="region",
)
COMPARED_REGIONS: Final = replace(REGIONS, help="Region to compare; repeatable.", otherwise="")
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
PUBLIC: Final = Setting(
    "public",
    "Only read prices, from public files that need no account: list prices, spot prices by zone, savings of spot.",
    Kind.FLAG,
)
FROM_CACHE: Final = Setting("offline", ("Like ", PUBLIC, ", but take the files from the cache only."), Kind.FLAG)
AWS_PRICE_LIST: Final = Setting(
    "aws_price_list",
    ("With ", PUBLIC, ": address above the folders of the services' price lists, such as of a mirror."),
    otherwise="that of AWS, in China of AWS China",
    metavar="URL",
    variables=("CUTLIST_AWS_PRICE_LIST",),
)
SPOT_ADVISOR: Final = Setting(
    "spot_advisor",
    ("With ", PUBLIC, ": address of the Spot Advisor's file."),
    default="https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json",
    metavar="URL",
    variables=("CUTLIST_SPOT_ADVISOR",),
)
SKYPILOT_CATALOG: Final = Setting(
    "skypilot_catalog",
    ("With ", PUBLIC, ": address of the machines of AWS in SkyPilot's catalogue."),
    default="https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v9/aws/vms.csv",
    metavar="URL",
    variables=("CUTLIST_SKYPILOT_CATALOG",),
)
AZURE_PRICE_LIST: Final = Setting(
    "azure_price_list",
    ("With ", PUBLIC, ": address of the server of Azure's retail prices."),
    default="https://prices.azure.com",
    metavar="URL",
    variables=("CUTLIST_AZURE_PRICE_LIST",),
)
PUBLIC_ADDRESSES: Final = (AWS_PRICE_LIST, SPOT_ADVISOR, SKYPILOT_CATALOG, AZURE_PRICE_LIST)
"""Where public prices are read from."""
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


def public_update_of(region: str) -> str:
    """Return the command that reads current prices of a region, without an account."""
    return f"`cutlist catalog update {PUBLIC.flag} {REGIONS.flag} {region}`"


def update_of(region: str) -> str:
    """Return the command that reads what a region sells."""
    return f"`cutlist catalog update {REGIONS.flag} {region}`"
