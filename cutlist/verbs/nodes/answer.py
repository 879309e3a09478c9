"""The nodes of a cluster that was saved to files, or of a plan, as a roster."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from cutlist.catalog.ages import PriceAge
from cutlist.catalog.embedded import load_chosen
from cutlist.catalog.paid import AVERAGE
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import AWS
from cutlist.core.notes import Notes
from cutlist.core.quantity import NANO
from cutlist.documents.collecting import collect_documents
from cutlist.documents.document import Document
from cutlist.documents.files import sources
from cutlist.documents.folders import PLAIN, Reading
from cutlist.infrastructure.readiness import unready_classes
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.opened_plans import require_openable
from cutlist.state.checks import check_cluster
from cutlist.state.cluster import Cluster
from cutlist.state.statuses import with_readable_statuses
from cutlist.verbs.nodes.roster import NodeRow, Roster, roster
from cutlist.workloads.inventory import Inventory

if TYPE_CHECKING:
    from cutlist.planning.cloud import DiskPrices
    from cutlist.planning.figures import Figures
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.pool_types import OverlayPrices


def nodes(inputs: PlanInputs | Plan, plan: Plan | None = None) -> Roster:
    """Return the nodes of a plan, or of a plan's inputs, with the prices of their region, as of the newest instant in them.

    >>> from cutlist import nodes, read_inputs
    >>> running = nodes(read_inputs(["examples/shop/pools.yaml", "examples/shop/snapshot.yaml"], region="us-west-2"))
    >>> [(node.name, node.instance_type) for node in running.nodes][:2]
    [('ip-10-0-1-11', 'c7i.2xlarge'), ('ip-10-0-1-12', 'm7i.xlarge')]
    """
    if isinstance(inputs, Plan):
        return planned_roster(inputs)
    # A cluster without a region, which needs none of these, is shown in half of the time.
    from cutlist.planning.pool_types import disk_prices_by_pool, overlay_prices_by_pool
    from cutlist.planning.services import running_services
    from cutlist.verbs.cluster_state import at_instant

    at, _ = at_instant(inputs, None, plan)
    overlay_prices = overlay_prices_by_pool(at.overlays, at.node_pools, at.node_classes, at.cloud)
    disk_prices = disk_prices_by_pool(at.node_pools, at.node_classes, at.cloud)
    running = roster(at.cluster, at.catalog, at.figures, disk_prices, overlay_prices)
    return replace(running, price_age=at.price_age, services=running_services(at) or None)


def planned_roster(plan: Plan) -> Roster:
    """Return the new nodes of a plan, as full as it makes them and with its prices. Raises InputError for too many of them."""
    from cutlist.planning.node_objects import PLANNED_NAME

    require_openable(plan)
    rows = [row for planned in plan.nodes for row in [_planned_row(planned)] * planned.count]
    named = tuple(replace(row, name=f"{PLANNED_NAME}{number:05d}") for number, row in enumerate(rows, 1))
    pods = sum(row.pods for row in rows)
    return Roster(
        now=0,
        nodes=named,
        running=pods,
        pending=plan.totals.pending,
        bound=pods,
        pods=pods + plan.totals.pending,
        region=plan.region,
        currency=plan.totals.currency or "USD",
        price_age=plan.shown_age,
        services=plan.services or None,
    )


def _planned_row(planned: PlannedNode) -> NodeRow:
    return NodeRow(
        name="",
        pool=planned.node_pool,
        instance_type=planned.instance_type,
        capacity_type=planned.capacity_type,
        zone=planned.zone or next(iter(planned.zones), ""),
        requested=planned.requests,
        allocatable=planned.allocatable,
        pods=planned.requests.get("pods", 0) // NANO,
        price=planned.price,
        disks=planned.disk_price,
        overlay_price=planned.overlay_price,
    )


def read_nodes(
    paths: Sequence[str | os.PathLike[str]],
    *,
    region: str | None = None,
    catalog: str | os.PathLike[str] | None = None,
    paid: str | os.PathLike[str] | None = None,
    paid_as: str = AVERAGE,
    day: date | None = None,
    stdin: str | bytes | None = None,
    allow_empty: bool = False,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
) -> Roster:
    """Return the nodes in files, folders and `-` for standard input; with prices if a region is given.

    `paid` is a table of what the account paid, as `cutlist catalog from-bill` writes it, and `paid_as` what an on-demand node
    costs by it: `contracted`, `committed` or `average`.

    `day` is from when prices age. What of the files was not read is added to `notes`.
    Raises InputError with every mistake, and when there is no node, unless that is allowed.
    """
    problems = Problems(allow_empty=allow_empty)
    documents = with_readable_statuses(collect_documents(paths, problems, stdin, reading, notes), notes)
    Inventory.take(documents, problems)
    check_cluster(documents, problems)
    sold = _sold(region, catalog, problems)
    is_priced = region is not None or paid is not None or paid_as != AVERAGE
    figures = _figures(documents, sold, paid, paid_as, problems) if is_priced else None
    problems.raise_if_any()
    cluster = Cluster.read((d.data for d in documents), registry=sold.registry if sold is not None else AWS)
    prices = _prices_by_pool(documents, sold, figures) if sold is not None and figures is not None else ({}, {})
    running = roster(cluster, sold, figures, *prices)
    if not running.nodes and not running.launching:
        from cutlist.planning.absences import NODES

        problems.add_absence(Place(sources(paths)), "no node is in the input", NODES)
    problems.raise_if_any()
    age = None if sold is None else PriceAge.of(sold, day)
    return replace(running, unready_classes=unready_classes(d.data for d in documents), price_age=age)


def _sold(region: str | None, catalog: str | os.PathLike[str] | None, problems: Problems) -> AnyRegion | None:
    try:
        return load_chosen(catalog, region) if region is not None else None
    except InputError as error:
        problems.extend(error.problems)
        return None


def _figures(
    documents: Sequence[Document],
    sold: AnyRegion | None,
    paid: str | os.PathLike[str] | None,
    paid_as: str,
    problems: Problems,
) -> Figures:
    """Return the user's own figures with what the account paid; figures with mistakes are left out, as other objects are that
    nodes do not depend on."""
    from cutlist.planning.figures import read_figures
    from cutlist.planning.paid_prices import with_paid_prices

    return with_paid_prices(read_figures(documents, sold, Problems()), paid, paid_as, sold, problems)


def _prices_by_pool(
    documents: Sequence[Document], sold: AnyRegion, figures: Figures
) -> tuple[dict[str, DiskPrices], dict[str, OverlayPrices]]:
    """Return the prices of disks and those of NodeOverlays by NodePool; objects with mistakes, which nodes do not depend on,
    are left out."""
    from cutlist.api.read import read_objects
    from cutlist.planning.aws.cloud import AwsCloud
    from cutlist.planning.azure.cloud import AzureCloud
    from cutlist.planning.pool_types import disk_prices_by_pool, overlay_prices_by_pool
    from cutlist.scheduling.nodeoverlays import NodeOverlay

    objects = read_objects(documents, Problems())
    cloud = AzureCloud(sold, figures=figures) if is_azure(sold) else AwsCloud(sold, figures=figures)
    classes = (*objects.node_classes, *objects.aks_node_classes)
    overlays = [NodeOverlay.of(overlay) for overlay in objects.node_overlays]
    disks = disk_prices_by_pool(objects.node_pools, classes, cloud)
    return disks, overlay_prices_by_pool(overlays, objects.node_pools, classes, cloud)
