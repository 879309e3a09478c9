"""vCPUs, memory and GPUs of an Azure VM size, derived from its name if there is no record (spec: azure A.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.catalog.size_names import SizeName

_OLD_D: Final = {1: 1, 2: 2, 3: 4, 4: 8, 5: 16, 11: 2, 12: 4, 13: 8, 14: 16, 15: 20}
_G: Final = {1: 2, 2: 4, 3: 8, 4: 16, 5: 32}
_OLD_A: Final = {0: 1, 1: 1, 2: 2, 3: 4, 4: 8, 5: 2, 6: 4, 7: 8, 8: 8, 9: 16, 10: 8, 11: 16}
_OLD_A_MEMORY: Final = (0.75, 1.75, 3.5, 7, 14, 14, 28, 56, 56, 112, 56, 112)
_SMALL_B: Final = {"B1ls": 0.5, "B1s": 1.0, "B1ms": 2.0, "B2s": 4.0}
_H: Final = {"HC": 352.0, "HX": 1408.0, "HB2": 456.0, "HB3": 456.0, "HB4": 768.0, "HB5": 448.0}
# Keys are number and features without the d of a local disk, from version 3 on number and variant.
_M1: Final = {
    "8ms": 218.75,
    "16ms": 437.5,
    "32ms": 875.0,
    "64m": 1792.0,
    "64ms": 1792.0,
    "128m": 3892.0,
    "128ms": 3892.0,
    "64": 1024.0,
    "64s": 1024.0,
    "128": 2048.0,
    "128s": 2048.0,
    "32ls": 256.0,
    "64ls": 512.0,
    "32ts": 192.0,
}
_M2: Final = {
    "32ms": 875.0,
    "64ms": 1792.0,
    "128ms": 3892.0,
    "64s": 1024.0,
    "128s": 2048.0,
    "192is": 2048.0,
    "192ims": 4096.0,
    "208s": 2850.0,
    "208ms": 5700.0,
    "416s": 5700.0,
    "416ms": 11400.0,
    "416s_8": 7600.0,
    "416s_9": 8568.0,
    "416s_10": 9496.0,
}
_M3: Final = {
    "12": 240.0,
    "24": 480.0,
    "48_1": 974.0,
    "96_1": 974.0,
    "96_2": 1946.0,
    "176_3": 2794.0,
    "176_4": 3892.0,
    "416_6": 5696.0,
    "416_8": 7600.0,
    "624_12": 11400.0,
    "832_12": 11400.0,
    "832_16": 15200.0,
}
_MB: Final = {"176": 1536.0, "416": 3800.0, "64_1": 1397.0, "96_2": 1946.0, "128_3": 2794.0, "176_4": 3892.0}
# Accelerated sizes by letters, accelerator and version: number -> (GiB, GPUs); a number of 0 means all of the series.
_N: Final[Mapping[str, Mapping[int, tuple[float, int]]]] = {
    "NC v3": {6: (112, 1), 12: (224, 2), 24: (448, 4)},
    "NC T4 v3": {4: (28, 1), 8: (56, 1), 16: (110, 1), 64: (440, 4)},
    "NC A10 v4": {8: (100, 1), 16: (200, 1), 32: (400, 2)},
    "NC A100 v4": {24: (220, 1), 48: (440, 2), 96: (880, 4)},
    "NC H100 v5": {40: (320, 1), 80: (640, 2)},
    "ND v2": {40: (672, 8)},
    "ND v4": {96: (900, 8)},
    "ND A100 v4": {0: (1800, 8)},
    "ND H100 v5": {0: (1900, 8)},
    "ND H200 v5": {0: (1850, 8)},
    "ND MI300X v5": {0: (1850, 8)},
    "NV A10 v5": {6: (55, 1), 12: (110, 1), 18: (220, 1), 36: (440, 1), 72: (880, 2)},
    "NV V710 v5": {4: (16, 0), 8: (32, 0), 12: (64, 0), 24: (128, 0), 28: (160, 0)},
    "NV v3": {12: (112, 1), 24: (224, 2), 48: (448, 4)},
    "NV v4": {4: (14, 1), 8: (28, 1), 16: (56, 1), 32: (112, 1)},
    "NP": {10: (168, 1), 20: (336, 2), 40: (672, 4)},
    "NG V620 v1": {8: (16, 0), 16: (32, 0), 32: (64, 0)},
}
_ODD_N: Final = {("NV", 36, "adms"): (880.0, 1), ("NG", 32, "adms"): (176.0, 0)}


def vcpus(name: SizeName) -> int:
    """Return how many vCPUs a size has; constrained sizes are listed with those of the machine."""
    if name.letters in ("D", "DS") and name.version <= 2:
        return _OLD_D.get(name.number, name.number)
    if name.family == "G":
        return _G.get(name.number, name.number)
    if name.family == "A" and not name.version:
        return _OLD_A.get(name.number, name.number)
    return name.number


def memory_gib(name: SizeName) -> float | None:
    """Return the memory of a size in GiB, or None if it is unknown."""
    match name.family:
        case "A":
            return _memory_of_a(name)
        case "B":
            return _memory_of_b(name)
        case "D":
            return _memory_of_d(name)
        case "E":
            return _memory_of_e(name)
        case "F":
            return _memory_of_f(name)
        case "G":
            return 14.0 * vcpus(name)
        case "L":
            return 8.0 * name.number
        case "H":
            return _H.get(name.letters, _H.get(f"{name.letters}{name.version}"))
        case "M":
            return _memory_of_m(name)
        case "N":
            return (_accelerated(name) or (None, 0))[0]
    return None


def gpus(name: SizeName) -> int | None:
    """Return how many GPUs a size reports, 0 for a fraction of one, or None if it is unknown."""
    if name.family != "N":
        return 0
    accelerated = _accelerated(name)
    return accelerated[1] if accelerated else None


def _memory_of_a(name: SizeName) -> float | None:
    if not name.version:
        return _OLD_A_MEMORY[name.number] if name.number < len(_OLD_A_MEMORY) else None
    return (8.0 if "m" in name.features else 2.0) * name.number


def _memory_of_b(name: SizeName) -> float:
    if name.version < 2:
        return _SMALL_B.get(f"B{name.number}{name.features}", 4.0 * name.number)
    return (0.5 if "t" in name.features else 2.0 if "l" in name.features else 4.0) * name.number


def _memory_of_d(name: SizeName) -> float:
    if name.letters == "DC":
        return (8.0 if name.version == 3 else 4.0) * name.number
    if name.version <= 2:
        return (7.0 if name.number >= 11 else 3.5) * vcpus(name)
    memory = (2.0 if "l" in name.features else 4.0) * name.number
    return min(memory, 208.0) if name.is_arm and name.version == 5 else memory


def _memory_of_e(name: SizeName) -> float:
    memory, amd = 8.0 * name.number, "a" in name.features
    if name.letters == "EC":
        if name.number == 32 and name.series in ("ECas_v5", "ECads_v5"):
            return 192.0
        return min(memory, 768.0) if "e" in name.features and name.version == 5 else memory
    most = {3: 432.0, 4: 672.0 if amd else 504.0, 5: 208.0 if name.is_arm else 672.0}.get(name.version)
    if name.version == 6 and (amd or name.is_arm):
        most = 672.0
    elif name.version == 6 and "i" in name.features:
        return 1832.0
    return memory if most is None else min(memory, most)


def _memory_of_f(name: SizeName) -> float:
    if name.letters == "FX":
        return min(21.0 * name.number, 1832.0)
    if name.version <= 2:
        return 2.0 * name.number
    return (2.0 if "l" in name.features else 8.0 if "m" in name.features else 4.0) * name.number


def _memory_of_m(name: SizeName) -> float | None:
    variant = f"_{name.variant}" if name.variant else ""
    if name.version < 3:
        plain = f"{name.number}{name.features.replace('d', '')}{variant}"
        return (_M2 if name.version == 2 else _M1).get(plain)
    by_variant = f"{name.number}{variant}"
    if "b" in name.features or name.subfamily == "B":
        return _MB.get(by_variant, None if variant else 8.0 * name.number)
    return _M3.get(by_variant)


def _accelerated(name: SizeName) -> tuple[float, int] | None:
    odd = _ODD_N.get((name.letters, name.number, name.features))
    if odd is not None:
        return odd
    series = " ".join(part for part in (name.letters, name.accelerator, f"v{name.version}" if name.version else "") if part)
    sizes = _N.get(series, {})
    hardware = sizes.get(name.number, sizes.get(0))
    # There, only the series with RDMA show their GPUs to the kubelet.
    return (hardware[0], 0) if hardware and name.accelerator == "MI300X" and "r" not in name.features else hardware
