"""Zones that are alike, distinguished only by their names.

Where several zones are equally good, Karpenter takes one at random and Cutlist the first by name. Its answer to the same
cluster with the names of zones exchanged is then another of the answers that Karpenter may give.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.live.scenarios.builders import ZONES

_ZONE: Final = re.compile("|".join(ZONES))


def with_names_exchanged(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value of JSON with the names of zones exchanged for others."""
    return json.loads(_ZONE.sub(lambda match: names[match[0]], json.dumps(value)))


def exchanged_back(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value of JSON as it was before the names of zones were exchanged."""
    return with_names_exchanged(value, {new: old for old, new in names.items()})


def exchanges() -> Iterator[dict[str, str]]:
    """Yield every way to exchange the names of zones."""
    for order in itertools.permutations(ZONES):
        yield dict(zip(ZONES, order, strict=True))
