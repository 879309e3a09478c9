"""Lists of instance types (tools/oracle/core/FORMAT.md), compared with the recorded ones.

Quantities are compared by value ("1Gi" = "1073741824"), requirements as sets of values by key, offerings as a set distinguished
by their requirements; order never matters. Only the sections that an expected type holds are compared, so a list with fewer
sections is a partial expectation. A resource of quantity 0 is not the same as an absent one in `capacity` and `allocatable`;
in the three parts of `overhead` it is. The text of a refusal is not compared.
"""

import re
from fractions import Fraction

SUFFIX = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "": Fraction(1),
    "k": Fraction(10**3),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "T": Fraction(10**12),
    "P": Fraction(10**15),
    "E": Fraction(10**18),
    "Ki": Fraction(2**10),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
    "Ti": Fraction(2**40),
    "Pi": Fraction(2**50),
    "Ei": Fraction(2**60),
}
QUANTITY = re.compile(r"^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([A-Za-z]*))$")
SECTIONS = ("requirements", "capacity", "overhead", "allocatable", "offerings")


class Bad(Exception):
    pass


def quantity(s):
    m = QUANTITY.match(str(s))
    if not m or (m.group(3) or "") not in SUFFIX:
        raise Bad(f"not a quantity: {s!r}")
    v = Fraction(m.group(1))
    if m.group(2):
        return v * Fraction(10) ** int(m.group(2)[1:])
    return v * SUFFIX[m.group(3) or ""]


def requirement(r):
    """(negated?, values, other): In [] is DoesNotExist, NotIn [] is Exists."""
    op, vals = r["operator"], [str(v) for v in r.get("values") or []]
    if op == "DoesNotExist":
        return ("in", frozenset())
    if op == "Exists":
        return ("not", frozenset())
    if op == "In":
        return ("in", frozenset(vals))
    if op == "NotIn":
        return ("not", frozenset(vals))
    return (op, tuple(vals))


def show(r):
    kind, vals = r
    if kind == "in":
        return "In [" + ", ".join(sorted(map(repr, vals))) + "]" if vals else "DoesNotExist"
    if kind == "not":
        return "NotIn [" + ", ".join(sorted(vals)) + "]" if vals else "Exists"
    return f"{kind} {list(vals)}"


def requirements(rs, where):
    out = {}
    for r in rs or []:
        if r["key"] in out:
            raise Bad(f"{where}: two requirements for {r['key']}")
        out[r["key"]] = requirement(r)
    return out


def diff_requirements(e, a, where, out):
    e, a = requirements(e, where), requirements(a, where)
    for k in sorted(e.keys() | a.keys()):
        if k not in a:
            out.append(f"{where}: {k}: expected {show(e[k])}, key not there")
        elif k not in e:
            out.append(f"{where}: {k}: not expected, found {show(a[k])}")
        elif e[k] != a[k]:
            out.append(f"{where}: {k}: expected {show(e[k])}, found {show(a[k])}")


def diff_resources(e, a, where, out, zero_is_absent=False):
    e, a = e or {}, a or {}
    for k in sorted(e.keys() | a.keys()):
        if k not in a or k not in e:
            if zero_is_absent and quantity((e if k in e else a)[k]) == 0:
                continue
            out.append(f"{where}: {k}: expected {e.get(k, 'nothing')}, found {a.get(k, 'nothing')}")
        elif quantity(e[k]) != quantity(a[k]):
            out.append(f"{where}: {k}: expected {e[k]}, found {a[k]} (off by {float(quantity(a[k]) - quantity(e[k])):g})")


def offering_key(o, where):
    return tuple(sorted(requirements(o["requirements"], where).items(), key=lambda kv: kv[0]))


def short(key):
    return " ".join(f"{k.rsplit('/', 1)[-1]}={show(v)}" for k, v in key if v != ("in", frozenset()))


def group(offers, where):
    out = {}
    for o in offers or []:
        out.setdefault(offering_key(o, where), []).append(o)
    return out


def diff_offerings(e, a, where, out, tolerance):
    e, a = group(e, where), group(a, where)
    for k in sorted(e.keys() | a.keys(), key=short):
        w = f"{where}: {short(k)}"
        if k not in a:
            out.append(f"{w}: expected, not there")
        elif k not in e:
            out.append(f"{w}: not expected")
        elif len(e[k]) != len(a[k]):
            out.append(f"{w}: expected {len(e[k])} such offerings, found {len(a[k])}")
        else:

            def order(o):
                return (o.get("price", 0), bool(o.get("available")), o.get("reservationCapacity", 0) or 0)

            for x, y in zip(sorted(e[k], key=order), sorted(a[k], key=order), strict=False):
                if bool(x.get("available")) != bool(y.get("available")):
                    out.append(f"{w}: available: expected {x.get('available')}, found {y.get('available')}")
                p, q = float(x.get("price", 0)), float(y.get("price", 0))
                if abs(p - q) > tolerance * max(abs(p), abs(q)):
                    out.append(f"{w}: price: expected {p!r}, found {q!r}")
                if (x.get("reservationCapacity") or 0) != (y.get("reservationCapacity") or 0):
                    capacities = x.get("reservationCapacity"), y.get("reservationCapacity")
                    out.append(f"{w}: reservationCapacity: expected {capacities[0]}, found {capacities[1]}")


def diff_type(e, a, tolerance=1e-9):
    out, n = [], e["name"]
    for s in SECTIONS:
        if s not in e:
            continue
        if s not in a:
            if s == "allocatable":
                continue  # may be left out: it follows from capacity and overhead
            out.append(f"{n}: {s}: missing")
        elif s == "requirements":
            diff_requirements(e[s], a[s], f"{n}: {s}", out)
        elif s == "offerings":
            diff_offerings(e[s], a[s], f"{n}: {s}", out, tolerance)
        elif s == "overhead":
            for p in ("kubeReserved", "systemReserved", "evictionThreshold"):
                diff_resources((e[s] or {}).get(p), (a[s] or {}).get(p), f"{n}: {s}.{p}", out, zero_is_absent=True)
        else:
            diff_resources(e[s], a[s], f"{n}: {s}", out)
    return out


def by_name(ts, what):
    if not isinstance(ts, list):
        raise Bad(f"{what}: a list of instance types is needed, found {type(ts).__name__}")
    out = {}
    for t in ts:
        if t["name"] in out:
            raise Bad(f"{what}: {t['name']} twice")
        out[t["name"]] = t
    return out


def diff_lists(expected, actual, tolerance=1e-9, extra_ok=False):
    e, a = by_name(expected, "expected"), by_name(actual, "actual")
    out = []
    for n in sorted(e.keys() | a.keys()):
        if n not in a:
            out.append(f"{n}: expected, not listed")
        elif n not in e:
            if not extra_ok:
                out.append(f"{n}: listed, not expected")
        else:
            out += diff_type(e[n], a[n], tolerance)
    return out


def diff_cases(cases, answers, tolerance=1e-9):
    out = []
    for c in cases["cases"]:
        n, e = c["name"], c["expected"]
        if n not in answers:
            out.append(f"[{n}] no answer")
            continue
        a = answers[n]
        er, ar = isinstance(e, dict) and "refused" in e, isinstance(a, dict) and "refused" in a
        if er or ar:
            if er != ar:
                found = f"a refusal: {a['refused']}" if ar else "a list"
                out.append(f"[{n}] expected {'a refusal' if er else 'a list'}, found {found}")
            continue
        out += [f"[{n}] {d}" for d in diff_lists(e, a, tolerance)]
    return out
