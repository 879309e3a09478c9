"""The errors of components and of running a stack's program: a branch of the tree in `cutlist.core.errors`.

    CutlistError
    ├── InputError
    │   ├── ProgramCrash      a program ended with an exception of its own
    │   └── DuplicateUrnError two resources have the same URN
    ├── ProgramError          a program ended with a message of its own
    ├── OfflineError          a program asked for what only an engine or a provider can answer
    ├── AccountError          a provider or another stack does not answer
    ├── LookupRefusedError    a provider would refuse the arguments of a look-up
    ├── RefusedError          the process that records a program takes no such registration
    ├── DamagedStreamError    what a program sends cannot be read
    └── TransitionError       a cluster cannot make a change

`ProgramFault` is not in the tree: it is a fault of Cutlist itself.
"""

from __future__ import annotations

from typing import Final

from cutlist.core.errors import CutlistError, InputError, Place, Problem

NOWHERE: Final = Place()
"""The place of what is known to be at no line of a program."""


class ProgramError(CutlistError):
    """A program ended its run with a message of its own."""


class ProgramCrash(InputError):
    """A program ended with an exception of its own, so nothing is known of its resources."""


class ProgramFault(Exception):
    """Cutlist's own code failed in the process of a program."""


class OfflineError(CutlistError):
    """The program asked for something that only an engine or a provider can answer."""


class AccountError(CutlistError):
    """A provider or another stack does not answer what a program looks up."""


class LookupRefusedError(CutlistError):
    """A provider would refuse the arguments of a look-up, which fails a program."""


class RefusedError(CutlistError):
    """The process that records a program does not take what it sends."""


class DamagedStreamError(CutlistError):
    """What came over a stream is not a frame, or is larger than a frame may be."""


class DuplicateUrnError(InputError):
    """Two resources of a program have the same URN; an engine refuses this as well."""

    @staticmethod
    def of(urn: str, at: Place = NOWHERE) -> DuplicateUrnError:
        """Return the error for a second resource with a URN, registered by a line of the program if that is known."""
        type_, name = urn.split("::", 3)[-2:]
        text = f"a second resource {name} of type {type_.rpartition('$')[2]} below the same parents: duplicate URN {urn}"
        return DuplicateUrnError([Problem(at, text, "another name, or another parent")])


class TransitionError(CutlistError):
    """A change that a cluster cannot make."""
