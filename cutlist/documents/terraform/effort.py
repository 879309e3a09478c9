"""How much the expressions of a configuration may make: a few lines with loops, calls of modules and texts that repeat others
ask for more than any machine holds."""

from __future__ import annotations

from typing import Any, Final

MOST_STEPS: Final = 1_000_000
MOST_MODULES: Final = 2_000
MOST_CONTENT: Final = 2_000_000


class Effort:
    """What may still be evaluated of a root module, with all modules that it calls. `exceeded` says which limit was reached
    first, and `allowed` what it allows; what is beyond a limit is unknown."""

    __slots__ = ("_modules", "_steps", "allowed", "exceeded")

    def __init__(self) -> None:
        self._steps, self._modules = MOST_STEPS, MOST_MODULES
        self.exceeded = self.allowed = ""

    def takes_step(self) -> bool:
        """Count the evaluation of an expression or a part of one, and tell whether it may be made."""
        self._steps -= 1
        return self._steps >= 0 or self._exceeds("its expressions have more parts to evaluate", MOST_STEPS)

    def takes_module(self) -> bool:
        """Count a module that is called, and tell whether it may be read."""
        self._modules -= 1
        return self._modules >= 0 or self._exceeds("it calls more modules", MOST_MODULES)

    def holds(self, value: Any) -> bool:
        """Tell whether a value is small enough to go on with."""
        return not is_too_much(value) or self._exceeds("a value has more items and characters", MOST_CONTENT)

    def _exceeds(self, what: str, most: int) -> bool:
        if not self.exceeded:
            self.exceeded, self.allowed = f"{what} than {most:,}", f"at most {most:,}"
        return False


def is_too_much(value: Any) -> bool:
    """Tell whether a value has too many items and characters, those that it repeats counted each time."""
    left, waiting = MOST_CONTENT, [value]
    while waiting:
        each = waiting.pop()
        left -= len(each) + 1 if isinstance(each, str | list | dict) else 1
        if left < 0:
            return True
        if isinstance(each, dict):
            waiting += (*each, *each.values())
        elif isinstance(each, list):
            waiting += each
    return False
