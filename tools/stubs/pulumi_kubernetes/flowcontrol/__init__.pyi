# Written by `python -m tools.stubs.generate`. Do not edit.
from . import v1 as v1
