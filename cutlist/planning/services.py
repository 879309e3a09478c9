"""The services behind the NodePools of an input: which Karpenter they run, and with which feature gates (Z-73, V-142).

What a service decides is a fact about it, so the user's settings of a controller do not count there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.written import class_group_of
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import NO_AZURE_RELEASE, Baseline
from cutlist.core.labels import AZURE_GROUP
from cutlist.core.notes import Note
from cutlist.core.services import AKS, SERVICES, RunningService, Service, chosen_rules, rules_of
from cutlist.documents.document import Document
from cutlist.planning.controller_settings import ControllerSettings
from cutlist.planning.controllers import split_by_controller
from cutlist.planning.figures import Figures
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.planning import FEATURE_GATES, KARPENTER

VERSION: Final = "service-version"
"""The code of the note on which Karpenter a service runs."""
GATE: Final = "service-gate"
"""The code of the note that a feature gate of the user's settings does not count, since a service sets it."""


def service_of_region(catalog: AnyRegion | None, documents: Iterable[Document], figures: Figures) -> Service | None:
    """Return the service whose Karpenter's version counts where the user names none: AKS in a location of Azure, whoever
    installs Karpenter there, and without a region if the objects are for AKS."""
    if catalog is not None:
        return AKS if is_azure(catalog) else None
    return AKS if figures.aks.is_self_hosted or AKS in services_in(documents) else None


def services_in(documents: Iterable[Document]) -> tuple[Service, ...]:
    """Return the services that node classes, NodePools and NodeClaims are for, by the group of their class, in the order of
    their names."""
    groups = {group for d in documents for group in (d.api_version.partition("/")[0], class_group_of(d.data))}
    return _of_groups(groups)


def _of_groups(groups: Collection[str]) -> tuple[Service, ...]:
    return tuple(sorted((service for service in SERVICES if service.group in groups), key=lambda service: service.name))


@dataclass(frozen=True, slots=True)
class RulesByService:
    """The Karpenter whose rules apply to objects: `karpenter` for those of no service. `is_chosen` says that the user named it;
    otherwise objects for a service have the rules of what it runs."""

    karpenter: Baseline
    is_chosen: bool = False

    @staticmethod
    def chosen(text: str | None, documents: Sequence[Document], problems: Problems) -> tuple[RulesByService, tuple[Note, ...]]:
        """Return the rules that a user's text names, else those of the only service that the objects are for, else the default
        ones, with a note if they are those of another release. A text that names none is a problem."""
        services = services_in(documents)
        groups = {service.group for service in SERVICES}
        has_others = any(d.kind == EC2NodeClass.KIND or class_group_of(d.data) not in ("", *groups) for d in documents)
        only = services[0] if len(services) == 1 and not has_others else None
        baseline, notes = chosen_rules(text, only, Place.of(KARPENTER), problems)
        return RulesByService(baseline, text is not None), notes

    def of_service(self, service: Service) -> Baseline:
        """Return the rules for the objects of a service."""
        return self.karpenter if self.is_chosen or service.core is None else rules_of(service)

    def of(self, document: Document) -> Baseline:
        """Return the rules for an object: those of the service whose class it is or refers to (Z-73)."""
        for service in services_in((document,)):
            return self.of_service(service)
        return self.karpenter

    def running(self, documents: Iterable[Document]) -> tuple[RunningService, ...]:
        """Return the services that the objects are for, each with which Karpenter it runs."""
        services = services_in(documents)
        return tuple(RunningService.of(service, version_text(service, self.of_service(service))) for service in services)

    def notes(self, documents: Iterable[Document]) -> tuple[Note, ...]:
        """Return a note on which Karpenter each service runs that the objects are for."""
        return tuple(Note(VERSION, service.text) for service in self.running(documents))


def services_of(pools: Iterable[NodePool], figures: Figures) -> tuple[Service, ...]:
    """Return the services that launch nodes for NodePools, by name: none for those of a Karpenter that the user runs."""
    groups = {pool.node_class_ref.group for pool in pools}
    if figures.aks.is_self_hosted:
        groups -= {AZURE_GROUP}
    return _of_groups(groups)


def only_service(pools: Iterable[NodePool], figures: Figures) -> Service | None:
    """Return the service that launches the nodes of all NodePools; None if the user runs a Karpenter for some of them."""
    listed = tuple(pools)
    services = services_of(listed, figures)
    own = [pool for pool in listed if all(pool.node_class_ref.group != service.group for service in services)]
    return services[0] if len(services) == 1 and not own else None


def inputs_by_service(inputs: PlanInputs) -> dict[str, PlanInputs]:
    """Return the inputs of each controller by its name, with the feature gates of a service for the NodePools of one."""
    parts = {name: replace(inputs, node_pools=pools) for name, pools in split_by_controller(inputs.node_pools).items()}
    return {name: with_service(part) for name, part in parts.items()}


def running_services(inputs: PlanInputs) -> tuple[RunningService, ...]:
    """Return the services behind the NodePools, as answers name them."""
    services = services_of(inputs.node_pools, inputs.figures)
    return tuple(RunningService.of(service, version_text(service, inputs.options.karpenter)) for service in services)


def service_notes(inputs: PlanInputs) -> list[Note]:
    """Return a note on each service: which Karpenter it runs, and whose rules are applied."""
    services = running_services(inputs)
    notes = [Note(VERSION, service.text) for service in services]
    chosen = inputs.options.karpenter
    if is_azure(inputs.catalog) and chosen.azure_release is None and inputs.node_pools:
        text = f"the rules of Karpenter {chosen.minor} apply, and {NO_AZURE_RELEASE}: choose that one on AKS"
        notes.append(Note("azure-release", text))
    return notes


def version_text(service: Service, karpenter: Baseline) -> str:
    """Return in words which Karpenter a service runs, and what that means if its rules are not those that are applied."""
    if service.core is None:
        return f"{service.version_words}: the rules of {karpenter} apply"
    if karpenter.minor == rules_of(service).minor:
        return service.version_words
    return f"{service.version_words}; the rules of {karpenter.minor} were chosen"


def with_service(inputs: PlanInputs) -> PlanInputs:
    """Return the inputs of NodePools that one service alone launches, with its feature gates in place of the user's, and a
    warning for each of the user's that differs. Other inputs are unchanged."""
    service = only_service(inputs.node_pools, inputs.figures)
    if service is None or inputs.figures.controller.service is service:
        return inputs
    before = inputs.figures.controller
    warnings = (Note(GATE, text) for text in _differing(before, service))
    figures = replace(inputs.figures, controller=before.of_service(service))
    return replace(inputs, figures=figures, warnings=(*inputs.warnings, *warnings))


def _differing(written: ControllerSettings, service: Service) -> Iterator[str]:
    """Yield the feature gates of the user's settings that are not as the service has them."""
    for gate, is_on in sorted(written.feature_gates.items()):
        state = service.gate_states.get(gate)
        differs = is_on and gate not in service.unknown_gates if state is None else state.is_on != is_on
        if differs:
            yield f"{gate_refusal(service, gate)}; the Figures do not count"


def gate_refusal(service: Service, gate: str) -> str:
    """Return why a user cannot set a feature gate of a service."""
    state = service.gate_states.get(gate)
    known = f"it is {state.state} there ({state.source})" if state is not None else "it is not known to be on there"
    return f"{service.name} sets the feature gates of its Karpenter itself: {gate} is not yours to set, and {known}"


def check_gates_of_service(names: Iterable[str], pools: Iterable[NodePool], figures: Figures, problems: Problems) -> None:
    """Add a problem for each feature gate that a user turns on where one service alone launches nodes and lacks it."""
    service = only_service(pools, figures)
    if service is None or service.group == AZURE_GROUP:  # a gate of AWS in a location of Azure is refused as such
        return
    for name in names:
        problems.add(Place.of(FEATURE_GATES), gate_refusal(service, name), "NodePools of a Karpenter that you run")
