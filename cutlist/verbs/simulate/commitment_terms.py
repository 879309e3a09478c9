"""The prices of commitments in a region: the on-demand prices of machines, and the rates of a term."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cutlist.catalog import AnyRegion, is_azure
from cutlist.catalog.size_names import size_name
from cutlist.catalog.windows import windows_price
from cutlist.optimization.savings_plans import Rate, Rates
from cutlist.simulation.commitments import MILLION, Hour
from cutlist.simulation.events import HOUR
from cutlist.simulation.on_demand_use import WINDOWS, Machine, OnDemandUse


def family_of(machine: Machine, catalog: AnyRegion) -> str:
    """Return the family by which rates name a machine: `m7g` on AWS, the letter of the size such as `D` on Azure."""
    name = machine[0]
    if is_azure(catalog):
        parts = size_name(name)
        return parts.family if parts is not None else ""
    return name.partition(".")[0]


def price_of(machine: Machine, catalog: AnyRegion) -> int | None:
    """Return the on-demand price of an hour in millionths, or None if it is unknown. That of Windows includes its licence."""
    name, os = machine
    price = catalog.on_demand_price(name)
    if os == WINDOWS and not is_azure(catalog):
        price = windows_price(catalog, name, price)
    return None if price is None else round(price.usd_per_hour * MILLION)


@dataclass(frozen=True, slots=True)
class RatedMachines:
    """The machines for which there is a rate in a term, with their on-demand prices and their families."""

    term: str
    rates: Mapping[Machine, Rate]
    prices: Mapping[Machine, int]
    families: Mapping[Machine, str]

    @staticmethod
    def of(machines: Sequence[Machine], catalog: AnyRegion, rates: Rates, term: str) -> RatedMachines:
        """Return those of some machines."""
        families = {machine: family_of(machine, catalog) for machine in machines}
        prices = {machine: price for machine in machines if (price := price_of(machine, catalog)) is not None}
        of_term = {m: rate for m in prices if (rate := rates.of(families[m], catalog.region, term)) is not None}
        return RatedMachines(term, of_term, prices, families)

    @property
    def discounts(self) -> Mapping[str, int]:
        """Return the discounts by family, in millionths of the on-demand price."""
        return {self.families[machine]: round(rate.discount * MILLION) for machine, rate in self.rates.items()}

    @property
    def sources(self) -> tuple[str, ...]:
        """Return where the rates are from."""
        return tuple(dict.fromkeys(rate.source for rate in self.rates.values() if rate.source))

    def reserved_price(self, machine: Machine) -> int:
        """Return what an hour of a reserved instance costs, in millionths."""
        return self.prices[machine] * (MILLION - self.discounts[self.families[machine]]) // MILLION

    def costs(self, use: OnDemandUse) -> list[Hour]:
        """Return what the instances of each family cost on demand in each hour, in whole millionths."""
        costs: list[dict[str, int]] = [{} for _ in range(use.hours)]
        for machine in self.rates:
            family, price = self.families[machine], self.prices[machine]
            for cost, ran in zip(costs, use.of_machine(machine), strict=True):
                if ran:
                    cost[family] = cost.get(family, 0) + (2 * ran * price + HOUR) // (2 * HOUR)
        return list(costs)

    def numbers(self, use: OnDemandUse) -> Iterator[tuple[Machine, list[Fraction]]]:
        """Yield how many instances of each machine ran in each hour."""
        return ((machine, use.instances(machine)) for machine in self.rates)


def coverable(use: OnDemandUse, catalog: AnyRegion) -> OnDemandUse:
    """Return a use as commitments see it. On Azure they cover machines of every OS, but no licence."""
    return use.without_os() if is_azure(catalog) else use


def terms_of(use: OnDemandUse, catalog: AnyRegion, rates: Rates) -> list[RatedMachines]:
    """Return the rated machines of a use for each term, the shortest first."""
    return [RatedMachines.of(list(use.ran), catalog, rates, term) for term in rates.terms]
