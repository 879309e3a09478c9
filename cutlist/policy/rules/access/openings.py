"""Find what the rules of a network group let in from everywhere, each alone or several together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.policy.rules.access.addresses import is_open, is_public
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import Part
from cutlist.policy.rules.rule import Settings

LAST_PORT: Final = 65535
PUBLIC_PORTS: Final = texts("publicPorts", ("80", "443"), "Ports that everybody may reach, such as those of load balancers.")


def public_ports(settings: Settings) -> frozenset[int]:
    """Return the ports that everybody may reach, by the settings of a rule."""
    return frozenset(int(port) for port in settings[PUBLIC_PORTS.name] if str(port).isdigit())


@dataclass(frozen=True, slots=True)
class Opening:
    """What one rule lets in: ranges of addresses, where and how they are written, and ports. An empty protocol means every
    protocol."""

    part: Part
    ranges: tuple[str, ...]
    protocol: str
    first: int
    last: int
    sources: str

    def lets_in(self, protocol: str, port: int) -> bool:
        """Tell whether the rule lets a port in."""
        return self.protocol in (protocol, "") and self.first <= port <= self.last

    @property
    def ports(self) -> str:
        """Return the ports in words."""
        if self.last == LAST_PORT and self.first <= 1:
            return "every port"
        return f"port {self.first}" if self.first == self.last else f"ports {self.first} to {self.last}"


def open_to_all(openings: Sequence[Opening], public: frozenset[int], advice: str) -> Iterator[Finding]:
    """Yield the rules of a group that let the world in: each rule that does so alone, and the first of those that do so
    together."""
    alone = [opening for opening in openings if is_open(opening.ranges) and _ports_of(opening, openings, public)]
    rest = [opening for opening in openings if opening not in alone and is_public(opening.ranges)]
    joint = [
        opening for opening in rest if any(_is_open_at(port, opening, rest) for port in _ports_of(opening, openings, public))
    ]
    allowed = f"your own addresses, or ports {', '.join(map(str, sorted(public)))}"
    for opening in (*alone, *joint[:1]):
        more = f" and what {len(joint) - 1} more rules name" if opening in joint and len(joint) > 1 else ""
        yield opening.part.violation(f"{opening.ports} for {opening.sources}{more}", allowed, advice)


def _ports_of(opening: Opening, openings: Sequence[Opening], public: frozenset[int]) -> list[int]:
    """Return ports of a rule that are not public: enough of them to find where rules of the group come together."""
    starts = {start for other in openings for start in (other.first, other.first + 1)} | {opening.first + 1, opening.last}
    return sorted(port for port in starts if opening.first <= port <= opening.last and port not in public)


def _is_open_at(port: int, opening: Opening, openings: Sequence[Opening]) -> bool:
    return is_open(
        {text for other in openings if other.lets_in(opening.protocol or other.protocol, port) for text in other.ranges}
    )
