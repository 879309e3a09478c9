"""The unstable sort of the specification's Appendix A, word for word and without haste: what the fast one is compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def plain_sort(data: list[Any], less: Callable[[Any, Any], bool]) -> None:
    """Sort in place, comparing and swapping exactly as the appendix says."""
    _quicksort(data, 0, len(data), len(data).bit_length(), lambda i, j: less(data[i], data[j]))


def plain_order(keys: list[int]) -> list[int]:
    """Return the original positions in the order that the plain sort leaves them."""
    pairs = list(enumerate(keys))
    plain_sort(pairs, lambda a, b: a[1] < b[1])
    return [position for position, _ in pairs]


def _swap(data, i, j):
    data[i], data[j] = data[j], data[i]


def _quicksort(data, a, b, budget, less):
    balanced = partitioned = True
    while True:
        length = b - a
        if length <= 12:
            for i in range(a + 1, b):
                while i > a and less(i, i - 1):
                    _swap(data, i, i - 1)
                    i -= 1
            return
        if budget == 0:
            _heap_sort(data, a, b, less)
            return
        if not balanced:
            _scatter(data, a, b)
            budget -= 1
        pivot, hint = _choose_pivot(a, b, less)
        if hint == "decreasing":
            data[a:b] = reversed(data[a:b])
            pivot, hint = (b - 1) - (pivot - a), "increasing"
        if balanced and partitioned and hint == "increasing" and _limited_insertion(data, a, b, less):
            return
        if a > 0 and not less(a - 1, pivot):
            a = _equal_to_front(data, a, b, pivot, less)
            continue
        middle, partitioned = _partition(data, a, b, pivot, less)
        left, right = middle - a, b - middle
        if left < right:
            balanced = left >= length // 8
            _quicksort(data, a, middle, budget, less)
            a = middle + 1
        else:
            balanced = right >= length // 8
            _quicksort(data, middle + 1, b, budget, less)
            b = middle


def _heap_sort(data, a, b, less):
    def sift(root, size):
        while 2 * root + 1 < size:
            child = 2 * root + 1
            if child + 1 < size and less(a + child, a + child + 1):
                child += 1
            if not less(a + root, a + child):
                return
            _swap(data, a + root, a + child)
            root = child

    for root in range((b - a - 1) // 2, -1, -1):
        sift(root, b - a)
    for size in range(b - a - 1, -1, -1):
        _swap(data, a, a + size)
        sift(0, size)


def _scatter(data, a, b):
    length = b - a
    if length < 8:
        return
    r = length
    for position in range(a + 2 * (length // 4) - 1, a + 2 * (length // 4) + 2):
        r = (r ^ (r << 13)) % 2**64
        r = r ^ (r >> 7)
        r = (r ^ (r << 17)) % 2**64
        other = r & (2 ** length.bit_length() - 1)
        if other >= length:
            other -= length
        _swap(data, position, a + other)


def _choose_pivot(a, b, less):
    swaps = 0

    def median(x, y, z):
        nonlocal swaps
        if less(y, x):
            x, y, swaps = y, x, swaps + 1
        if less(z, y):
            y, z, swaps = z, y, swaps + 1
        if less(y, x):
            x, y, swaps = y, x, swaps + 1
        return y

    q = (b - a) // 4
    x, y, z = a + q, a + 2 * q, a + 3 * q
    if b - a >= 8:
        if b - a >= 50:
            x, y, z = median(x - 1, x, x + 1), median(y - 1, y, y + 1), median(z - 1, z, z + 1)
        y = median(x, y, z)
    return y, {0: "increasing", 12: "decreasing"}.get(swaps, "none")


def _limited_insertion(data, a, b, less):
    i = a + 1
    for _ in range(5):
        while i < b and not less(i, i - 1):
            i += 1
        if i == b:
            return True
        if b - a < 50:
            return False
        _swap(data, i, i - 1)
        if i - a >= 2:
            j = i - 1
            while j >= 1 and less(j, j - 1):
                _swap(data, j, j - 1)
                j -= 1
        if b - i >= 2:
            j = i + 1
            while j < b and less(j, j - 1):
                _swap(data, j, j - 1)
                j += 1
    return False


def _equal_to_front(data, a, b, pivot, less):
    _swap(data, a, pivot)
    i, j = a + 1, b - 1
    while True:
        while i <= j and not less(a, i):
            i += 1
        while i <= j and less(a, j):
            j -= 1
        if i > j:
            return i
        _swap(data, i, j)
        i, j = i + 1, j - 1


def _partition(data, a, b, pivot, less):
    _swap(data, a, pivot)
    i, j, swapped = a + 1, b - 1, False
    while True:
        while i <= j and less(i, a):
            i += 1
        while i <= j and not less(j, a):
            j -= 1
        if i > j:
            break
        _swap(data, i, j)
        swapped = True
        i, j = i + 1, j - 1
    _swap(data, j, a)
    return j, not swapped
