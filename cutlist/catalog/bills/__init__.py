"""Bills of a cloud, as it exports them: what each row is, and the prices that the account paid for machines.

`read_bill` sums an export with DuckDB (the extra `bill`); everything after that needs no library. The prices that follow from a
bill, and the table that plans read, are in `cutlist.catalog.paid`.
"""

from __future__ import annotations

from cutlist.catalog.bills.bill import Bill
from cutlist.catalog.bills.charges import Charge, Kind

__all__ = ["Bill", "Charge", "Kind"]
