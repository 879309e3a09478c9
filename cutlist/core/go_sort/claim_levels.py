"""Claims by number of pods: levels of equal count, each in order, and the moves between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain

from cutlist.core.bits import bits, mask_of


class ClaimLevels:
    """Claims, numbered from 0 as they are opened. `counts` are their numbers of pods, `heights` the counts that occur, and
    `sorted` is how often the sort has changed the places of claims that got no pod.

    Within a level the list holds the claims in reverse, because changes at the end of a list are cheap and happen at the front
    of the level. A claim's rank is its position in its level: the lower, the further in front.
    """

    __slots__ = ("_heights", "_high", "_levels", "_low", "_masks", "_rank", "counts", "sorted")

    def __init__(self) -> None:
        self.counts: list[int] = []
        self._heights: list[int] = []
        self._levels: dict[int, list[int]] = {}
        self._masks: dict[int, int] = {}
        self._rank: list[int] = []
        self._low = self._high = self.sorted = 0

    def __len__(self) -> int:
        return len(self.counts)

    def sequence(self) -> list[int]:
        """Return all claims in the order in which they would be tried next."""
        return list(chain.from_iterable(reversed(self._levels[height]) for height in self._heights))

    def place(self, claim: int) -> tuple[int, int]:
        """Return the place of a claim: the less, the further in front."""
        return self.counts[claim], self._rank[claim]

    def first(self, accepting: int) -> int | None:
        """Return the first of some claims in order, or None for no claims."""
        for height in self._heights:
            mask = self._masks[height] & accepting
            if mask:
                return mask.bit_length() - 1 if not mask & (mask - 1) else next(self._walk(height, mask))
        return None

    def _append(self) -> int:
        """Put a new claim with one pod behind all others of its level and return its number."""
        claim = len(self.counts)
        self._append_behind(range(claim, claim + 1))
        return claim

    def _append_behind(self, opened: range) -> None:
        """Put new claims with one pod, one after the other, behind all others of their level."""
        if 1 not in self._levels:
            self._add_level(1)
        self.counts.extend([1] * len(opened))
        self._rank.extend(range(self._high + 1, self._high + 1 + len(opened)))
        self._high += len(opened)
        self._levels[1][:0] = reversed(opened)
        self._masks[1] |= ((1 << len(opened)) - 1) << opened.start

    def _append_in_front(self, opened: range, pods: int) -> None:
        """Put new claims with this many pods, one after the other, in front of their level."""
        if pods not in self._levels:
            self._add_level(pods)
        self.counts.extend([pods] * len(opened))
        self._rank.extend(range(self._low - 1, self._low - 1 - len(opened), -1))
        self._low -= len(opened)
        self._levels[pods].extend(opened)
        self._masks[pods] |= ((1 << len(opened)) - 1) << opened.start

    def _lowest(self, accepting: int) -> tuple[int, int, int]:
        """Return the lowest level with accepting claims, these claims, and the distance to the next level with accepting
        claims."""
        lowest: tuple[int, int] | None = None
        for height in self._heights:
            mask = self._masks[height] & accepting
            if mask:
                if lowest:
                    return (*lowest, height - lowest[0])
                lowest = height, mask
        assert lowest is not None  # noqa: S101 - every accepting claim is in some level
        return (*lowest, 1 << 62)

    def _walk(self, height: int, mask: int) -> Iterator[int]:
        """Yield some claims of a level, in order."""
        items = self._levels[height]
        if mask == self._masks[height]:
            return iter(items[::-1])
        # Sorting a few by rank is cheaper than walking over a long level to find them.
        if mask.bit_count() * 8 < len(items):
            return iter(sorted(bits(mask), key=self._rank.__getitem__))
        return (claim for claim in reversed(items) if mask >> claim & 1)

    def _in_order(self, height: int, mask: int) -> list[int]:
        """Return some of very many claims of a level, in order."""
        items, others = self._levels[height], self._masks[height] & ~mask
        if not others:
            return items[::-1]
        left_out = set(bits(others))
        return [claim for claim in reversed(items) if claim not in left_out]

    def _below(self, height: int) -> int:
        return sum(len(self._levels[h]) for h in self._heights[: bisect_left(self._heights, height)])

    def _lift(self, group: list[int], height: int, rounds: int) -> None:
        """Move claims, given in order, from one level to the front of a higher one; each round reverses their order."""
        mask, target = mask_of(group), height + rounds
        self._leave(group, height, mask)
        if target not in self._levels:
            self._add_level(target)
        arriving = group if rounds % 2 else group[::-1]
        for claim in arriving:
            self._low -= 1
            self._rank[claim] = self._low
            self.counts[claim] = target
        self._levels[target].extend(arriving)
        self._masks[target] |= mask

    def _leave(self, group: list[int], height: int, mask: int) -> None:
        """Take claims, given in order and as bits, out of their level."""
        items = self._levels[height]
        if len(group) == len(items):
            self._drop_level(height)
            return
        self._masks[height] ^= mask
        if len(group) == 1:
            del items[-1 if items[-1] == group[0] else items.index(group[0])]
        elif self._are_first(group, height):
            del items[-len(group) :]
        else:
            rising = set(group)
            self._levels[height] = [claim for claim in items if claim not in rising]

    def _are_first(self, group: list[int], height: int) -> bool:
        """Tell whether claims, given in order, are the first ones of their level."""
        return self._levels[height][-len(group) :] == group[::-1]

    def _pass_on(self, claim: int, height: int) -> None:
        """Turn the last place of a level into the first of the next; `_exchange` corrects which claim has it."""
        last = self._levels[height].pop(0)
        if height + 1 not in self._levels:
            self._add_level(height + 1)
        self._levels[height + 1].append(last)
        self._masks[height] ^= 1 << claim
        self._masks[height + 1] ^= 1 << claim
        self.counts[claim] = height + 1
        self._low -= 1
        self._rank[last] = self._low

    def _exchange(self, by_place: Mapping[int, int]) -> None:
        """Put claims at places; a claim takes over the rank of its place."""
        self.sorted += 1
        starts = [0, *accumulate(len(self._levels[h]) for h in self._heights)]
        writes = []
        for place, claim in by_place.items():
            level = bisect_right(starts, place) - 1
            items, slot = self._levels[self._heights[level]], starts[level] - 1 - place
            writes.append((items, slot, claim, self._rank[items[slot]]))
        for items, slot, claim, rank in writes:
            items[slot] = claim
            self._rank[claim] = rank

    def _rearrange(self, sequence: Sequence[int]) -> None:
        """Bring the claims of each level into the order that they have in a sequence of all claims."""
        self.sorted += 1
        start = 0
        for height in self._heights:
            end = start + len(self._levels[height])
            items = list(sequence[start:end])
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
