"""The prices of commitments in a region: the on-demand prices of machines, and the rates of a term."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cutlist.catalog.paid import Bought, PaidPrices
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.catalog.size_names import size_name
from cutlist.catalog.windows import windows_price
from cutlist.core.labels import LINUX, ON_DEMAND, WINDOWS
from cutlist.optimization.savings_plans import Rate, Rates
from cutlist.simulation.commitments import MILLION, Hour
from cutlist.simulation.events import HOUR
from cutlist.simulation.on_demand_use import Machine, OnDemandUse


def family_of(machine: Machine, catalog: AnyRegion) -> str:
    """Return the family by which rates name a machine: `m7g` on AWS, the letter of the size such as `D` on Azure."""
    name = machine[0]
    if is_azure(catalog):
        parts = size_name(name)
        return parts.family if parts is not None else ""
    return name.partition(".")[0]


def list_price(machine: Machine, catalog: AnyRegion) -> tuple[Price, float] | None:
    """Return the public on-demand price of an hour and what of it is the licence of Windows, or None if it is unknown."""
    name, os = machine
    linux = catalog.on_demand_price(name)
    price = windows_price(catalog, name, linux) if os == WINDOWS and not is_azure(catalog) else linux
    return None if price is None or linux is None else (price, price.usd_per_hour - linux.usd_per_hour)


@dataclass(frozen=True, slots=True)
class RatedMachines:
    """The machines for which there is a rate in a term, with their families. Prices are on demand, in millionths: `listed` are
    public ones, of which rates are a part, `prices` what an hour costs without a further commitment.
    """

    term: str
    rates: Mapping[Machine, Rate]
    listed: Mapping[Machine, int]
    prices: Mapping[Machine, int]
    families: Mapping[Machine, str]

    @staticmethod
    def of(machines: Sequence[Machine], catalog: AnyRegion, paid: PaidPrices | None, rates: Rates, term: str) -> RatedMachines:
        """Return those of some machines; without prices that the account paid, they cost their public price."""
        families = {machine: family_of(machine, catalog) for machine in machines}
        known = {machine: price for machine in machines if (price := list_price(machine, catalog)) is not None}
        listed = {machine: round(price.usd_per_hour * MILLION) for machine, (price, _) in known.items()}
        prices = listed
        if paid is not None:
            bought = {(name, os): Bought(name, catalog.region, "", ON_DEMAND, os or LINUX) for name, os in known}
            costs = {machine: paid.price(*price, bought[machine]) for machine, price in known.items()}
            prices = {machine: round(cost.usd_per_hour * MILLION) for machine, cost in costs.items()}
        of_term = {m: rate for m in prices if (rate := rates.of(families[m], catalog.region, term)) is not None}
        return RatedMachines(term, of_term, listed, prices, families)

    @property
    def discounts(self) -> Mapping[str, int]:
        """Return what a commitment saves of the price, in millionths of it, by group: machines of a family that save alike."""
        return {self._group(machine): self._discount(machine) for machine in self.rates}

    @property
    def sources(self) -> tuple[str, ...]:
        """Return where the rates are from."""
        return tuple(dict.fromkeys(rate.source for rate in self.rates.values() if rate.source))

    def reserved_price(self, machine: Machine) -> int:
        """Return what an hour of a reserved instance costs, in millionths."""
        return self._committed(machine) // MILLION

    def _committed(self, machine: Machine) -> int:
        return self.listed[machine] * (MILLION - round(self.rates[machine].discount * MILLION))

    def _discount(self, machine: Machine) -> int:
        price = self.prices[machine]
        return max(0, MILLION - self._committed(machine) // price) if price else 0

    def _group(self, machine: Machine) -> str:
        return f"{self.families[machine]} {self._discount(machine)}"

    def costs(self, use: OnDemandUse) -> list[Hour]:
        """Return what the instances of each group cost on demand in each hour, in whole millionths."""
        costs: list[dict[str, int]] = [{} for _ in range(use.hours)]
        for machine in self.rates:
            group, price = self._group(machine), self.prices[machine]
            for cost, ran in zip(costs, use.of_machine(machine), strict=True):
                if ran:
                    cost[group] = cost.get(group, 0) + (2 * ran * price + HOUR) // (2 * HOUR)
        return list(costs)

    def numbers(self, use: OnDemandUse) -> Iterator[tuple[Machine, list[Fraction]]]:
        """Yield how many instances of each machine ran in each hour."""
        return ((machine, use.instances(machine)) for machine in self.rates)


def coverable(use: OnDemandUse, catalog: AnyRegion) -> OnDemandUse:
    """Return a use as commitments see it. On Azure they cover machines of every OS, but no licence."""
    return use.without_os() if is_azure(catalog) else use


def terms_of(use: OnDemandUse, catalog: AnyRegion, paid: PaidPrices | None, rates: Rates) -> list[RatedMachines]:
    """Return the rated machines of a use for each term, the shortest first."""
    return [RatedMachines.of(list(use.ran), catalog, paid, rates, term) for term in rates.terms]
