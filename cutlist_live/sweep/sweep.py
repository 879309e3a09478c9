"""The sweep of one cluster, rehearsed or carried out. Running it twice does no more than running it once."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutlist.infrastructure.teardown.report import SweepReport
from cutlist_live.sweep.access import Connect
from cutlist_live.sweep.calls import Calls, Clients, Clock
from cutlist_live.sweep.removal import Rehearsal, Removal
from cutlist_live.sweep.request import SweepRequest
from cutlist_live.sweep.round import Round


@dataclass(frozen=True, slots=True)
class Sweep:
    """Sweeps one cluster. `clients` gives the clients of the account, `connect` opens a living cluster's API."""

    request: SweepRequest
    clients: Clients
    connect: Connect
    clock: Clock = field(default_factory=Clock)

    def rehearse(self) -> SweepReport:
        """What would be removed. Nothing is written; of EC2's writes it is known whether they are permitted."""
        around = self._round()
        return around.report(lambda: around.go(Rehearsal(around.calls)))

    def run(self) -> SweepReport:
        """Remove what is left over, then look whether it is gone."""
        around = self._round()

        def work() -> None:
            around.go(Removal(around.calls))
            around.verify()

        return around.report(work)

    def _round(self) -> Round:
        calls = Calls(self.clients, self.request.facts.region, self.clock)
        return Round(self.request, calls, self.connect)
