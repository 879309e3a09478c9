"""The unstable sort of the Go standard library, and the order in which it leaves claims."""

from cutlist.core.go_sort.claim_order import ClaimOrder
from cutlist.core.go_sort.pdqsort import sort, sort_by_key

__all__ = ["ClaimOrder", "sort", "sort_by_key"]
