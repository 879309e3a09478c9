"""The order in which open claims are tried: fewest pods first (spec: scheduling 5.2, appendix A; S-51, S-52).

Karpenter sorts its claims by number of pods before each pod, with a sort that is not stable. The result depends on the
sequence of counts alone, and between two sorts exactly one claim has changed. So the order is kept as levels of equal count,
and one placement is one move from a level to the next. Where the sort is known to behave like a stable one (up to 12 claims,
and from 50 on unless it happens to look at the changed claim while choosing its pivot) the move is simple: to the front of the
next level. Otherwise the sort itself is run on the counts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, chain
from typing import Final

from cutlist.core.go_sort import sort_by_key, sort_row
from cutlist.scheduling.instancetypes import bits
from cutlist.scheduling.nearly_sorted import NearlySortedClaims

_INSERTION_SORT: Final = 12  # up to this many elements the sort is a plain insertion sort, hence stable
_NINTHER: Final = 50  # from this many on it samples nine elements, and mends a nearly sorted list by shifting


class ClaimOrder:
    """Claims, numbered from 0 as they are opened, by number of pods.

    Inside a level the list holds the claims last first, so that the front of the level is the cheap end.
    """

    __slots__ = ("_heights", "_high", "_levels", "_low", "_masks", "_rank", "counts")

    def __init__(self) -> None:
        self.counts: list[int] = []
        self._heights: list[int] = []
        self._levels: dict[int, list[int]] = {}
        self._masks: dict[int, int] = {}
        self._rank: list[int] = []
        self._low = self._high = 0

    def __len__(self) -> int:
        return len(self.counts)

    def sequence(self) -> list[int]:
        """All claims in the order in which they would be tried now."""
        return list(chain.from_iterable(reversed(self._levels[height]) for height in self._heights))

    def open(self) -> int:
        """A new claim with one pod, put behind all others; its number."""
        claim = len(self.counts)
        before = [] if self._stable_when_opened(claim + 1) else self.sequence()
        self.counts.append(1)
        self._high += 1
        self._rank.append(self._high)
        if 1 not in self._levels:
            self._add_level(1)
        self._levels[1].insert(0, claim)
        self._masks[1] |= 1 << claim
        if before:
            self._resort([*before, claim])
        return claim

    def open_alike(self, claims: int, pods: int) -> range:
        """So many claims, each opened and given so many pods before the next; their numbers."""
        opened = range(len(self.counts), len(self.counts) + claims)
        while len(self.counts) < opened.stop:
            unnoticed = self._unnoticed_openings(opened.stop - len(self.counts), pods)
            if unnoticed:
                self._arrive(range(len(self.counts), len(self.counts) + unnoticed), pods)
            else:
                self.grow(self.open(), pods - 1)
        return opened

    def _unnoticed_openings(self, claims: int, pods: int) -> int:
        """How many of the next claims rise past all others on their way without being noticed by the sort.

        Each stands in front of a level when it gets its next pod, at the place that the number of claims with fewer pods gives.
        """
        length = len(self.counts) + 1
        if pods == 1 or length < _NINTHER:
            return 0
        passed, below = set(), 0
        for height in self._heights[: bisect_left(self._heights, pods)]:
            if height > 1:
                passed.add(below)
            below += len(self._levels[height])
        for opened in range(claims):
            quarter = (length + opened) // 4
            if not passed.isdisjoint(_sampled_places(quarter)):
                return opened
        return claims

    def _arrive(self, opened: range, pods: int) -> None:
        """New claims that have come to the front of a level one after the other."""
        if pods not in self._levels:
            self._add_level(pods)
        self.counts.extend([pods] * len(opened))
        self._rank.extend(range(self._low - 1, self._low - 1 - len(opened), -1))
        self._low -= len(opened)
        self._levels[pods].extend(opened)
        self._masks[pods] |= ((1 << len(opened)) - 1) << opened.start

    def first(self, accepting: int) -> int | None:
        """The first claim in order among some; None when there is none."""
        for height in self._heights:
            there = self._masks[height] & accepting
            if there:
                return there.bit_length() - 1 if not there & (there - 1) else next(self._walk(height, there))
        return None

    def grow(self, claim: int, pods: int) -> None:
        """The claim got so many pods, one after the other, with no other placement in between."""
        while pods:
            steps = self._free_rise(claim, pods)
            if steps:
                self._lift([claim], self.counts[claim], steps)
                pods -= steps
            else:
                self._step_by_sorting(claim)
                pods -= 1

    def fill(self, candidates: int, room: Callable[[int], int], pods: int) -> dict[int, int]:
        """Give pods that are all alike, each to the first claim in order that still has room for one.

        `room` says how many a candidate can take, 0 for none; it is asked only of claims whose turn comes. Returns how many
        each got; fewer than `pods` in all when there was not room enough.
        """
        given: dict[int, int] = {}
        left: dict[int, int] = {}
        accepting = candidates
        while pods and accepting:
            height, there, ceiling = self._lowest(accepting)
            group: list[int] = []
            for claim in self._walk(height, there):
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
                given[claim] = given.get(claim, 0) + rounds
                left[claim] -= rounds
                if not left[claim]:
                    accepting ^= 1 << claim
            pods -= rounds * len(group)
        return given

    def _raise(self, group: list[int], height: int, rounds: int) -> tuple[list[int], int]:
        """Take claims of one level up together, as far as no sort interferes; which of them rose, and by how much."""
        if len(group) == 1:
            self.grow(group[0], rounds)
            return group, rounds
        undisturbed = self._undisturbed(group, height)
        if undisturbed == 0:
            self._step_by_sorting(group[0])
            return group[:1], 1
        if undisturbed < len(group):
            group, rounds = group[:undisturbed], 1
        else:
            rounds = self._undisturbed_rounds(len(group), height, rounds)
        self._lift(group, height, rounds)
        return group, rounds

    def _lowest(self, accepting: int) -> tuple[int, int, int]:
        """The lowest level with accepting claims, these claims, and how far above it the next accepting ones are."""
        found: tuple[int, int] | None = None
        for height in self._heights:
            there = self._masks[height] & accepting
            if there:
                if found:
                    return (*found, height - found[0])
                found = height, there
        assert found is not None  # noqa: S101 - every accepting claim is in some level
        return (*found, 1 << 62)

    def _walk(self, height: int, there: int) -> Iterator[int]:
        """Some claims of a level, in order."""
        items = self._levels[height]
        if there == self._masks[height]:
            return iter(items[::-1])
        if there.bit_count() * 8 < len(items):
            return iter(sorted(bits(there), key=self._rank.__getitem__))
        return (claim for claim in reversed(items) if there >> claim & 1)

    def _samples(self) -> frozenset[int]:
        """Positions at which a claim that has just grown is noticed by the choice of the pivot (appendix A)."""
        return _sampled_places(len(self.counts) // 4)

    def _stable_when_opened(self, claims: int) -> bool:
        last_is_one = not self._heights or self._heights[-1] <= 1
        return claims <= _INSERTION_SORT or claims >= _NINTHER or last_is_one

    def _below(self, height: int) -> int:
        return sum(len(self._levels[h]) for h in self._heights[: bisect_left(self._heights, height)])

    def _free_rise(self, claim: int, pods: int) -> int:
        """How many of the next pods move the claim without any sort but a stable one; 0 when the first one needs the sort."""
        claims = len(self.counts)
        if claims <= _INSERTION_SORT:
            return pods
        height = self.counts[claim]
        items = self._levels[height]
        behind = items.index(claim) if items[-1] != claim else len(items) - 1
        at = bisect_left(self._heights, height)
        below = sum(len(self._levels[h]) for h in self._heights[:at])
        samples = self._samples() if claims >= _NINTHER else None
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
        """How many claims of a level, taken in order, step up before one is noticed by the sort."""
        claims = len(self.counts)
        if claims <= _INSERTION_SORT:
            return len(group)
        if claims < _NINTHER:
            return 0
        items, samples, below = self._levels[height], self._samples(), self._below(height)
        if not any(below <= s < below + len(items) for s in samples):
            return len(group)
        rising = set(group)
        staying = 0
        risen = 0
        for index, claim in enumerate(reversed(items), start=1):
            if claim not in rising:
                staying += 1
                continue
            if below + staying in samples and index < len(items):
                return risen
            risen += 1
        return risen

    def _undisturbed_rounds(self, risers: int, height: int, rounds: int) -> int:
        """How many rounds several claims of a level go up together; the first is known to be undisturbed.

        On the way they stand in front of whatever is on a level, so all of them step up from the same position.
        """
        if len(self.counts) <= _INSERTION_SORT or rounds == 1:
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

    def _lift(self, group: list[int], height: int, rounds: int) -> None:
        """Move claims, given in order, from one level to the front of a higher one; each round turns their order round."""
        items = self._levels[height]
        if len(group) == len(items):
            self._drop_level(height)
        elif len(group) == 1:
            claim = group[0]
            del items[-1 if items[-1] == claim else items.index(claim)]
            self._masks[height] ^= 1 << claim
        else:
            rising = set(group)
            self._levels[height] = [claim for claim in items if claim not in rising]
            self._masks[height] ^= sum(1 << claim for claim in group)
        target = height + rounds
        if target not in self._levels:
            self._add_level(target)
        arriving = group if rounds % 2 else group[::-1]
        mask = 0
        for claim in arriving:
            self._low -= 1
            self._rank[claim] = self._low
            self.counts[claim] = target
            mask |= 1 << claim
        self._levels[target].extend(arriving)
        self._masks[target] |= mask

    def _step_by_sorting(self, claim: int) -> None:
        """One more pod for a claim, after which the sort itself says who stands where."""
        if len(self.counts) >= _NINTHER:
            self._step_in_row(claim)
            return
        sequence = self.sequence()
        self._lift([claim], self.counts[claim], 1)
        self._resort(sequence)

    def _step_in_row(self, claim: int) -> None:
        """In a long row only a few claims change places with others of their level."""
        height = self.counts[claim]
        starts = [0, *accumulate(len(self._levels[h]) for h in self._heights)]
        level = self._levels[height]
        ends = starts[bisect_left(self._heights, height) + 1]
        row = NearlySortedClaims(self._heights[:], starts[:-1], len(self.counts), ends - 1 - level.index(claim))
        sort_row(row, len(self.counts))
        there = row.moved if row.at == row.place else row.beside(ends - 1)
        claims = {element: self._at(row, element) for element in there.values()}
        if row.at != row.place:
            self._lift([claim], height, 1)
        else:
            self._pass_on(claim, height)
        self._exchange({place: claims[element] for place, element in there.items()})

    def _at(self, row: NearlySortedClaims, place: int) -> int:
        level = bisect_right(row.starts, place) - 1
        return self._levels[row.heights[level]][row.starts[level] - 1 - place]

    def _pass_on(self, claim: int, height: int) -> None:
        """The last place of a level becomes the first of the next; who stands there is put right by the exchanges."""
        last = self._levels[height].pop(0)
        if height + 1 not in self._levels:
            self._add_level(height + 1)
        self._levels[height + 1].append(last)
        self._masks[height] ^= 1 << claim
        self._masks[height + 1] ^= 1 << claim
        self.counts[claim] = height + 1
        self._low -= 1
        self._rank[last] = self._low

    def _exchange(self, there: dict[int, int]) -> None:
        """Put claims at places; with its place a claim takes over the rank."""
        starts = [0, *accumulate(len(self._levels[h]) for h in self._heights)]
        written = []
        for place, claim in there.items():
            level = bisect_right(starts, place) - 1
            items, slot = self._levels[self._heights[level]], starts[level] - 1 - place
            written.append((items, slot, claim, self._rank[items[slot]]))
        for items, slot, claim, rank in written:
            items[slot] = claim
            self._rank[claim] = rank

    def _resort(self, sequence: list[int]) -> None:
        """Bring each level into the order in which the sort leaves the claims; which claims are in it is known before."""
        order = sort_by_key(list(map(self.counts.__getitem__, sequence)))
        start = 0
        for height in self._heights:
            end = start + len(self._levels[height])
            items = [sequence[position] for position in order[start:end]]
            for claim in items:
                self._high += 1
                self._rank[claim] = self._high
            items.reverse()
            self._levels[height] = items
            start = end

    def _add_level(self, height: int) -> None:
        self._levels[height] = []
        self._masks[height] = 0
        insort(self._heights, height)

    def _drop_level(self, height: int) -> None:
        del self._levels[height], self._masks[height]
        self._heights.remove(height)


@lru_cache(maxsize=8)
def _sampled_places(quarter: int) -> frozenset[int]:
    """For rows whose length has this quarter: where a claim that has just grown is seen to stand before a smaller one."""
    return frozenset(k * quarter - back for k in (1, 2, 3) for back in (0, 1))
