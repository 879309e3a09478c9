"""Answers of kind launch, drift, hash and tags, held against the recorded ones.

- Only members that the recorded answer holds are compared; an answer may hold more.
- Errors: kind and reason; the text only where `messages` asks for it, for it holds details of the request.
- Templates are matched by their content, in any order; prices and quantities by value.
- `tied`: of the types that share the price at the cut of 60, `min` to `max` may be there; all others are exact. The type that
  is named as launched, and its facts, are then not compared if it is one of the tied.
- hash: which NodeClasses of the list hash alike; the numbers themselves only with `hash_values`.
"""

from tests.conformance.judges.types import Bad, quantity

QUANTITIES = {"capacity", "allocatable"}


def diff(e, a, where, out, key=None):
    if isinstance(e, dict):
        if not isinstance(a, dict):
            out.append(f"{where}: expected an object, found {a!r}")
            return
        for k in sorted(
            e.keys() | (a.keys() if key in ("labels", "tags", "Tags", "capacity", "allocatable", "subnets") else set())
        ):
            if k not in a:
                out.append(f"{where}.{k}: expected {e[k]!r}, not there")
            elif k not in e:
                out.append(f"{where}.{k}: not expected: {a[k]!r}")
            elif key in QUANTITIES:
                try:
                    same = quantity(e[k]) == quantity(a[k])
                except Bad:
                    same = False
                if not same:
                    out.append(f"{where}.{k}: expected {e[k]}, found {a[k]}")
            else:
                diff(e[k], a[k], f"{where}.{k}", out, k)
    elif isinstance(e, list):
        if not isinstance(a, list) or len(e) != len(a):
            out.append(f"{where}: expected {e!r}, found {a!r}")
        else:
            for i, (x, y) in enumerate(zip(e, a, strict=False)):
                diff(x, y, f"{where}[{i}]", out, key)
    elif isinstance(e, bool) or isinstance(a, bool) or not (isinstance(e, (int, float)) and isinstance(a, (int, float))):
        if e != a:
            out.append(f"{where}: expected {e!r}, found {a!r}")
    elif abs(e - a) > 1e-9 * max(abs(e), abs(a)):
        out.append(f"{where}: expected {e!r}, found {a!r}")


def merged(templates, keep):
    """overrides of all templates: type -> zone -> (price, image, subnet), for the types that `keep` accepts"""
    out = {}
    for t in templates or []:
        for n, zs in t["overrides"].items():
            if keep(n):
                for z, p in zs.items():
                    out.setdefault(n, {}).setdefault(z, []).append(
                        (round(p, 12), t.get("imageID"), t["subnets"].get(z), t.get("reservationID"))
                    )
    return out


def diff_templates(e, a, tied, out):
    if tied:
        names = set(tied["types"])
        there = set(merged(a, lambda n: n in names))
        if not tied["min"] <= len(there) <= tied["max"]:
            out.append(
                f"templates: {tied['min']} to {tied['max']} of the {len(names)} tied types expected, found {sorted(there)}"
            )
        x, y = merged(e, lambda n: n not in names), merged(a, lambda n: n not in names)
        for n in sorted(x.keys() | y.keys()):
            if x.get(n) != y.get(n):
                out.append(f"templates: {n}: expected {x.get(n, 'nothing')}, found {y.get(n, 'nothing')}")
        return
    if len(e) != len(a):
        out.append(f"templates: expected {len(e)}, found {len(a)}")
    left = list(a)
    for i, t in enumerate(e):
        tries = []
        for u in left:
            d = []
            diff(t, u, f"templates[{i}]", d)
            if set(t["overrides"]) != set(u.get("overrides", {})):
                d.append(
                    f"templates[{i}].overrides: expected types {sorted(t['overrides'])}, found {sorted(u.get('overrides', {}))}"
                )
            else:
                d += [
                    f"templates[{i}].overrides.{n}: expected zones {sorted(z)}, found {sorted(u['overrides'][n])}"
                    for n, z in t["overrides"].items()
                    if set(z) != set(u["overrides"][n])
                ]
            tries.append((len(d), d, u))
            if not d:
                break
        if not tries:
            out.append(f"templates[{i}]: missing: {sorted(t['overrides'])}")
            continue
        _, d, u = min(tries, key=lambda x: x[0])
        out += d
        left.remove(u)
    out += [f"templates: not expected: {sorted(u.get('overrides', {}))}" for u in left]


def diff_answer(kind, e, a, messages=False, hash_values=False):
    out = []
    if not isinstance(a, dict):
        return [f"expected an object, found {a!r}"]
    if "refused" in e or "refused" in a:
        return (
            []
            if ("refused" in e) == ("refused" in a)
            else [f"expected {'a refusal' if 'refused' in e else 'an answer'}, found {a!r}"]
        )
    if kind == "hash":

        def same(h):
            return [h.index(x) for x in h]

        if len(e["hashes"]) != len(a.get("hashes", [])):
            return [f"hashes: expected {len(e['hashes'])}"]
        if same(e["hashes"]) != same(a["hashes"]):
            out.append(f"hashes: alike are (by first index) {same(e['hashes'])}, found {same(a['hashes'])}")
        if hash_values and list(map(str, e["hashes"])) != list(map(str, a["hashes"])):
            out.append(f"hashes: expected {e['hashes']}, found {a['hashes']}")
        return out
    if kind == "drift":
        if e["drift"] != a.get("drift"):
            out.append(f"drift: expected {e['drift']!r}, found {a.get('drift')!r}")
        if bool(e.get("error")) != bool(a.get("error")):
            out.append(f"error: expected {e.get('error')!r}, found {a.get('error')!r}")
        return out
    if kind == "tags":
        diff(e, a, "answer", out)
        return out
    ee, ae = e.get("error"), a.get("error")
    if bool(ee) != bool(ae):
        out.append(f"error: expected {ee!r}, found {ae!r}")
    elif ee:
        for k in ("kind", "reason") + (("message",) if messages else ()):
            if ee.get(k) != ae.get(k):
                out.append(f"error.{k}: expected {ee.get(k)!r}, found {ae.get(k)!r}")
    tied = e.get("tied")
    if "fleet" in e:
        x = dict(e["fleet"])
        if tied:
            x.pop("launchTemplateConfigs")  # may follow which of the tied types are in
        diff(x, a.get("fleet", {}), "fleet", out)
    elif a.get("fleet"):
        out.append("fleet: no request expected")
    if "templates" in e:
        diff_templates(e["templates"], a.get("templates", []), tied, out)
    if "launched" in e and not (tied and e["launched"]["cheapestOverride"] in tied["types"]):
        diff(e["launched"], a.get("launched", {}), "launched", out)
    for k in ("unavailableAfter", "reservationsRemainingAfter"):
        if k in e:
            diff(e[k], a.get(k, []), k, out)
    return out


def diff_cases(cases, answers, **more):
    out = []
    for c in cases["cases"]:
        if c["name"] not in answers:
            out.append(f"[{c['name']}] no answer")
        else:
            out += [f"[{c['name']}] {d}" for d in diff_answer(cases["kind"], c["expected"], answers[c["name"]], **more)]
    return out
