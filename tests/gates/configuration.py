"""Settings and exemptions that switch rules off without saying so."""

from __future__ import annotations

from typing import Any

from tests.gates.trick import Trick, Wanted
from tests.unit.policy.rules import subjects as s

STACK = (s.POOL, s.CLASS, s.PLAN)
EXEMPT = {"rule": "NC-01", "object": "EC2NodeClass/default", "owner": "team-ml", "reason": "a driver", "until": "2026-12-31"}
OPEN = s.put(s.CLASS, "spec.metadataOptions.httpTokens", "optional")


def gates(rule: str, **settings: Any) -> dict[str, Any]:
    """Return gates with settings of one rule."""
    return {"rules": {rule: settings}}


def exempt(**members: Any) -> dict[str, Any]:
    """Return gates with one exemption."""
    return {"exemptions": [{**EXEMPT, **members}]}


NOBODY = ("", " ", "-", "?", "x", "xxx", "n/a", "N/A", "none", "TODO", "tbd", "unknown", "...", "*", "1234")
LIMITLESS = (
    ("NP-01", {"required": []}),
    ("NP-01", {"ceiling": {"cpu": "1E"}}),
    ("NP-01", {"ceiling": {"memory": "1Ei"}}),
    ("NP-01", {"ceiling": {"nodes": 10**9}}),
    ("NP-02", {"perMonth": 10**12}),
    ("PL-07", {"perMonth": 1e300}),
    ("PL-01", {"perHour": 10**9}),
    ("PL-02", {"nodes": 10**9}),
    ("PL-02", {"vcpus": 10**9}),
    ("PL-03", {"pods": 10**6}),
    ("PL-06", {"percent": 10**6}),
    ("NP-03", {"longest": "87600h"}),
    ("NP-03", {"longestAutoMode": "100000h"}),
    ("NP-04", {"longest": "8760h"}),
    ("NP-05", {"spot": 0}),
    ("NP-05", {"onDemand": 0}),
    ("NP-07", {"longest": "8760h"}),
    ("NP-16", {"longest": "876000h"}),
    ("NP-18", {"machines": 10**6}),
    ("NC-01", {"hops": 64}),
    ("NC-02", {"types": []}),
    ("NC-04", {"owners": ["*"]}),
    ("NC-06", {"zones": 0}),
)
MISTAKES: dict[str, Any] = {
    "a rule that is misspelt": {"rules": {"NP-99": "off"}},
    "a rule in lower case": {"rules": {"np-01": "off"}},
    "a level that is misspelt": {"rules": {"NP-01": "of"}},
    "a level that is a number": {"rules": {"NP-01": 0}},
    "a setting that is misspelt": gates("NP-02", perMont=1),
    "a setting of another kind": gates("NP-02", perMonth="much"),
    "a negative setting": gates("NP-02", perMonth=-1),
    "infinity": gates("NP-02", perMonth=float("inf")),
    "an environment of nobody": {"environment": "prod"},
    "an environment that is empty": {"environment": ""},
    "a member that is misspelt": {"exemption": []},
    "exemptions that are no list": {"exemptions": {"NP-01": "all"}},
    "rules that are a list": {"rules": ["NP-01"]},
    "gates that are off": {"rules": "off"},
    "refuseUnknown as text": {"refuseUnknown": "no"},
}

TRICKS = (
    *(Trick(name, STACK, "GT-01", gates=value) for name, value in MISTAKES.items()),
    *(Trick(f"{rule} with {settings}", STACK, "GT-01", gates=gates(rule, **settings)) for rule, settings in LIMITLESS),
    *(Trick(f"the owner {text!r}", (s.POOL, OPEN, s.PLAN), "GT-01", gates=exempt(owner=text)) for text in NOBODY),
    *(Trick(f"the reason {text!r}", (s.POOL, OPEN, s.PLAN), "GT-01", gates=exempt(reason=text)) for text in NOBODY),
    *(
        Trick(f"an exemption until {until}", (s.POOL, OPEN, s.PLAN), "GT-02", gates=exempt(until=until))
        for until in ("2027-06-30", "2099-12-31", "9999-12-31", "2026-05-31", "2020-01-01")
    ),
    *(
        Trick(f"an exemption until {until!r}", (s.POOL, OPEN, s.PLAN), "GT-01", gates=exempt(until=until))
        for until in ("never", "", "2026-13-01", "31.12.2026", None)
    ),
    Trick("an exemption within a year", (s.POOL, OPEN, s.PLAN), "NC-01", Wanted.PASSES, exempt()),
    Trick("an exemption of an object by a pattern", (s.POOL, OPEN, s.PLAN), "NC-01", gates=exempt(object="EC2NodeClass/*")),
    *(
        Trick(f"{rule} with {settings}, which is in order", STACK, "GT-01", Wanted.PASSES, gates(rule, **settings))
        for rule, settings in (
            ("NP-02", {"perMonth": 5_000_000}),
            ("NP-03", {"longest": "2160h"}),
            ("NP-01", {"ceiling": {"cpu": "200k"}}),
            ("NP-01", {"required": ["cpu"]}),
            ("NC-01", {"hops": 2}),
        )
    ),
)
