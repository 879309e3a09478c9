"""Label values in NodePools that no machine has: a slip of the pen is an error, a machine sold elsewhere a warning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist import labels
from cutlist.api import WrittenPool
from cutlist.api.auto_label_rules import mapped_key, self_managed_key
from cutlist.api.written import WrittenValues
from cutlist.catalog import RegionCatalog, all_machines, machine_names
from cutlist.errors import Problems, nearest
from cutlist.labels import ARCH, AUTO_GROUP, AWS_GROUP, CAPACITY_TYPE, CAPACITY_TYPES, INSTANCE_TYPE, OS, REGION, ZONE, ZONE_ID
from cutlist.planned import Note
from cutlist.providers import eks_auto
from cutlist.providers.aws.labels import HARDWARE_LABELS, machine_labels, name_parts

_CATEGORY: Final = f"{AWS_GROUP}/instance-category"
_GENERATION: Final = f"{AWS_GROUP}/instance-generation"
_FAMILY: Final = f"{AWS_GROUP}/instance-family"
_SIZE: Final = f"{AWS_GROUP}/instance-size"
_AUTO_FAMILY: Final = mapped_key(_FAMILY)
_AUTO_SIZE: Final = mapped_key(_SIZE)


def unknown_values(pools: Iterable[WrittenPool], catalog: RegionCatalog, problems: Problems) -> list[Note]:
    """Check `In` values of NodePools against what exists; mistakes go to `problems`, the rest comes back as warnings."""
    here, everywhere = _values(catalog.machines), _values({*machine_names(), *catalog.machines})
    of_hardware = _Hardware(catalog)
    fixed = {
        ARCH: {"amd64", "arm64"},
        OS: {"linux", "windows"},
        CAPACITY_TYPE: set(CAPACITY_TYPES),
        REGION: {catalog.region},
        ZONE: {z.name for z in catalog.zones},
        ZONE_ID: {z.zone_id for z in catalog.zones},
    }
    warnings = []
    for pool in pools:
        warnings += _auto_mode_values(pool) if pool.node_class[0] == AUTO_GROUP else []
        for wanted in pool.requirements:
            _other_controllers_key(pool, wanted, problems)
            known = fixed.get(wanted.key) or everywhere.get(wanted.key)
            for value in wanted.values if wanted.operator == "In" else ():
                if known is not None and value not in known:
                    allowed = ", ".join(sorted(known)) if wanted.key in fixed else "a value that some EC2 instance type has"
                    problems.add(wanted.place, f"{wanted.key} is never {value!r}", allowed, nearest(value, sorted(known)))
                elif (odd := of_hardware.odd(wanted.key, value)) is not None:
                    hint = f"; did you mean {odd}?" if odd else ""
                    text = f"NodePool {pool.name}: no EC2 instance type has {wanted.key} {value}{hint}"
                    warnings.append(Note("not-a-value", text))
                elif wanted.key in here and value not in here[wanted.key]:
                    text = f"NodePool {pool.name}: no machine of {catalog.region} has {wanted.key} {value}"
                    warnings.append(Note("not-in-region", text))
    return warnings


class _Hardware:
    """The values that machines have for labels which do not follow from their names; worked out for keys that are asked for."""

    def __init__(self, catalog: RegionCatalog) -> None:
        self._catalog = catalog
        self._values: dict[str, frozenset[str]] = {}

    def odd(self, key: str, value: str) -> str | None:
        """None for a value that some machine has, and for other labels; else the nearest value, empty without one."""
        known = self._known(key.replace(f"{AUTO_GROUP}/", f"{AWS_GROUP}/"))
        if not known or value in known:
            return None
        if value.isdigit():
            return min((v for v in known if v.isdigit()), key=lambda v: (abs(int(v) - int(value)), int(v)), default="")
        return nearest(value, sorted(known))

    def _known(self, key: str) -> frozenset[str]:
        if key not in self._values:
            machines = {**all_machines(), **self._catalog.machines}.values() if key in HARDWARE_LABELS else ()
            labels_there = (r for m in machines for r in machine_labels(m) if r.key == key)
            self._values[key] = frozenset(value for r in labels_there for value in r.values)
        return self._values[key]


def _other_controllers_key(pool: WrittenPool, wanted: WrittenValues, problems: Problems) -> None:
    """Auto Mode's key under an EC2NodeClass is taken for a label of one's own and holds back no instance type (V-110)."""
    if pool.node_class[0] == AWS_GROUP and labels.domain(wanted.key) == AUTO_GROUP:
        own = self_managed_key(wanted.key)
        if own:
            text = f"{wanted.key} belongs to EKS Auto Mode; in a pool with an EC2NodeClass it limits no instance type"
            problems.add(wanted.place, text, nearest=own)


def _auto_mode_values(pool: WrittenPool) -> list[Note]:
    """Instance types and families that EKS Auto Mode does not launch, with the reason (V-114)."""
    found = []
    for wanted in pool.requirements:
        for value in wanted.values if wanted.operator == "In" else ():
            name = {INSTANCE_TYPE: value, _AUTO_FAMILY: f"{value}.large", _AUTO_SIZE: f"c5.{value}"}.get(wanted.key, "")
            why = eks_auto.refusal(name) if name else ""
            if why:
                text = f"NodePool {pool.name}: EKS Auto Mode launches no {value}: {why}"
                found.append(Note("not-in-auto-mode", text))
    return found


def _values(names: Iterable[str] | Sequence[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {key: set() for key in (INSTANCE_TYPE, _CATEGORY, _GENERATION, _FAMILY, _SIZE)}
    for name in names:
        found[INSTANCE_TYPE].add(name)
        for key, value in name_parts(name).items():
            found[key].add(value)
    return {**found, **{mapped_key(key): values for key, values in found.items() if mapped_key(key)}}
