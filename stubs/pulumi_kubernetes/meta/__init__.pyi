# Written by `python -m stubs.generate`. Do not edit.
from . import v1 as v1
