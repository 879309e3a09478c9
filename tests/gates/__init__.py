"""Ways around the gates that a colleague could try, and ordinary set-ups that no gate may stop, as a table by class."""

import sys
from pathlib import Path

# The pack is a program of its own, not a package that is installed; pytest has its folder on the path, `python -m` has not.
_PACK = str(Path(__file__).resolve().parents[2] / "policies")
if _PACK not in sys.path:
    sys.path.append(_PACK)
