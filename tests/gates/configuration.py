"""Settings and exemptions that switch rules off without saying so."""

from __future__ import annotations

from typing import Any

from tests.gates.trick import Trick, Wanted
from tests.unit.policy.rules import subjects as s

STACK = (s.POOL, s.CLASS, s.PLAN)
EXEMPT = {"rule": "NC-01", "object": "EC2NodeClass/default", "owner": "team-ml", "reason": "a driver", "until": "2026-12-31"}
DEVELOPMENT = {"environment": "development"}
WHY = "pools overlap until the move to arm64 ends"
OPEN = s.put(s.CLASS, "spec.metadataOptions.httpTokens", "optional")


def gates(rule: str, **settings: Any) -> dict[str, Any]:
    """Return gates with settings of one rule."""
    return {"rules": {rule: settings}}


def exempt(**members: Any) -> dict[str, Any]:
    """Return gates with one exemption."""
    return {"exemptions": [{**EXEMPT, **members}]}


MORE_OF_NOBODY = (
    *("to do", "TO-DO!", "t.b.d.", "n. a.", "N.A.", "later", "WIP", "temp", "temporary", "asdf", "foo", "someone", "somebody"),
    *(
        "Every body",
        "<owner>",
        "<your name>",
        "[team name]",
        "because",
        "no reason",
        "see above",
        "fix",
        "yes",
        "ok",
        "aaaa",
        "u",
        "\u200b",
    ),
)
NOBODY = ("", " ", "-", "?", "x", "xxx", "n/a", "N/A", "none", "TODO", "tbd", "unknown", "...", "*", "1234", *MORE_OF_NOBODY)
LIMITLESS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("NP-01", {"required": []}),
    ("NP-01", {"ceiling": {"cpu": "1E"}}),
    ("NP-01", {"ceiling": {"cpu": "1e9"}}),
    ("NP-01", {"ceiling": {"CPU": "1k"}}),
    ("NP-01", {"ceiling": {"cpus": "1k"}}),
    ("NP-01", {"ceiling": {"memory": "1Ei"}}),
    ("NP-01", {"ceiling": {"nodes": 10**9}}),
    ("NP-02", {"perMonth": 10**12}),
    ("NP-02", {"perMonth": 1e9}),
    ("PL-07", {"perMonth": 1e300}),
    ("PL-01", {"perHour": 10**9}),
    ("PL-02", {"nodes": 10**9}),
    ("PL-02", {"vcpus": 10**9}),
    ("PL-03", {"pods": 10**6}),
    ("PL-04", {"most": 100}),
    ("PL-04", {"from": 10**6}),
    ("PL-05", {"most": 100}),
    ("PL-05", {"from": 10**6}),
    ("PL-06", {"percent": 10**6}),
    ("PL-09", {"workloads": ["*"]}),
    ("NP-03", {"shortest": "0s"}),
    ("NP-03", {"longest": "87600h"}),
    ("NP-03", {"longestAutoMode": "100000h"}),
    ("NP-04", {"longest": "8760h"}),
    ("NP-05", {"spot": 0}),
    ("NP-05", {"onDemand": 0}),
    ("NP-06", {"families": 0}),
    ("NP-06", {"zones": 0}),
    ("NP-07", {"longest": "8760h"}),
    ("NP-07", {"share": 0}),
    ("NP-07", {"share": 0.01}),
    ("NP-08", {"most": 100}),
    ("NP-08", {"busy": "0 0 30 2 *"}),
    ("NP-08", {"busyFor": "1s"}),
    ("NP-09", {"shortest": "0s"}),
    ("NP-09", {"policies": ["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"]}),
    ("NP-09", {"policies": []}),
    ("NP-12", {"newerThan": 0}),
    ("NP-15", {"pools": []}),
    ("NP-16", {"longest": "876000h"}),
    ("NP-18", {"machines": 10**6}),
    ("NP-18", {"vcpus": 10**6}),
    ("NP-19", {"percent": 100}),
    ("NP-20", {"machines": 10**6}),
    ("NC-01", {"hops": 64}),
    ("NC-02", {"types": []}),
    ("NC-02", {"rootGiB": 0}),
    ("NC-04", {"owners": ["*"]}),
    ("NC-06", {"zones": 0}),
    ("IF-03", {"accounts": ["*"]}),
    ("IF-09", {"nodes": 0}),
    ("IF-09", {"subnets": 0}),
    ("IF-10", {"shortestDays": 0}),
    ("IF-10", {"longestDays": 10**6}),
    ("IF-12", {"sources": ["oci://"]}),
    ("IF-13", {"admins": ["system:authenticated"]}),
    ("IF-12", {"sources": [""]}),
    ("IF-22", {"publicPorts": ["22"]}),
    ("IF-22", {"publicPorts": ["443", "10250"]}),
    ("IF-25", {"shortest": "1s"}),
    ("IF-25", {"delay": "15m"}),
    ("IF-25", {"receives": 1}),
    ("IF-22", {"publicPorts": ["0-65535"]}),
    ("IF-22", {"publicPorts": [str(port) for port in range(1, 1000)]}),
    ("AK-02", {"nodes": 0}),
    ("AK-05", {"hours": 0}),
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
    "exemptions that are not a list": {"exemptions": {"NP-01": "all"}},
    "rules that are a list": {"rules": ["NP-01"]},
    "gates that are off": {"rules": "off"},
    "refuseUnknown as text": {"refuseUnknown": "no"},
    "a budget as text": gates("NP-02", perMonth="1000"),
    "a budget that is not a number": gates("NP-02", perMonth=float("nan")),
    "a budget that is true": gates("NP-02", perMonth=True),
    "a budget that is a list": gates("NP-02", perMonth=[1000]),
    "a level that means information": gates("NP-01", level="info"),
    "a level that means warning": {"rules": {"NP-01": "warn"}},
    "a rule with a space": {"rules": {"NP-01 ": "off"}},
    "all rules at once": {"rules": {"*": "off"}},
    "one of the gates' own rules": {"rules": {"GT-03": "off"}},
    "an exemption from one of the gates' own rules": {"exemptions": [{**EXEMPT, "rule": "GT-03"}]},
    "an exemption from all rules": {"exemptions": [{**EXEMPT, "rule": "*"}]},
    "environments among the gates": {"environments": {"prod": {}}},
    "defaults among the gates": {"gateDefaults": {}},
    "a reason that is not a text": gates("NP-01", level="advisory", reason=True),
    "a reason that says nothing": gates("NP-01", level="advisory", reason="tbd"),
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
    *(
        Trick(f"{rule} {level} for nothing", STACK, "GT-09", Wanted.REPORTED, {"rules": {rule: level}})
        for rule in ("NP-01", "NP-02", "NC-01", "IF-02", "OB-01")
        for level in ("off", "advisory", False)
    ),
    Trick(
        "a setting that lowers its rule for nothing", STACK, "GT-09", Wanted.REPORTED, gates("NP-02", level="off", perMonth=9)
    ),
    Trick("a rule lowered with a reason", STACK, "GT-09", Wanted.PASSES, gates("NP-11", level="advisory", reason=WHY)),
    Trick("an advisory rule that is off", STACK, "GT-09", Wanted.PASSES, {"rules": {"NP-08": "off"}}),
    Trick("a rule that is raised", STACK, "GT-09", Wanted.PASSES, {"rules": {"NP-08": "mandatory"}}),
    Trick("rules of development", STACK, "GT-09", Wanted.PASSES, {"environment": "development"}),
    Trick("a rule of development that is off", STACK, "GT-09", Wanted.REPORTED, {**DEVELOPMENT, "rules": {"NP-01": "off"}}),
    Trick("nothing that bounds costs", STACK, "GT-08", Wanted.REPORTED),
    Trick("bounds whose rules are off", STACK, "GT-08", Wanted.REPORTED, gates("NP-02", level="off", perMonth=1000)),
    Trick("a bound on nodes alone", STACK, "GT-08", Wanted.REPORTED, gates("PL-02", nodes=100)),
    *(
        Trick(f"a bound by {rule}", STACK, "GT-08", Wanted.PASSES, gates(rule, **bound))
        for rule, bound in (("NP-02", {"perMonth": 9000}), ("PL-07", {"perMonth": 9000}), ("PL-01", {"perHour": 5}))
    ),
    Trick("nothing that bounds costs in development", STACK, "GT-08", Wanted.PASSES, DEVELOPMENT),
    Trick("nothing that bounds costs where nothing costs", (s.CLASS,), "GT-08", Wanted.PASSES),
    *(
        Trick(f"the owner {text!r}, who is somebody", (s.POOL, OPEN, s.PLAN), "GT-01", Wanted.PASSES, exempt(owner=text))
        for text in ("ops@example.com", "@acme/ml", "ml", "Müller", "平台团队", "team 7", "sre-on-call")
    ),
    *(
        Trick(f"the reason {text!r}, which says something", (s.POOL, OPEN, s.PLAN), "GT-01", Wanted.PASSES, exempt(reason=text))
        for text in ("OPS-1234", "https://example.com/issues/7", "driver 550 needs it", "until the move")
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
            ("NP-01", {"ceiling": {"nvidia.com/gpu": 8, "ephemeral-storage": "10Ti"}}),
            ("NC-01", {"hops": 2}),
            ("NP-07", {"share": 2}),
            ("IF-25", {"shortest": "5m", "delay": "0s", "receives": 5}),
            ("NP-02", {"perMonth": 0}),
            ("NP-08", {"most": 50, "busy": "30 6 * * *"}),
            ("NP-19", {"percent": 60}),
            ("IF-22", {"publicPorts": ["80", "443", "30443"]}),
            ("IF-13", {"admins": ["system:masters", "platform-team"]}),
        )
    ),
)
