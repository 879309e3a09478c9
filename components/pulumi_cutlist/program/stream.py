"""The stream between the process of a program and the one that judges it: frames, each with what it is and its content.

The data that arrives is not trusted: it is read as protobuf or JSON and never becomes an object of another kind.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from pulumi_cutlist.errors import DamagedStreamError

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of the content of one frame."""
MOST: Final = 512 * 1024 * 1024
"""Bytes of everything that a program may send."""
_HEAD: Final = struct.Struct("!4sBI")
_MARK: Final = b"CUT1"


class FrameKind(IntEnum):
    """What a frame is: what a program sends, and the two answers to it."""

    REGISTER = 1
    OUTPUTS = 2
    HOOK = 3
    LOG = 4
    PLAN = 5
    END = 6
    FAILED = 7
    LOOK_UP = 10
    READ = 11
    ACCEPTED = 8
    REFUSED = 9


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    kind: FrameKind
    content: bytes = b""

    def encoded(self) -> bytes:
        """Return the bytes of the stream."""
        return _HEAD.pack(_MARK, self.kind, len(self.content)) + self.content


@dataclass(slots=True)
class Frames:
    """Frames out of the bytes that arrive, in pieces of any size."""

    _waiting: bytearray = field(default_factory=bytearray)
    _received: int = 0

    def add(self, piece: bytes) -> Iterator[Frame]:
        """Yield the frames that a further piece completes. Raises DamagedStreamError."""
        self._received += len(piece)
        if self._received > MOST:
            raise DamagedStreamError(f"the program sends more than {MOST >> 20} MiB")
        self._waiting += piece
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Frame | None:
        if len(self._waiting) < _HEAD.size:
            return None
        mark, kind, length = _HEAD.unpack_from(self._waiting)
        if mark != _MARK or kind not in list(FrameKind) or length > LARGEST:
            raise DamagedStreamError("what the program sends is not a registration")
        end = _HEAD.size + length
        if len(self._waiting) < end:
            return None
        content = bytes(self._waiting[_HEAD.size : end])
        del self._waiting[:end]
        return Frame(FrameKind(kind), content)


def answer_to(stream: socket.socket, frame: Frame) -> Frame:
    """Send a frame and return the answer to it. Raises DamagedStreamError when the other side is no longer there."""
    frames = Frames()
    stream.sendall(frame.encoded())
    while piece := stream.recv(1 << 16):
        for answer in frames.add(piece):
            return answer
    raise DamagedStreamError("the process that runs this program has ended")
