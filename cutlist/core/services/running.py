"""A service that runs Karpenter, as answers name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.records import TextOrNull, about
from cutlist.core.services.facts import Service

OF_ANSWER: Final = about("Services that run Karpenter for these NodePools; without any where the user does.")
"""What a schema says of the services of an answer."""


@dataclass(frozen=True, slots=True)
class RunningService:
    """A service that launches nodes, and which Karpenter it runs. `karpenter` and `provider` are empty where the service does
    not publish them; `text` says it in a sentence, with the rules that are applied, if any are.
    """

    name: str
    karpenter: Annotated[TextOrNull, about("Release of Karpenter that it runs; null where it publishes none.")] = ""
    provider: Annotated[TextOrNull, about("Release of its cloud's provider; null where it publishes none.")] = ""
    source: str = ""
    date: str = ""
    text: str = ""

    @staticmethod
    def of(service: Service, text: str = "") -> RunningService:
        """Return what is known of a service, and the sentence about it: by default which Karpenter it runs, and no more."""
        said = text or service.version_words
        core, provider = ("" if version is None else str(version) for version in (service.core, service.provider))
        return RunningService(service.name, core, provider, service.version_from.text, service.version_from.date, said)
