"""Make the inputs of a plan from objects that were read; their mistakes are reported together with those of reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cutlist.api.built_in import AKS_POOLS
from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.current_objects import with_current_versions
from cutlist.api.external_classes import with_external_classes
from cutlist.api.nodepool import NodePool
from cutlist.api.read import Objects, read_objects
from cutlist.api.versions import is_karpenters
from cutlist.catalog.embedded import load_chosen, locations
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import InputError, NotChosenError, Place, Problem, Problems, nearest
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.notes import Note, Notes
from cutlist.core.services import AUTOMATIC, chosen_rules
from cutlist.documents.document import Document
from cutlist.documents.regions import NamedRegion
from cutlist.planning.attach_settings import attach_setting_notes, attach_settings
from cutlist.planning.azure.daemons import with_own_daemons
from cutlist.planning.azure.findings import ultra_warnings
from cutlist.planning.beside.reading import read_groups
from cutlist.planning.built_in_signs import EKSCTL, with_cluster_config
from cutlist.planning.controller_settings import ControllerSettings
from cutlist.planning.device_objects import device_inventory, require_claims_are_planned
from cutlist.planning.figures import NOTHING_KNOWN, Figures, read_figures
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.karpenter_choice import (
    aws_gates,
    default_spread_of,
    notes_on_choice,
    with_karpenter,
    with_policies,
    without_gated,
)
from cutlist.planning.known_subnets import with_known_subnets
from cutlist.planning.missing_pools import add_missing_pool, check_classes, require_known_class
from cutlist.planning.one_by_one import check_buffers, check_one_by_one
from cutlist.planning.paid_prices import with_paid_prices
from cutlist.planning.pod_network import pod_network
from cutlist.planning.region_signs import with_region_of_input
from cutlist.planning.running_controller import with_running_controller
from cutlist.planning.services import check_gates_of_service, service_of_region, with_service
from cutlist.providers import eks_auto
from cutlist.providers.azure.built_in import built_in_pools, made_classes
from cutlist.providers.lint import unknown_values
from cutlist.providers.lint.instance_store import without_instance_store
from cutlist.scheduling.capacitybuffers import POD_TEMPLATE, check_templates, read_buffers
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.settings.planning import KARPENTER, ZONES, PlanSettings, with_defaults
from cutlist.state.checks import check_cluster
from cutlist.state.cluster import Cluster
from cutlist.state.statuses import with_readable_statuses
from cutlist.workloads.default_selectors import check_selectors
from cutlist.workloads.kinds import kind_of
from cutlist.workloads.owners import key_of
from cutlist.workloads.read import Workloads, read_workloads


def inputs_of(
    documents: Iterable[Document],
    settings: PlanSettings,
    problems: Problems,
    notes: Notes,
    source: str,
    figures: Mapping[str, Any] = NOTHING_KNOWN,
    configured: Callable[[], Sequence[NamedRegion]] = tuple,
    catalog: AnyRegion | None = None,
) -> PlanInputs:
    """Return the inputs of a plan from objects that were read.

    `source` names the files together; `problems` and `notes` hold those of the reading. `configured` gives the regions that
    configurations beside the objects name; it is called if no region is given. `catalog` is that of the region where the
    caller has it already. Raises InputError with these problems and every further one, as `read_inputs` does.
    """
    require_one_environment(notes)
    all_read, written, settings = not problems, settings, with_defaults(settings)
    on_azure = settings["region"] in locations()
    documents = with_current_versions(with_readable_statuses(documents, notes), problems, notes, on_azure=on_azure)
    settings = with_region_of_input(with_cluster_config(settings, documents, notes), documents, configured, notes, problems)
    catalog = _catalog_of(settings, problems) if catalog is None else catalog
    merged = read_figures(documents, catalog, problems, figures)
    service = service_of_region(catalog, documents, merged)
    baseline, version_notes = chosen_rules(settings["karpenter"], service, Place.of(KARPENTER), problems)
    merged = replace(merged, controller=_controller_of(merged, documents, settings, catalog, baseline, problems))
    merged = with_paid_prices(merged, settings["paid"], settings["paid_as"], catalog, problems)
    objects = _objects_of(documents, settings, merged, catalog, baseline, problems, notes)
    if all_read and not (objects.written_pools or objects.node_pools or settings["built_in_pools"]):
        add_missing_pool(source, documents, catalog, notes, problems)
    inputs = _checked_inputs(documents, objects, catalog, settings, merged, problems, notes)
    auto = _auto_settings(settings["overhead_profile"], problems)
    default_spread = default_spread_of(settings["scheduler_config"], baseline, problems)
    if default_spread:
        check_selectors(documents, problems)
    problems.raise_if_any()
    if inputs is None:
        raise InputError(problems.ordered())
    chosen = without_gated(with_policies(with_service(with_karpenter(inputs, baseline))))
    return replace(
        chosen,
        auto=auto,
        options=replace(chosen.options, default_spread=default_spread),
        warnings=(
            *chosen.warnings,
            *version_notes,
            *notes_on_choice(baseline, inputs.documents, chosen.figures.controller),
        ),
        source=source,
        account=notes.ledger.closed(),
        settings={**written, "region": inputs.catalog.region},
        known=figures,
    )


def require_one_environment(notes: Notes) -> None:
    """Raise NotChosenError if the files are those of several clusters, or of one that other files only belong to.

    Their mistakes matter once one of them is chosen.
    """
    environments = notes.ledger.environments
    several = f"is one of {len(environments)} environments, each a cluster by itself"
    what = several if len(environments) > 1 else "is a cluster, which the other files are parts of"

    def of_verb(verb: str) -> Sequence[Problem]:
        problems = Problems()
        for environment in environments:
            problems.add(Place(environment.name), f"{what} ({environment.holds})", environment.command_of(verb))
        return problems.ordered()

    if environments:
        raise NotChosenError(of_verb)


def _controller_of(
    figures: Figures,
    documents: Sequence[Document],
    settings: PlanSettings,
    catalog: AnyRegion | None,
    karpenter: Baseline,
    problems: Problems,
) -> ControllerSettings:
    """Return what the controller runs with: as settings say, else figures, else the controller among the objects."""
    gates = aws_gates(settings["feature_gates"], karpenter, catalog, problems)
    controller = with_running_controller(figures.controller.with_aws_gates(gates), documents)
    if not settings["dra"]:
        return controller
    require_claims_are_planned(karpenter, problems)
    return controller.planning_claims()


def _objects_of(
    documents: Sequence[Document],
    settings: PlanSettings,
    figures: Figures,
    catalog: AnyRegion | None,
    karpenter: Baseline,
    problems: Problems,
    notes: Notes,
) -> Objects:
    """Return Karpenter's objects with those that the cloud has built in and the classes that are said to exist elsewhere."""
    objects = read_objects(documents, problems, karpenter, figures.controller.aws_gates(karpenter))
    objects = _with_built_in(objects, settings["built_in_pools"], catalog, problems)
    check_gates_of_service(settings["feature_gates"], objects.node_pools, figures, problems)
    objects = with_external_classes(objects, settings["external_classes"], problems, notes)
    require_known_class(objects, problems)
    return objects


def _checked_inputs(
    documents: Sequence[Document],
    objects: Objects,
    catalog: AnyRegion | None,
    settings: PlanSettings,
    figures: Figures,
    problems: Problems,
    notes: Notes,
) -> PlanInputs | None:
    """Return the inputs that the documents make, or None if there is any problem or no region."""
    zones, replicas = settings["zones"], tuple(settings["replicas"])
    workloads = read_workloads(objects.rest, problems, notes, replicas)
    check_classes(objects, problems, notes)
    warnings = _checked_names(zones, objects, catalog, problems)
    check_cluster(documents, problems)
    network = pod_network(documents, on_azure=catalog is not None and is_azure(catalog))
    figures = replace(figures, addresses=with_known_subnets(figures.addresses, documents, network, problems))
    check_one_by_one(workloads.groups, problems)
    if objects.capacity_buffers:
        check_templates(documents, problems)
    if catalog is None or problems:
        return None
    buffers = read_buffers(objects.capacity_buffers, (d.data for d in documents))
    check_buffers(buffers, documents, problems)
    if problems:
        return None
    pools, classes = _sorted(objects)
    if figures.aks.is_automatic:
        classes = (*classes, *made_classes(pools, classes, AUTOMATIC))
    pools = eks_auto.with_default_policies(pools, figures.eks_version or _version_of_nodes(documents))
    workloads = replace(workloads, passed_over=_passed_over(workloads.passed_over, objects.capacity_buffers, documents))
    if is_azure(catalog):
        workloads = _with_aks_daemons(workloads, figures)
        warnings += ultra_warnings(pools, workloads)
    else:
        warnings += without_instance_store(pools, classes, catalog.machines)
    attached = attach_settings(figures.volumes, documents, workloads.daemons, on_azure=is_azure(catalog))
    warnings += attach_setting_notes(attached)
    return PlanInputs(
        catalog,
        pools,
        classes,
        workloads,
        Cluster.read((d.data for d in documents), registry=catalog.registry),
        tuple(zones),
        figures=figures,
        warnings=tuple(warnings),
        overlays=tuple(map(NodeOverlay.of, objects.node_overlays)),
        buffers=buffers,
        documents=tuple(documents),
        devices=device_inventory(documents, catalog.registry, problems),
        replicas=replicas,
        assumed_disks=objects.assumed_disks,
        node_groups=read_groups(documents, figures.node_groups, on_azure=is_azure(catalog)),
        attach_settings=attached,
    )


def with_workloads_of(inputs: PlanInputs, documents: Sequence[Document]) -> PlanInputs:
    """Return the inputs with workloads from other documents than those they were read from. Nodes and the pods on them stay.
    Raises InputError with every mistake.
    """
    problems = Problems()
    others = (d for d in documents if not is_karpenters(d.api_version, d.kind))
    workloads = read_workloads(others, problems, Notes(), inputs.replicas)
    problems.raise_if_any()
    before = inputs.workloads
    workloads = replace(workloads, passed_over=before.passed_over, notes=before.notes)
    if is_azure(inputs.catalog):
        workloads = _with_aks_daemons(workloads, inputs.figures)
    return replace(inputs, workloads=workloads, documents=tuple(documents))


def _with_aks_daemons(workloads: Workloads, figures: Figures) -> Workloads:
    return with_own_daemons(workloads, figures.aks)


def _version_of_nodes(documents: Iterable[Document]) -> str:
    """Return the newest version of Kubernetes that a node reports, which is the control plane's or older."""
    infos = ((d.data.get("status") or {}).get("nodeInfo") or {} for d in documents if d.kind == "Node")
    return eks_auto.newest_version(str(info.get("kubeletVersion", "")) for info in infos)


def _passed_over(
    counts: Mapping[str, int], buffers: Sequence[CapacityBuffer], documents: Sequence[Document]
) -> Mapping[str, int]:
    """Return how many objects of each kind are ignored, not counting PodTemplates for which CapacityBuffers keep room,
    nor ClusterConfigs of eksctl."""
    counts = {kind: count for kind, count in counts.items() if kind != f"{EKSCTL[1]} ({EKSCTL[0]})"}
    if not buffers:
        return counts
    _, kind = POD_TEMPLATE
    used = {(b.namespace, kind, b.pod_template_ref.name) for b in buffers if b.pod_template_ref is not None}
    templates = sum(key_of(d.data) in used for d in documents if kind_of(d.data) == POD_TEMPLATE)
    rest = {**counts, kind: counts.get(kind, 0) - templates}
    return {kind: count for kind, count in rest.items() if count}


def _with_built_in(objects: Objects, names: Sequence[str], catalog: AnyRegion | None, problems: Problems) -> Objects:
    """Return the objects with the cloud's built-in NodePools that are switched on and not among the objects."""
    on_azure = is_azure(catalog) if catalog is not None else bool(names) and set(names) <= set(AKS_POOLS)
    try:
        pools = _aks_pools(names) if on_azure else eks_auto.built_in_pools(names)
    except InputError as error:
        problems.extend(error.problems)
        return objects
    written = {p.name for p in objects.written_pools}
    return replace(objects, node_pools=(*objects.node_pools, *(p for p in pools if p.name not in written)))


def _aks_pools(names: Sequence[str]) -> tuple[NodePool, ...]:
    return built_in_pools(names)


def _auto_settings(overhead_profile: str, problems: Problems) -> eks_auto.AutoSettings:
    try:
        return eks_auto.AutoSettings(overhead_profile)
    except InputError as error:
        problems.extend(error.problems)
        return eks_auto.AutoSettings()


def _sorted(objects: Objects) -> tuple[tuple, tuple]:  # type: ignore[type-arg]
    """Return objects by name, so that the order of files does not affect a plan."""
    by_name = lambda o: o.name  # noqa: E731
    classes = (*objects.node_classes, *objects.aks_node_classes)
    return tuple(sorted(objects.node_pools, key=by_name)), tuple(sorted(classes, key=by_name))


def _catalog_of(settings: PlanSettings, problems: Problems) -> AnyRegion | None:
    """Return the catalogue of the region, or None without a region or for an unknown one, which adds a problem."""
    region = settings["region"]
    if region is None:
        return None
    try:
        return load_chosen(settings["catalog"], region)
    except InputError as error:
        problems.extend(error.problems)
        return None


def _checked_names(zones: Sequence[str], objects: Objects, catalog: AnyRegion | None, problems: Problems) -> list[Note]:
    """Return notes on names that NodePools use; zones that the region does not have are refused."""
    if catalog is None:
        return []
    known = [z.name for z in catalog.zones]
    for zone in zones:
        if zone not in known:
            text = f"zone {zone!r} is not in {catalog.region}"
            problems.add(Place.of(ZONES), text, ", ".join(known), "" if zone == catalog.region else nearest(zone, known))
    return unknown_values(objects.written_pools, catalog, problems)
