"""The settings by which many jobs are run at once: of `suggest` and `simulate`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

WORKERS: Final = Setting(
    "workers",
    "Use this many processes. The answer is the same. Default: one per core for several runs or environments, else 1.",
    Kind.WHOLE_NUMBER,
    metavar="N",
    least=1,
)
DASK: Final = Setting(
    "dask", "Work on the Dask cluster whose scheduler has this address. The answer is the same.", metavar="ADDRESS"
)

SETTINGS: Final = (WORKERS, DASK)
