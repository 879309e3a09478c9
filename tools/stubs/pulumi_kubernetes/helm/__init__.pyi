# Written by `python -m tools.stubs.generate`. Do not edit.
from . import v3 as v3
