"""How long a large bill takes, and how much memory: `python -m tools.benchmarks bill`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

_READ: Final = """
import re, sys, time
from pathlib import Path
from cutlist.catalog.bills.queries import Detail
from cutlist.catalog.bills.reading import read_bill
from cutlist.core.errors import Problems
start, before = time.perf_counter(), time.process_time()
bill = read_bill([sys.argv[1]], Problems(), Detail() if sys.argv[2] == "by day" else None)
seconds, processor = time.perf_counter() - start, time.process_time() - before
peak = int(re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1]) / 1024  # without its parent's
print(f"| {sys.argv[2]} | {bill.total.rows:,} | {seconds:.1f} s | {processor:.1f} s | {peak:,.0f} MiB |")
"""


def report(nodes: int, hours: int) -> int:
    """Print the time and the memory in which a made bill is summed, each in its own process: for prices, and by day."""
    from tests.made_bill import write_bill

    print("| summed | rows | seconds | processor time | memory |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bill.parquet"
        start = time.perf_counter()
        write_bill(path, nodes, hours)
        print(f"made in {time.perf_counter() - start:.0f} s", file=sys.stderr)
        for way in ("for prices", "by day"):
            subprocess.run([sys.executable, "-c", _READ, str(path), way], check=True)
    return 0
