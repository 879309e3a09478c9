"""Go's unstable sort, and the order in which it leaves the claims of a pass.

**Why the very algorithm.** Before each pod, Karpenter sorts its open NodeClaims by number of pods, and the first that accepts
gets the pod. Its sort is Go's pattern-defeating quicksort: deterministic, but with more than twelve elements not stable. So
among claims with equally many pods the algorithm decides which one is next, and with that which types and prices a plan names.
It also cuts a list of instance types within a tie, and orders preferred terms of equal weight (spec: scheduling Appendix A).
`pdqsort` makes the same swaps; `sort_by_key` sorts lists by it.

**Why not just run it.** A pass of 10,000 pods over 1,000 claims would sort 1,000 claims 10,000 times. But the sort looks only
at the counts, and between two sorts exactly one has changed: that of the claim that got the pod, by one. So `ClaimOrder` keeps
the claims as levels of equal count (`ClaimLevels`), and knows what the sort does to a list with one element out of order:

- *Nothing is out of order* if the claim was the last of its level, for then all after it have more pods already. The sort
  leaves a list in order as it is: the claim is now the first of the next level, at the same place.
- *Up to 12 claims*, an insertion sort carries it behind the rest of its level: it is the first of the next level.
- *From 50 on*, the sort compares nine places to choose a pivot: three around each quarter of the list. If these are in order,
  it takes the list for nearly sorted and repairs the single descent by shifting, with the same result. It notices the claim
  only if one of these comparisons is between the claim and its successor: six places, `k * (n // 4)` and the one before,
  for k = 1 to 3.
- *From 13 to 49* it does not shift, and partitions on any descent. *At one of the six places* it does so among many claims.

In the first three cases the result is that of a stable sort: a move to the front of the next level. Moves of several claims,
or over several levels, follow by arithmetic as long as no step of them starts from one of the six places; so a thousand equal
pods take few steps. In the last two cases the sort itself is run: on the counts below 50, and from 50 on on
`NearlySortedClaims`, which stand for the list without having its length: they hold only the elements that a partition
exchanges.

Tests compare the swaps with a plain translation of Go's code, and `ClaimOrder` with sorting before each pod.
"""

from cutlist.core.go_sort.claim_order import ClaimOrder
from cutlist.core.go_sort.first_claims import FirstClaims
from cutlist.core.go_sort.lists import sort_by_key

__all__ = ["ClaimOrder", "FirstClaims", "sort_by_key"]
