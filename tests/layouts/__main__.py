"""Write the table of the layouts into its page: `python -m tests.layouts`, with helm and kustomize on the path."""

from __future__ import annotations

from tests.layouts.page import BEGIN, END, PAGE, table

if __name__ == "__main__":
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}", "utf-8")
