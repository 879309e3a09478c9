"""The chosen Karpenter in a plan: its feature gates, its default spread constraints, and what both mean for the input."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from cutlist.api.nodeclaim import NodeClaim
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.karpenter import feature_gates
from cutlist.core.karpenter.baselines import BASELINES, Baseline, chosen_gates
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.notes import Note
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.planning.controller_settings import ControllerSettings
from cutlist.planning.inputs import PlanInputs
from cutlist.providers.aws import node_class_hash
from cutlist.scheduling.scheduler_config import read_scheduler_config
from cutlist.settings.planning import FEATURE_GATES, SCHEDULER_CONFIG
from cutlist.workloads.pods import SpreadConstraint

OTHER_HASHES: Final = "other-hashes"
"""The code of the note that another Karpenter than the chosen one wrote the hashes of NodeClaims."""
GATE_OFF: Final = "feature-gate-off"
"""The code of the note that objects have no effect, since the feature gate that they need is turned off."""
UNKNOWN_GATE: Final = "feature-gate-unknown"
"""The code of the note that a feature gate is turned on that the chosen Karpenter does not have."""


def aws_gates(names: Collection[str], karpenter: Baseline, catalog: AnyRegion | None, problems: Problems) -> frozenset[str]:
    """Return the feature gates that are on. Gates of the AWS provider mean nothing elsewhere: there, each adds a problem."""
    place = Place.of(FEATURE_GATES)
    if names and catalog is not None and is_azure(catalog):
        problems.add(place, f"{', '.join(names)} of Karpenter's AWS provider, in a location of Azure", "a region of AWS")
    return chosen_gates(names, karpenter, place, problems)


def with_aws_gates(inputs: PlanInputs, names: Collection[str], karpenter: Baseline) -> PlanInputs:
    """Return inputs with the feature gates of AWS that this Karpenter runs with, whichever Karpenter they were read for.

    Raises InputError for a gate that it does not have, and for any in a location of Azure.
    """
    problems = Problems()
    gates = aws_gates(names, karpenter, inputs.catalog, problems)
    problems.raise_if_any()
    figures = replace(inputs.figures, controller=inputs.figures.controller.with_aws_gates(gates))
    return with_karpenter(replace(inputs, figures=figures), inputs.options.karpenter)


def with_karpenter(inputs: PlanInputs, karpenter: Baseline) -> PlanInputs:
    """Return the inputs for a Karpenter: with those feature gates of AWS among the figures that it has, and planning claims for
    devices if it does."""
    controller = inputs.figures.controller
    gates, plans_claims = controller.aws_gates(karpenter), controller.plans_claims(karpenter)
    devices = gates & frozenset(feature_gates.DEVICE_GATES) if plans_claims else frozenset[str]()
    settings = replace(inputs.figures.settings, feature_gates=gates, device_gates=devices)
    options = replace(inputs.options, karpenter=karpenter, ignore_dra_requests=not plans_claims)
    return replace(inputs, figures=replace(inputs.figures, settings=settings), options=options)


def with_policies(inputs: PlanInputs) -> PlanInputs:
    """Return the inputs with the scheduler's policies among their figures, and without reserved capacity where it is off."""
    controller = inputs.figures.controller
    options = replace(
        inputs.options,
        respect_preferences=controller.respects_preferences,
        strict_min_values=controller.has_strict_min_values,
        reserved_capacity=inputs.figures.settings.reserved_capacity,
    )
    return replace(inputs, options=options)


def without_gated(inputs: PlanInputs) -> PlanInputs:
    """Return the inputs without the objects whose feature gate is turned off, by the user or by a service, each kind of them
    with a warning."""
    controller = inputs.figures.controller
    is_off = controller.is_off
    static = [pool.name for pool in inputs.node_pools if pool.replicas is not None and is_off("StaticCapacity")]
    gated = (
        ("NodeOverlay", [f"NodeOverlay {overlay.name}" for overlay in inputs.overlays]),
        ("CapacityBuffer", [f"CapacityBuffer {buffer.name}" for buffer in inputs.buffers]),
        ("StaticCapacity", [f"NodePool {name} with replicas" for name in static]),
    )
    warnings = [
        Note(
            GATE_OFF,
            f"{controller.why_off(gate)}: without effect {'is' if len(names) == 1 else 'are'} {', '.join(names)}",
        )
        for gate, names in gated
        if names and is_off(gate)
    ]
    return replace(
        inputs,
        overlays=() if is_off("NodeOverlay") else inputs.overlays,
        buffers=() if is_off("CapacityBuffer") else inputs.buffers,
        node_pools=tuple(pool for pool in inputs.node_pools if pool.name not in static),
        warnings=(*inputs.warnings, *warnings),
    )


def with_scheduler_config(inputs: PlanInputs, path: str | os.PathLike[str], karpenter: Baseline) -> PlanInputs:
    """Return inputs with the default spread constraints in a file, for a Karpenter that knows them, whichever theirs is.

    Raises InputError for a Karpenter without `--scheduler-config`, and with every mistake in the file.
    """
    problems = Problems()
    default_spread = default_spread_of(path, karpenter, problems)
    problems.raise_if_any()
    return replace(inputs, options=replace(inputs.options, default_spread=default_spread))


def default_spread_of(
    path: str | os.PathLike[str] | None, karpenter: Baseline, problems: Problems
) -> tuple[SpreadConstraint, ...]:
    """Return the default constraints in a file; none without a file, or for a faulty one, which adds problems (V15-24)."""
    if path is None:
        return ()
    if not karpenter.does(Behaviour.DEFAULT_TOPOLOGY_SPREAD):
        knowing = dict.fromkeys(str(b.minor) for b in BASELINES if b.does(Behaviour.DEFAULT_TOPOLOGY_SPREAD))
        text = f"Karpenter {karpenter} has no {feature_gates.SCHEDULER_CONFIG.name}"
        problems.add(Place.of(SCHEDULER_CONFIG), text, f"Karpenter {', '.join(knowing)}")
        return ()
    text_of_file = file_text(path, problems)
    try:
        return () if text_of_file is None else read_scheduler_config(text_of_file, Place(os.fspath(path)))
    except InputError as error:
        problems.extend(error.problems)
        return ()


def notes_on_choice(karpenter: Baseline, documents: Iterable[Document], controller: ControllerSettings) -> Iterator[Note]:
    """Yield what the chosen Karpenter and its gates mean for what is read."""
    for gate in controller.unknown_to(karpenter):
        yield Note(UNKNOWN_GATE, f"Karpenter {karpenter.minor} has no feature gate {gate}, which is turned on without effect")
    yield from _notes_on_hashes(documents, karpenter)


def _notes_on_hashes(documents: Iterable[Document], karpenter: Baseline) -> Iterator[Note]:
    """Yield a note if another Karpenter wrote the hashes of NodeClaims: then no edit of a class makes them drift here
    (VA15-24)."""
    claims = [d.data["metadata"] for d in documents if d.kind == NodeClaim.KIND]
    stamps = Counter((metadata.get("annotations") or {}).get(node_class_hash.HASH_VERSION) for metadata in claims)
    writers = {b.ec2_node_class_hash: b.minor for b in reversed(BASELINES)}
    for version, minor in writers.items():
        if version != karpenter.ec2_node_class_hash and (count := stamps[version]):
            subject = "1 NodeClaim carries a hash" if count == 1 else f"{count} NodeClaims carry hashes"
            text = f"{subject} of version {version}, as Karpenter {minor} writes, "
            text += f"and the rules here are those of {karpenter.minor}, "
            text += f"by which no edit of a class replaces their nodes: choose {minor} where it runs"
            yield Note(OTHER_HASHES, text)
