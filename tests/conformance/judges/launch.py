"""Answers of kind launch, drift, hash and tags, compared with the recorded ones.

- Only members that the recorded answer holds are compared; an answer may hold more.
- Errors: kind and reason; the text only where `messages` asks for it, for it holds details of the request.
- Templates are matched by their content, in any order; prices and quantities by value.
- `tied`: of the types that share the price at the cut of 60, `min` to `max` may be there; all others are exact. The type that
  is named as launched, and its facts, are then not compared if it is one of the tied.
- hash: which NodeClasses of the list hash alike; the numbers themselves only with `hash_values`.
"""

from tests.conformance.judges.types import Bad, quantity

QUANTITIES = {"capacity", "allocatable"}
WHOLE = {*QUANTITIES, "labels", "tags", "Tags", "subnets"}
"""Objects that may not hold more than is expected."""


def diff(expected, answer, where, out, key=None):
    """Add what sets a value apart. Objects may hold more than is expected, but for those whose keys are the answer."""
    match expected:
        case dict():
            _objects(expected, answer, where, out, key)
        case list() if not isinstance(answer, list) or len(expected) != len(answer):
            out.append(f"{where}: expected {expected!r}, found {answer!r}")
        case list():
            for number, (one, other) in enumerate(zip(expected, answer, strict=True)):
                diff(one, other, f"{where}[{number}]", out, key)
        case _ if not _same(expected, answer):
            out.append(f"{where}: expected {expected!r}, found {answer!r}")


def _same(expected, answer):
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (expected, answer))
    return abs(expected - answer) <= 1e-9 * max(abs(expected), abs(answer)) if numbers else expected == answer


def _objects(expected, answer, where, out, key):
    if not isinstance(answer, dict):
        out.append(f"{where}: expected an object, found {answer!r}")
        return
    for name in sorted(expected.keys() | (answer.keys() if key in WHOLE else set())):
        if name not in answer:
            out.append(f"{where}.{name}: expected {expected[name]!r}, not there")
        elif name not in expected:
            out.append(f"{where}.{name}: not expected: {answer[name]!r}")
        elif key not in QUANTITIES:
            diff(expected[name], answer[name], f"{where}.{name}", out, name)
        elif not _same_quantity(expected[name], answer[name]):
            out.append(f"{where}.{name}: expected {expected[name]}, found {answer[name]}")


def _same_quantity(expected, answer):
    try:
        return quantity(expected) == quantity(answer)
    except Bad:
        return False


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
            d: list[str] = []
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


def diff_answer(kind, expected, answer, messages=False, hash_values=False):
    """Return what sets the answer to a case apart."""
    if not isinstance(answer, dict):
        return [f"expected an object, found {answer!r}"]
    if "refused" in expected or "refused" in answer:
        wanted = "a refusal" if "refused" in expected else "an answer"
        return [] if ("refused" in expected) == ("refused" in answer) else [f"expected {wanted}, found {answer!r}"]
    out = []
    if kind == "hash":
        _hashes(expected["hashes"], answer.get("hashes", []), hash_values, out)
    elif kind == "drift":
        if expected["drift"] != answer.get("drift"):
            out.append(f"drift: expected {expected['drift']!r}, found {answer.get('drift')!r}")
        if bool(expected.get("error")) != bool(answer.get("error")):
            out.append(f"error: expected {expected.get('error')!r}, found {answer.get('error')!r}")
    elif kind == "tags":
        diff(expected, answer, "answer", out)
    else:
        _launch(expected, answer, messages, out)
    return out


def _hashes(expected, answer, hash_values, out):
    if len(expected) != len(answer):
        out.append(f"hashes: expected {len(expected)}")
        return
    alike, found = ([hashes.index(each) for each in hashes] for hashes in (expected, answer))
    if alike != found:
        out.append(f"hashes: alike are (by first index) {alike}, found {found}")
    if hash_values and list(map(str, expected)) != list(map(str, answer)):
        out.append(f"hashes: expected {expected}, found {answer}")


def _launch(expected, answer, messages, out):
    wanted, got = expected.get("error"), answer.get("error")
    if bool(wanted) != bool(got):
        out.append(f"error: expected {wanted!r}, found {got!r}")
    elif wanted:
        parts = ("kind", "reason", "message") if messages else ("kind", "reason")
        out += [
            f"error.{part}: expected {wanted.get(part)!r}, found {got.get(part)!r}"
            for part in parts
            if wanted.get(part) != got.get(part)
        ]
    tied = expected.get("tied")
    if "fleet" in expected:
        # How many templates there are may follow which of the tied types are in.
        skipped = {"launchTemplateConfigs"} if tied else set()
        fleet = {name: value for name, value in expected["fleet"].items() if name not in skipped}
        diff(fleet, answer.get("fleet", {}), "fleet", out)
    elif answer.get("fleet"):
        out.append("fleet: no request expected")
    if "templates" in expected:
        diff_templates(expected["templates"], answer.get("templates", []), tied, out)
    if "launched" in expected and not (tied and expected["launched"]["cheapestOverride"] in tied["types"]):
        diff(expected["launched"], answer.get("launched", {}), "launched", out)
    for part in ("unavailableAfter", "reservationsRemainingAfter"):
        if part in expected:
            diff(expected[part], answer.get(part, []), part, out)


def diff_cases(cases, answers, **more):
    out = []
    for c in cases["cases"]:
        if c["name"] not in answers:
            out.append(f"[{c['name']}] no answer")
        else:
            out += [f"[{c['name']}] {d}" for d in diff_answer(cases["kind"], c["expected"], answers[c["name"]], **more)]
    return out
