"""The parts of answers that came with Karpenter 1.15 (tools/oracle/core/FORMAT.md), compared with the recorded ones."""

VALUES = ("deletionCosts", "rebooting", "deadlines")


def compare(expected, answer, path=""):
    """Return what sets the new parts of an answer apart from the recorded ones; nothing when they are right."""
    differences = []
    if expected.get("startError") != answer.get("startError"):
        differences.append(f"{path}startError: {answer.get('startError')!r}, expected {expected.get('startError')!r}")
    for name, method in expected.get("methods", {}).items():
        answered = answer.get("methods", {}).get(name) or {}
        differences += _of_commands(f"{path}{name}", method["commands"], answered.get("commands", []))
        _values(f"{path}{name}.policies", method.get("policies", {}), answered.get("policies", {}), differences)
    for part in (*VALUES, "reboot"):
        _values(path + part, expected.get(part, {}), answer.get(part, {}), differences)
    for number, (step, other) in enumerate(zip(expected.get("steps", []), answer.get("steps", []), strict=False), 1):
        differences += compare(step, other, f"{path}step {number}: ")
    return differences


def _of_commands(path, expected, answered):
    """Yield why commands terminate first and their drain bounds, where they differ for the same nodes."""
    by_nodes = {tuple(sorted(command["nodes"])): command for command in answered}
    for command in expected:
        other = by_nodes.get(tuple(sorted(command["nodes"])))
        for part in ("terminateFirst", "bounds") if other is not None else ():
            if command.get(part) != other.get(part):
                yield f"{path}.{part}: {other.get(part)!r}, expected {command.get(part)!r}"


def _values(path, expected, answered, differences):
    if isinstance(expected, dict) and isinstance(answered, dict):
        for key in sorted(set(expected) | set(answered)):
            _values(f"{path}.{key}", expected.get(key), answered.get(key), differences)
    elif isinstance(expected, int | float) and isinstance(answered, int | float):
        if abs(expected - answered) > 1e-9 * max(1.0, abs(expected)):
            differences.append(f"{path}: {answered}, expected {expected}")
    elif expected != answered:
        differences.append(f"{path}: {answered!r}, expected {expected!r}")
