"""Devices as amounts of a bound: what is counted, and what is not because it might not hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cutlist import plan
from cutlist.planning.model.costs import as_usd  # noqa: F401
from tests.unit.planning.test_devices import GATE, inputs_of, pod, pool, template
