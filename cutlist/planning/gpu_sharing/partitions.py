"""What the MIG manager makes of the GPUs of a machine, by the configuration that a node's label names (spec: gpu-sharing 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.wording import listed
from cutlist.planning.gpu_sharing.configurations import ConfigText
from cutlist.providers.mig_profiles import MigModel, compute_slices, is_profile

MIG_LABEL: Final = "nvidia.com/mig.config"
_DISABLED: Final = "all-disabled"
_ENABLED: Final = "all-enabled"
_BALANCED: Final = "all-balanced"
_ALL: Final = "all"

Partitions = Mapping[str, int] | None
"""The partitions of one GPU by profile, None for a GPU that stays whole."""


class UnfitError(Exception):
    """Says why the MIG manager fails on a machine."""


@dataclass(frozen=True, slots=True)
class MigConfiguration:
    """The configuration that a label names: an entry of a text, or one that the MIG manager makes from the hardware.

    `text` is None where no ConfigMap of the MIG manager is in the input.
    """

    name: str
    text: ConfigText | None

    @property
    def source(self) -> str:
        """Return where it is from, for sentences."""
        return self.text.source if self.text is not None else f"the label {MIG_LABEL}: {self.name}"

    def of(self, model: MigModel, gpus: int) -> Sequence[Partitions]:
        """Return the partitions of each GPU of a machine. Raises UnfitError if the MIG manager fails there."""
        each = [self._generated(model)] * gpus if self.text is None else _by_entries(self._entries(self.text), model, gpus)
        for partitions in each:
            _check(partitions or {}, model)
        return each

    def _generated(self, model: MigModel) -> Partitions:
        """Return the partitions of the configurations that the MIG manager makes for every GPU (GS-11)."""
        if self.name == _DISABLED:
            return None
        if self.name == _ENABLED:
            return {}
        if self.name == _BALANCED and model.balanced:
            return model.balanced
        names = {f"all-{profile.replace('+', '.')}": profile for profile in model.profiles}
        if (profile := names.get(self.name)) is None:
            raise UnfitError(f"an {model.name} has no configuration {self.name}")
        return {profile: model.profiles[profile]}

    def _entries(self, of: ConfigText) -> Sequence[Mapping[str, Any]]:
        known = of.data["mig-configs"]
        if self.name not in known:
            raise UnfitError(f"{of.source} has no configuration {self.name}, only {listed(sorted(known))}")
        entries: Sequence[Mapping[str, Any]] = known[self.name]
        return entries


def _by_entries(entries: Iterable[Mapping[str, Any]], model: MigModel, gpus: int) -> list[Partitions]:
    each: list[Partitions] = [None] * gpus
    for entry in entries:
        if _is_for(entry, model):
            devices = range(gpus) if entry["devices"] == _ALL else [i for i in entry["devices"] if i < gpus]
            for device in devices:
                each[device] = (entry.get("mig-devices") or {}) if entry["mig-enabled"] else None
    return each


def _is_for(entry: Mapping[str, Any], model: MigModel) -> bool:
    """Tell whether an entry is for a model: it names one of its PCI ids, or none at all."""
    written = entry.get("device-filter") or ()
    ids = {i.lower() for i in ([written] if isinstance(written, str) else written)}
    return not ids or not ids.isdisjoint(device.lower() for device in model.devices)


def _check(partitions: Mapping[str, int], model: MigModel) -> None:
    """Raise UnfitError for partitions that a GPU of a model cannot have."""
    for profile, count in partitions.items():
        most = model.profiles.get(profile)
        if most is None:
            of = ", ".join(name for name in model.profiles if is_profile(name))
            raise UnfitError(f"an {model.name} has no MIG profile {profile}, only {of}")
        if count > most:
            raise UnfitError(f"an {model.name} has room for {most} of MIG profile {profile}, not for {count}")
    slices = sum(compute_slices(profile) * count for profile, count in partitions.items())
    if slices > model.slices:
        raise UnfitError(f"an {model.name} has {model.slices} slices, and the partitions take {slices}")
