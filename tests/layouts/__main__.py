"""Write the table of the layouts into its page: `python -m tests.layouts`, with helm and kustomize on the path."""

from __future__ import annotations

import shutil
import sys

from tests.layouts.page import BEGIN, END, PAGE, table

if __name__ == "__main__":
    missing = [program for program in ("helm", "kustomize") if shutil.which(program) is None]
    if missing:  # without them the table would say of the layouts that nothing comes through
        sys.exit(f"{' and '.join(missing)} not on the PATH: the rows of layouts that need them cannot be written")
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}", "utf-8")
