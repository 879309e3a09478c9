"""The errors of components and of running a stack's program: a branch of the tree in `cutlist.core.errors`.

    CutlistError
    ├── InputError
    │   └── ProgramCrash      a program ended with an exception of its own
    ├── ProgramError          a program ended with a message of its own
    ├── OfflineError          a program asked for what only an engine or a provider can answer
    ├── AccountError          a provider or another stack does not answer
    ├── LookupRefusedError    a provider would refuse the arguments of a look-up
    ├── DuplicateUrnError     two resources have the same URN
    ├── DamagedStreamError    what a program sends cannot be read
    └── TransitionError       a cluster cannot make a change

`ProgramFault` is not in the tree: it is a fault of Cutlist itself.
"""

from __future__ import annotations

from cutlist.core.errors import CutlistError, InputError


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


class DamagedStreamError(CutlistError):
    """What came over a stream is not a frame, or is larger than a frame may be."""


class DuplicateUrnError(CutlistError):
    """Two resources of a program have the same URN; an engine refuses this as well."""


class TransitionError(CutlistError):
    """A change that a cluster cannot make."""
