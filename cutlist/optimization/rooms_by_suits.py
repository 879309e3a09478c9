"""The rooms of options by the demands that they suit."""

from __future__ import annotations

from operator import ge


class RoomsBySuits:
    """Rooms by the demands that they suit, as bits: only those for all demands of an option can dominate it."""

    __slots__ = ("_rooms", "_suiting")

    def __init__(self) -> None:
        self._rooms: dict[int, list[tuple[float, ...]]] = {}
        self._suiting: dict[int, list[list[tuple[float, ...]]]] = {}

    def add(self, room: tuple[float, ...], suits: int) -> None:
        """Add a room."""
        if suits not in self._rooms:
            added = self._rooms[suits] = []
            for asked, found in self._suiting.items():
                if asked & ~suits == 0:
                    found.append(added)
        self._rooms[suits].append(room)

    def have_as_much(self, room: tuple[float, ...], suits: int) -> bool:
        """Tell whether one of the rooms suits all of some demands and has no less of anything than another room."""
        if suits not in self._suiting:
            self._suiting[suits] = [rooms for others, rooms in self._rooms.items() if suits & ~others == 0]
        return any(all(map(ge, better, room)) for rooms in self._suiting[suits] for better in rooms)
