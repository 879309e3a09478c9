"""Why pods were not placed at their last attempt: what each template answered.

Most causes are computed when they are asked for, since most pods that fail once are placed later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from cutlist.scheduling.claim_refusals import refusal_of
from cutlist.scheduling.dynamicresources.admission import DeviceAdmission
from cutlist.scheduling.late_refusals import LateRefusals, Refusals
from cutlist.scheduling.nodeclaim import ClaimAdmission
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import NoDevices, NoReservation, PassEnded, Refusal
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class TemplateRefusal:
    """A template that accepted no such pod; the cause is computed when it is needed.

    `mask` and `remaining` are the types that its limits allowed at that time, and the rest of these limits.
    """

    template: NodeClaimTemplate
    pod_data: PodData
    mask: int
    remaining: Mapping[str, int]

    def cause(self, admission: ClaimAdmission) -> Refusal | None:
        """Return why the template accepted no such pod, topology and reservations aside; None if these are the cause."""
        return refusal_of(admission, self.template, self.pod_data, self.mask, self.remaining)


Answers = Sequence[tuple[str, Refusal | TemplateRefusal]]
"""The names of templates, in order, with why each opened no claim; one without a name if no template was tried."""


class PlacementFailures:
    """The answers that batches of pods got at their last attempt, if it failed."""

    def __init__(
        self,
        batches: Sequence[PodBatch],
        templates: Iterable[NodeClaimTemplate],
        admission: ClaimAdmission,
        devices: DeviceAdmission | None,
    ) -> None:
        self._batches = batches
        self._templates = {template.name: template for template in templates}
        self._admission = admission
        self._devices = devices
        self._answers: dict[int, Answers] = {}

    def record(self, batch: int, answers: Answers) -> None:
        """Keep what templates answered to a pod of a batch, in place of earlier answers."""
        self._answers[batch] = answers

    def record_untried(self, batch: int, refusal: Refusal) -> None:
        """Keep why no template was tried for a pod of a batch."""
        self.record(batch, [("", refusal)])

    def record_end(self, batches: Iterable[int]) -> None:
        """Keep that the pass ended before batches were tried, for those that have no other answer."""
        for batch in batches:
            self._answers.setdefault(batch, [("", PassEnded(tried=False))])

    def forget(self, batch: int) -> None:
        """Drop the answers of a batch: its last pod was placed."""
        self._answers.pop(batch, None)

    def awaits_reservation(self, batch: int) -> bool:
        """Tell whether a template answered that the pod is to wait for a reservation."""
        return any(isinstance(answer, NoReservation) for _, answer in self._answers[batch])

    def has_ended_pass(self, batch: int) -> bool:
        """Tell whether the search for a place was ended, and the pass with it."""
        return any(isinstance(answer, PassEnded) for _, answer in self._answers[batch])

    def refusals(self, batch: int) -> Sequence[tuple[str, Refusal]]:
        """Return why a batch's pods were not placed at their last attempt: the refusal of each template, in order."""
        answers = self._answers.get(batch, ())
        if self._devices is None:
            return LateRefusals(partial(_refusals, answers, self._admission))
        pod = self._batches[batch].pod
        with_shortages = [(name, self._with_shortages(answer, name, pod)) for name, answer in answers]
        return _refusals(with_shortages, self._admission)

    def _with_shortages(self, answer: Refusal | TemplateRefusal, template: str, pod: Pod) -> Refusal | TemplateRefusal:
        if not isinstance(answer, NoDevices) or self._devices is None:
            return answer
        types = self._templates[template]
        return replace(answer, shortages=self._devices.shortages(types.instance_types, types.mask, pod))


def _refusals(answers: Answers, admission: ClaimAdmission) -> Refusals:
    causes = ((name, answer.cause(admission) if isinstance(answer, TemplateRefusal) else answer) for name, answer in answers)
    return tuple((name, cause) for name, cause in causes if cause is not None)
