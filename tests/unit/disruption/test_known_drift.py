"""Reasons of drift that are kept are those that would be found again."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.labels import HOSTNAME, INSTANCE_TYPE, ZONE
from cutlist.disruption.drift_reason import drift_reason
from cutlist.disruption.known_drift import KnownDrift
from tests.examples import examples
from tests.unit.disruption.claims import HOUR, LABELS, MINUTE, NOON, claim
from tests.unit.scheduling.builders import MACHINES, REGISTRY, pool

STAMPS = {HASH: "1", HASH_VERSION: "v3"}
POOL = pool(requirements={ZONE: [LABELS[ZONE]]}, pool_annotations=STAMPS)
CHANGES = (
    {"labels": LABELS},
    {"labels": {**LABELS, ZONE: "zone-x"}},
    {"labels": {**LABELS, INSTANCE_TYPE: "gone"}},
    {"annotations": STAMPS},
    {"annotations": {**STAMPS, HASH: "2"}},
    {"last_pod_event": NOON},
    {"created": NOON},
    {"name": "other"},
    {"labels": {**LABELS, HOSTNAME: "host-a"}},
    {"labels": {**LABELS, HOSTNAME: "host-b"}},
    {},
)


@examples(0.5)
@given(st.lists(st.tuples(st.sampled_from(CHANGES), st.sampled_from((0, MINUTE, HOUR)), st.sampled_from(("", "AMIDrift")))))
def test_a_known_reason_is_the_one_that_follows_from_the_claim(drawn):
    # D-67 to D-71
    known, subject, now = KnownDrift(), claim(labels=LABELS), NOON
    for change, later, cloud in drawn:
        subject, now = replace(subject, **change), now + later
        kept, found = (
            of(subject, POOL, MACHINES, now, registry=REGISTRY, provider_reason=cloud) for of in (known.reason, drift_reason)
        )
        assert kept == found
