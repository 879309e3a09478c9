"""The text of an event of a pod that waits: what it says, and whether it can be about a pod."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.wording import counted
from cutlist.verbs.why.reason import Fact
from cutlist.workloads.pods import Pod

_AVAILABLE: Final = re.compile(r"(\d+)/(\d+) nodes are available(?:: (.*?))?(?:\.(?:\s|$)|$)", re.DOTALL)
_MARKS: Final = ("failed to schedule pod", "incompatible with nodepool", "no instance type", "did not tolerate taint")
_LIMITS: Final = ("exceed limits", "node limits have been exhausted", "filtered out all available instance types")
_POD: Final = re.compile(r"\bpod/([a-z0-9][-a-z0-9.]*(?:/[a-z0-9][-a-z0-9.]*)?)")
_PART: Final = re.compile(r"(?:^|, )(\d+) ")
_REQUESTED: Final = re.compile(r"resources[ =](\{[^}]*\})")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words of the kube-scheduler about some nodes: what they say, and whether they can be about a pod."""

    pattern: re.Pattern[str]
    says: str
    is_about: Callable[[Pod, re.Match[str]], bool]


def _phrase(pattern: str, says: str, is_about: Callable[[Pod, re.Match[str]], bool]) -> _Phrase:
    return _Phrase(re.compile(pattern), says, is_about)


def _selects(pod: Pod, _: re.Match[str]) -> bool:
    return bool(pod.node_selector or pod.required)


def _any(_: Pod, __: re.Match[str]) -> bool:
    return True


_PHRASES: Final[Sequence[_Phrase]] = (
    _phrase(r"^Insufficient (\S+)", "too little {0} left", lambda pod, m: bool(pod.requests.get(m[1]))),
    _phrase(
        r"untolerated taint\(?s?\)? \{(\S+?):? ?(\S*?)\}",
        "the taint {0}, which the pod does not tolerate",
        lambda pod, m: all(t.key not in ("", m[1]) or t.operator in ("Lt", "Gt") for t in pod.tolerations),
    ),
    _phrase(r"untolerated taint", "a taint that the pod does not tolerate", _any),
    _phrase(r"node affinity/selector", "other labels than the pod requires", _selects),
    _phrase(r"topology spread", "more of the pods already than its spread allows", lambda pod, _: bool(pod.spread)),
    _phrase(r"anti-affinity", "pods that its anti-affinity keeps away from", _any),
    _phrase(r"pod affinity", "none of the pods that its affinity wants", lambda pod, _: bool(pod.affinity)),
    _phrase(r"volume node affinity|available volume zone", "no access to its volumes", lambda pod, _: bool(pod.volumes)),
    _phrase(r"max volume count", "too many volumes attached", lambda pod, _: bool(pod.volumes)),
    _phrase(r"free ports", "its host ports in use", lambda pod, _: bool(pod.host_ports)),
    _phrase(r"^Too many pods", "no room for another pod", _any),
    _phrase(r"unschedulable", "been cordoned", _any),
    _phrase(r"allocate all claims|ResourceClaim", "no free device for its claims", lambda pod, _: pod.uses_dynamic_resources),
)


@dataclass(frozen=True, slots=True)
class EventText:
    """The message of an event: the parts of the kube-scheduler's, each with its number of nodes, or Karpenter's words.

    `pod` is the name that the text has in front, as `kubectl get events` prints it, else empty.
    """

    text: str
    nodes: int = 0
    parts: tuple[tuple[int, str], ...] = ()
    pod: str = ""

    @staticmethod
    def read(text: str) -> EventText | None:
        """Return the event that a text is, or None for a name."""
        words = " ".join(text.split())
        of_scheduler, lower = _AVAILABLE.search(words), words.lower()
        if of_scheduler is None and (" " not in words or not any(mark in lower for mark in (*_MARKS, *_LIMITS))):
            return None
        named = _POD.search(words)
        pod = named[1] if named is not None else ""
        if of_scheduler is None:
            return EventText(words, pod=pod)
        _, *parts = _PART.split(of_scheduler[3] or "")
        numbered = tuple((int(count), said.strip(" ,")) for count, said in zip(parts[::2], parts[1::2], strict=True))
        return EventText(words, int(of_scheduler[2]), numbered, pod)

    def facts(self) -> Iterator[Fact]:
        """Yield what the parts of the text say, each with its number of nodes."""
        for count, said in self.parts:
            match = next(((p, m) for p in _PHRASES if (m := p.pattern.search(said))), None)
            words = said if match is None else f"has {match[0].says.format(*match[1].groups())}"
            plural = words if count == 1 else words.replace("has ", "have ", 1) if match is not None else words
            yield Fact(counted(count, "node"), plural)

    def is_about(self, pod: Pod) -> bool:
        """Tell whether the kube-scheduler may say this of a pod."""
        found = ((p, m) for _, said in self.parts for p in _PHRASES if (m := p.pattern.search(said)))
        return all(phrase.is_about(pod, match) for phrase, match in found)

    def has(self, message: str) -> bool:
        """Tell whether the text has the message of a condition or of another event."""
        words = " ".join(message.split())
        return bool(words) and words in self.text

    def has_refusal(self, karpenter: str) -> bool:
        """Tell whether the text has Karpenter's words about a NodePool, and the same requests where both name some."""
        mine, theirs = _REQUESTED.search(karpenter), _REQUESTED.search(self.text)
        if mine is not None and theirs is not None:
            return mine[1].replace(" ", "") == theirs[1].replace(" ", "")
        return karpenter.partition(",")[0] in self.text
