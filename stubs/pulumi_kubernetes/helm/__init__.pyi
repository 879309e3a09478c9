# Written by `python -m stubs.generate`. Do not edit.
from . import v3 as v3
