"""The order in which open claims are tried: fewest pods first (spec: scheduling 5.2, appendix A; S-51, S-52).

One placement is one move from a level of equal count to the next. Why that is exact says the docstring of the package.

Three claims with a pod each are tried as they were opened:

>>> order = ClaimOrder()
>>> order.open_alike(claims=3, pods=1)
range(0, 3)
>>> order.sequence()
[0, 1, 2]

Claim 0 takes a pod and is now behind the others. Then claim 1 does: the stable sort leaves it before claim 0, since before the
sort it stood there. So each claim that grows comes to the front of its new level:

>>> order.grow(0, pods=1)
>>> order.sequence()
[1, 2, 0]
>>> order.grow(1, pods=1)
>>> order.sequence(), order.counts
([2, 1, 0], [2, 2, 1])

Four more pods that are all alike and find room everywhere: the first goes to claim 2, which comes to the front of the claims
with two pods, before 1 and 0. The other three go to 2, 1 and 0 in turn. No claim is looked at more than once for all of that:

>>> order.fill(0b111, room=lambda claim: 10, pods=4)
{2: 2, 1: 1, 0: 1}
>>> order.sequence(), order.counts
([0, 1, 2], [3, 3, 3])
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import accumulate

from cutlist.core.bits import mask_of
from cutlist.core.go_sort.claim_levels import ClaimLevels
from cutlist.core.go_sort.lists import sort_by_key
from cutlist.core.go_sort.nearly_sorted import NearlySortedClaims
from cutlist.core.go_sort.pdqsort import MAX_INSERTION, SHORTEST_SHIFTING, pdqsort


class ClaimOrder(ClaimLevels):
    """The claims in the order in which Karpenter's sort leaves them after each placed pod."""

    __slots__ = ()

    def open(self) -> int:
        """Put a new claim with one pod behind all others and return its number."""
        before = [] if self._stable_when_opened(len(self.counts) + 1) else self.sequence()
        claim = self._append()
        if before:
            self._resort([*before, claim])
        return claim

    def open_alike(self, claims: int, pods: int) -> range:
        """Open a number of claims, giving each its pods before the next is opened, and return their numbers."""
        opened = range(len(self.counts), len(self.counts) + claims)
        while len(self.counts) < opened.stop:
            if pods == 1 and self._stable_from_here():
                self._append_behind(range(len(self.counts), opened.stop))
                break
            unnoticed = self._unnoticed_openings(opened.stop - len(self.counts), pods)
            if unnoticed:
                self._append_in_front(range(len(self.counts), len(self.counts) + unnoticed), pods)
            else:
                self.grow(self.open(), pods - 1)
        return opened

    def open_in_turns(self, claims: int, turns: int, pods: int) -> None:
        """Open a number of claims, so many at a time, each with one pod, and give these the other pods in turns before the next
        are opened."""
        for first in range(len(self.counts), len(self.counts) + claims, turns):
            for _ in range(turns):
                self.open()
            self.grow_in_turns(range(first, first + turns), pods - 1)

    def _unnoticed_openings(self, claims: int, pods: int) -> int:
        """Return how many of the next claims rise past all others without being sampled by the sort.

        Each is in front of a level when it gets its next pod: its place is the number of claims with fewer pods.
        """
        length = len(self.counts) + 1
        if pods == 1 or length < SHORTEST_SHIFTING:
            return 0
        passed, below = set(), 0
        for height in self._heights[: bisect_left(self._heights, pods)]:
            if height > 1:  # it is the last of those with one pod, so leaving them puts nothing out of order
                passed.add(below)
            below += len(self._levels[height])
        if not passed:
            return claims
        # Claims opened before it have all their pods, so these places stay; only the quarters move with the length.
        for opened in range(claims):
            quarter = (length + opened) // 4
            if not passed.isdisjoint(_sampled_places(quarter)):
                return opened
        return claims

    def grow(self, claim: int, pods: int) -> None:
        """Give the claim this many pods, one after the other, with no other placement in between."""
        while pods:
            steps = self._free_rise(claim, pods)
            if steps:
                self._lift([claim], self.counts[claim], steps)
                pods -= steps
            else:
                self._step_by_sorting(claim)
                pods -= 1

    def grow_in_turns(self, claims: Collection[int], pods: int) -> None:
        """Give each claim this many pods, in rounds: in each one, the first in order that has none of it yet gets the next."""
        while pods:
            by_height: dict[int, list[int]] = {}
            for claim in claims:
                by_height.setdefault(self.counts[claim], []).append(claim)
            levels = sorted(by_height.items(), reverse=True)
            rounds = pods if len(levels) == 1 else self._quiet_rounds(levels, pods)
            # Where the sort notices nothing, claims of one level rise together. Of others the higher ones may go first: each
            # has as many claims in front of it at every step as if they took turns.
            for _, level in levels if rounds else ():
                self.fill(mask_of(level), dict.fromkeys(level, rounds).__getitem__, rounds * len(level))
            if not rounds:
                self._take_turns(claims)
            pods -= rounds or 1

    def _take_turns(self, claims: Collection[int]) -> None:
        waiting = mask_of(claims)
        while (claim := self.first(waiting)) is not None:
            self.grow(claim, 1)
            waiting ^= 1 << claim

    def _quiet_rounds(self, levels: Sequence[tuple[int, list[int]]], rounds: int) -> int:
        """Return in how many of the next rounds the sort notices none of these claims, given by level, the highest first."""
        if len(self.counts) <= MAX_INSERTION:
            return rounds
        if len(self.counts) < SHORTEST_SHIFTING or any(self._undisturbed(group, at) < len(group) for at, group in levels):
            return 0
        samples, rising = self._samples(), {height: len(group) for height, group in levels}
        staying = {height: len(self._levels[height]) - rising.get(height, 0) for height in self._heights}
        in_front = sum(rising.values())
        for height, group in levels:
            # After the first round they are in front of each level that they come to. Lower ones stay lower all the time.
            in_front -= len(group)
            below = in_front + sum(count for at, count in staying.items() if at <= height)
            reached = height + 1
            for occupied in [*(at for at, count in staying.items() if at > height and count), height + rounds]:
                if below in samples and reached < height + rounds:
                    # A single claim is noticed only where others are behind it in its level.
                    rounds = min(rounds, (occupied if len(group) == 1 else reached) - height)
                    break
                below += staying.get(occupied, 0)
                reached = occupied + 1
        return rounds

    def fill(self, candidates: int, room: Callable[[int], int], pods: int) -> dict[int, int]:
        """Give equal pods, each to the first claim in order that still has room for one.

        `room` says how many a candidate can take, 0 for none; it is called only for claims whose turn comes. Returns how many
        each got, in total fewer than `pods` when there was not enough room.
        """
        taken: dict[int, int] = {}
        left: dict[int, int] = {}
        accepting = candidates
        while pods and accepting:
            # The lowest level with accepting claims is served first. Its claims stay the first ones while they rise together,
            # until they reach the next level with accepting claims.
            height, mask, ceiling = self._lowest(accepting)
            group: list[int] = []
            for claim in self._walk(height, mask):
                if claim not in left:
                    left[claim] = room(claim)
                if left[claim]:
                    group.append(claim)
                    if len(group) == pods:
                        break
                else:
                    accepting ^= 1 << claim
            if not group:
                continue
            group, rounds = self._raise(group, height, min(pods // len(group), min(map(left.__getitem__, group)), ceiling))
            for claim in group:
                taken[claim] = taken.get(claim, 0) + rounds
                left[claim] -= rounds
                if not left[claim]:
                    accepting ^= 1 << claim
            pods -= rounds * len(group)
        return taken

    def lowest(self, accepting: int) -> tuple[int, int]:
        """Return those of some claims with the fewest pods, and how many more the next of the others have."""
        _, mask, distance = self._lowest(accepting)
        return mask, distance

    def raise_together(self, claims: int, pods: int, rounds: int) -> tuple[int, int]:
        """Give equal pods to the claims of one level that accept some, where those of no lower level do, for so many rounds at
        most. Returns which claims got some, the first ones in order, and how many each."""
        height = self.counts[claims.bit_length() - 1]
        raised, each = self._raise(self._in_order(height, claims)[:pods], height, rounds)
        return mask_of(raised), each

    def _raise(self, group: list[int], height: int, rounds: int) -> tuple[list[int], int]:
        """Raise claims of one level together, as far as the sort allows; return which of them rose, and by how much."""
        if len(group) == 1:
            self.grow(group[0], rounds)
            return group, rounds
        undisturbed = self._undisturbed(group, height)
        # After a disturbed step the order of the others may be another, so a group is raised only up to it.
        if undisturbed == 0:
            self._step_by_sorting(group[0])
            return group[:1], 1
        if undisturbed < len(group):
            group, rounds = group[:undisturbed], 1
        else:
            rounds = self._undisturbed_rounds(len(group), height, rounds)
        self._lift(group, height, rounds)
        return group, rounds

    def _samples(self) -> frozenset[int]:
        """Return the positions at which the choice of the pivot samples a claim that has just grown (appendix A)."""
        return _sampled_places(len(self.counts) // 4)

    def _stable_when_opened(self, claims: int) -> bool:
        # The new claim stands at the end, far behind the places that are sampled in a list of 50 and more.
        last_is_one = not self._heights or self._heights[-1] <= 1
        return claims <= MAX_INSERTION or claims >= SHORTEST_SHIFTING or last_is_one

    def _stable_from_here(self) -> bool:
        """Tell whether each new claim with one pod, however many there are, only stands behind all others."""
        return len(self.counts) + 1 >= SHORTEST_SHIFTING or not self._heights or self._heights[-1] <= 1

    def _free_rise(self, claim: int, pods: int) -> int:
        """Return how many of the next pods move the claim as a stable sort would, or 0 if the first needs the real sort."""
        claims = len(self.counts)
        if claims <= MAX_INSERTION:
            return pods
        # At most the first step starts from within a level; after it the claim is in front of each level that it comes to. A
        # step puts something out of order only if others of the level are behind it.
        height = self.counts[claim]
        items = self._levels[height]
        behind = items.index(claim) if items[-1] != claim else len(items) - 1
        at = bisect_left(self._heights, height)
        below = sum(len(self._levels[h]) for h in self._heights[:at])
        samples = self._samples() if claims >= SHORTEST_SHIFTING else None  # None: any descent is noticed
        if behind and (samples is None or below + len(items) - 1 - behind in samples):
            return 0
        below += len(items) - 1
        for next_height in self._heights[at + 1 :]:
            if next_height >= height + pods:
                break
            if samples is None or below in samples:
                return next_height - height
            below += len(self._levels[next_height])
        return pods

    def _undisturbed(self, group: list[int], height: int) -> int:
        """Return how many claims of a level, taken in order, step up before the sort samples one."""
        claims = len(self.counts)
        if claims <= MAX_INSERTION:
            return len(group)
        if claims < SHORTEST_SHIFTING:
            return 0
        items, samples, below = self._levels[height], self._samples(), self._below(height)
        if not any(below <= s < below + len(items) for s in samples):
            return len(group)
        if self._are_first(group, height):
            # All step up from the same place, and only the last of the level has no others behind it.
            return 0 if below in samples and len(items) > 1 else len(group)
        rising = set(group)
        staying = 0
        risen = 0
        for index, claim in enumerate(reversed(items), start=1):
            # Those that rose before it have left the level to the places behind it; only the staying ones are in front.
            if claim not in rising:
                staying += 1
                continue
            if below + staying in samples and index < len(items):
                return risen
            risen += 1
        return risen

    def _undisturbed_rounds(self, risers: int, height: int, rounds: int) -> int:
        """Return how many rounds several claims of a level rise together; the first is known to be undisturbed.

        On the way they are in front of the other claims of each level, so all of them step up from the same position.
        """
        if len(self.counts) <= MAX_INSERTION or rounds == 1:
            return rounds
        samples = self._samples()
        below = self._below(height + 1) - risers
        reached = height + 1
        for occupied in [*self._heights[bisect_left(self._heights, height + 1) :], height + rounds]:
            if reached >= height + rounds:
                break
            if below in samples:
                return reached - height
            below += len(self._levels.get(occupied, ()))
            reached = occupied + 1
        return rounds

    def _step_by_sorting(self, claim: int) -> None:
        """Give a claim one more pod, and let the sort itself decide the order afterwards."""
        if len(self.counts) >= SHORTEST_SHIFTING:
            self._step_among_many(claim)
            return
        sequence = self.sequence()
        self._lift([claim], self.counts[claim], 1)
        self._resort(sequence)

    def _step_among_many(self, claim: int) -> None:
        """Do the same among many claims, of which only a few change places with others of their level."""
        height = self.counts[claim]
        starts = [0, *accumulate(len(self._levels[h]) for h in self._heights)]
        level = self._levels[height]
        ends = starts[bisect_left(self._heights, height) + 1]
        nearly_sorted = NearlySortedClaims(self._heights[:], starts[:-1], len(self.counts), ends - 1 - level.index(claim))
        pdqsort(nearly_sorted, len(self.counts))
        # If the sort took the claim out and inserted it further on, `_lift` makes that move, and only what else changed its
        # place is exchanged.
        by_place = nearly_sorted.moved if nearly_sorted.at == nearly_sorted.place else nearly_sorted.beside(ends - 1)
        claims = {element: self._at(nearly_sorted, element) for element in by_place.values()}
        if nearly_sorted.at != nearly_sorted.place:
            self._lift([claim], height, 1)
        else:
            self._pass_on(claim, height)
        self._exchange({place: claims[element] for place, element in by_place.items()})

    def _at(self, nearly_sorted: NearlySortedClaims, place: int) -> int:
        level = bisect_right(nearly_sorted.starts, place) - 1
        return self._levels[nearly_sorted.heights[level]][nearly_sorted.starts[level] - 1 - place]

    def _resort(self, sequence: list[int]) -> None:
        """Bring each level into the order in which the sort leaves the claims; which claims are in it is already known."""
        counts = list(map(self.counts.__getitem__, sequence))
        numbers = {count: number for number, count in enumerate(sorted(set(counts)))}
        order = _sorted_places(tuple(map(numbers.__getitem__, counts)))
        self._rearrange([sequence[position] for position in order])


@lru_cache(maxsize=8)
def _sampled_places(quarter: int) -> frozenset[int]:
    """Return where a claim that has just grown is sampled before a smaller one, for lengths with this quarter.

    Around each quarter the places `p - 1, p, p + 1` are compared in pairs: the claim is noticed as the first of a pair.
    """
    return frozenset(k * quarter - back for k in (1, 2, 3) for back in (0, 1))


@lru_cache(maxsize=1024)
def _sorted_places(levels: tuple[int, ...]) -> tuple[int, ...]:
    """Return the order in which the sort leaves claims, given by their levels: it compares counts, whatever these are.

    Claims that take turns come to the same levels again and again.
    """
    return tuple(sort_by_key(list(levels)))
