"""Programs that try to end without a verdict, or with one of their own making: none of them passes a gate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Final

from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.written_project import write_project

ENDED: Final = "ended its process with exit code"
ENDLESS: Final = """
from pulumi_kubernetes.apiextensions import CustomResource
CustomResource("wide", api_version="karpenter.sh/v1", kind="NodePool", metadata={"name": "wide"}, spec={
    "template": {"spec": {"nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                          "requirements": [], "expireAfter": "Never"}}})
"""
"""A NodePool without limits, which every environment refuses."""
FINDER: Final = """
import gc, os, socket, stat
from pulumi.runtime import settings
def recorder():
    return settings.get_monitor()._recorder
def sockets():
    own = []
    for number in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                own.append(number)
        except OSError:
            pass
    return own
"""
"""Ways to reach what the program is watched with."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """A program, a sentence that the gate says of it, the gate's exit code, and how many seconds it may take."""

    name: str
    text: str
    sentence: str
    code: int = 1
    limit: float = 0

    @property
    def time_limit(self) -> float:
        """Return how many seconds the program may take: those of its sentence, for one that takes too long."""
        return 0.5 if "0.5 s" in self.sentence else self.limit or 60

    def gated(self, folder: Path) -> Result:
        """Return what `cutlist gate --stack` answers to it, as the program of a project in an empty folder."""
        write_project(folder, dedent(self.text))
        command = ["gate", "--stack", "dev", "--project-dir", str(folder), "--time-limit", str(self.time_limit)]
        return CliRunner().invoke(main, [*command, "--width", "400"])

    def wrong(self, folder: Path) -> Iterator[str]:
        """Yield what is not as wanted in the answer."""
        result = self.gated(folder)
        output = " ".join(result.output.split())
        if result.exit_code != self.code:
            yield f"exit code {result.exit_code} instead of {self.code}: {output}"
        if self.sentence not in output:
            yield f"{self.sentence!r} is not said: {output}"
        for unwanted in ("Traceback", "should not have happened"):
            if unwanted in output:
                yield output


def _after(text: str) -> str:
    """Return a program that registers a NodePool without limits, and then does more."""
    return ENDLESS + FINDER + dedent(text)


def _before(text: str) -> str:
    """Return a program that does something, and then registers a NodePool without limits."""
    return FINDER + dedent(text) + ENDLESS


STOPPED: Final = "NP-01"
PROGRAMS: Final[tuple[Hostile, ...]] = (
    Hostile("exits", _after("import sys; sys.exit(0)"), "the program ends itself with sys.exit(0)"),
    Hostile("exits-with-none", _after("import sys; sys.exit()"), "the program ends itself with sys.exit()"),
    Hostile("exits-with-a-text", _after("import sys; sys.exit('all rules hold')"), "the program ends itself with sys.exit"),
    Hostile("raises-system-exit", _after("raise SystemExit(0)"), "the program ends itself with sys.exit(0)"),
    Hostile("quits", _after("quit()"), "the program ends itself with sys.exit()"),
    Hostile("exits-in-an-apply", "import pulumi, sys\npulumi.Output.from_input(1).apply(lambda _: sys.exit(0))", "sys.exit(0)"),
    Hostile("exits-at-once", _before("os._exit(0)"), f"{ENDED} 0"),
    Hostile("exits-after-all", _after("os._exit(0)"), f"{ENDED} 0"),
    Hostile("exits-with-three", _after("os._exit(3)"), f"{ENDED} 3"),
    Hostile("killed", _after("os.kill(os.getpid(), 9)"), "was ended by signal SIGKILL"),
    Hostile("terminated", _after("os.kill(os.getpid(), 15)"), "was ended by signal SIGTERM"),
    Hostile("aborts", _after("os.abort()"), "was ended by signal SIGABRT"),
    Hostile(
        "interrupted",
        _after("import signal; signal.signal(2, signal.SIG_DFL); os.kill(os.getpid(), 2)"),
        "was ended by signal SIGINT",
    ),
    Hostile("another-program", _after("os.execv('/bin/true', ['true'])"), f"{ENDED} 0"),
    Hostile(
        "exits-from-a-thread",
        _after("import threading, time\nthreading.Thread(target=lambda: os._exit(0)).start()\ntime.sleep(2)"),
        f"{ENDED} 0",
    ),
    Hostile("exits-at-exit", _after("import atexit; atexit.register(os._exit, 0)"), STOPPED),
    Hostile("exits-at-exit-with-five", "import atexit, os; atexit.register(os._exit, 5)", f"{ENDED} 5"),
    Hostile("crashes", "import pulumi\nraise ValueError('no')\n", "__main__.py:2: ValueError: no", 2),
    Hostile("asserts", "assert False, 'never'\n", "__main__.py:1: AssertionError: never", 2),
    Hostile("interrupts-itself", "raise KeyboardInterrupt\n", "__main__.py:1: KeyboardInterrupt", 2),
    Hostile("a-closed-generator", "raise GeneratorExit\n", "__main__.py:1: GeneratorExit", 2),
    Hostile("deep", "def f(): f()\nf()\n", "RecursionError", 2),
    Hostile("asks-the-user", "input('is it all right? ')\n", "__main__.py:1: EOFError", 2),
    Hostile("hangs", "import time\nwhile True: time.sleep(1)\n", "runs for more than 0.5 s"),
    Hostile("is-busy", "while True: pass\n", "runs for more than 0.5 s"),
    Hostile("hangs-at-exit", "import atexit, time\natexit.register(time.sleep, 99)\n", "runs for more than 0.5 s"),
    Hostile(
        "ignores-signals",
        "import signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\ntime.sleep(99)\n",
        "runs for more than 0.5 s",
    ),
    Hostile("ends-twice", _after("recorder().end()"), "the program ends and then goes on"),
    Hostile("ends-first", _before("recorder().end()"), "the program ends and then goes on"),
    Hostile("ends-and-exits-badly", _after("recorder().end(); os._exit(7)"), f"{ENDED} 7"),
    Hostile(
        "ends-and-exits",
        "import os, pulumi\n" + FINDER + "recorder().end(); os._exit(0)",
        "has not registered one stack with its outputs",
    ),
    Hostile(
        "registers-late",
        _after("""
            import atexit
            from pulumi.runtime.proto import resource_pb2
            late = resource_pb2.RegisterResourceRequest(type="a:b:C", name="late")
            mine = recorder()
            atexit.register(lambda: mine.register("urn", late))
        """),
        "the program ends and then goes on",
    ),
    Hostile("closes-everything", _before("os.closerange(3, 256)"), f"{ENDED} 1"),
    Hostile("noise", _after("[os.write(n, b'all rules hold\\n' * 9) for n in sockets()]"), "is not a registration"),
    Hostile(
        "a-huge-frame", _after("[os.write(n, b'CUT1\\x01\\xff\\xff\\xff\\xff') for n in sockets()]"), "is not a registration"
    ),
    Hostile("half-a-frame", _after("[os.write(n, b'CUT1\\x01\\0\\0\\1\\0') for n in sockets()]; os._exit(0)"), f"{ENDED} 0"),
    Hostile("an-answer", _after("[os.write(n, b'CUT1\\x08\\0\\0\\0\\0') for n in sockets()]"), "is not a registration"),
    Hostile(
        "damaged", _after("[os.write(n, b'CUT1\\x01\\0\\0\\0\\3\\xff\\xff\\xff') for n in sockets()]"), "is not a registration"
    ),
    Hostile("deep-json", _after("recorder()._send(5, b'[' * 99999)"), "is not a registration"),
    Hostile("a-forged-failure", _after("recorder()._send(7, b'{}')"), "is not a registration"),
    Hostile(
        "end-marks-by-hand", _after("[os.write(n, b'CUT1\\x06\\0\\0\\0\\0' * 2) for n in sockets()]"), "ends a second time"
    ),
    Hostile(
        "forked-and-gone",
        _after("""
            import time
            if os.fork() == 0:
                time.sleep(30)
            os._exit(0)
        """),
        f"{ENDED} 0",
    ),
    Hostile(
        "two-of-itself",
        "import os\nif os.fork() == 0:\n    import time; time.sleep(0.1)\n" + ENDLESS,
        "Stopped by",
        limit=2,
    ),
    Hostile(
        "a-grandchild-that-prints",
        _after("""
            import subprocess, sys
            talk = "import time; time.sleep(0.5); print('{\\"passed\\": true}', flush=True)"
            subprocess.Popen([sys.executable, "-c", talk], start_new_session=True)
        """),
        STOPPED,
    ),
    Hostile(
        "closes-its-output",
        _after("os.close(1); os.close(2); os.open(os.devnull, os.O_WRONLY); os.open(os.devnull, os.O_WRONLY)"),
        STOPPED,
    ),
    Hostile("prints-a-report", _after("print('Nothing stops the change.'); print('{\"passed\": true}')"), STOPPED),
    Hostile(
        "patches-the-rules",
        _before("""
            import cutlist.policy.gates.judge as judge, cutlist.policy.registry as registry, cutlist.policy.gates as gates
            from cutlist.policy import rules
            for module in (judge, registry, gates, rules):
                for name in list(vars(module)):
                    if not name.startswith("_"):
                        setattr(module, name, lambda *a, **k: ())
        """),
        STOPPED,
    ),
    Hostile(
        "patches-the-verdict",
        _before("""
            from cutlist.policy.gates.verdicts import Report
            Report.has_passed = property(lambda self: True)
            Report.stops = lambda self, outcome: False
            import cutlist.verbs.gate.answer, click
            cutlist.verbs.gate.answer.raise_if_nothing_judged = lambda *a, **k: None
            click.Context.exit = lambda self, code=0: os._exit(0)
        """),
        STOPPED,
    ),
    Hostile(
        "patches-python",
        _before("""
            import builtins, json, sys
            from pathlib import Path
            json.loads = lambda *a, **k: {}
            builtins.any = builtins.all = lambda *a: True
            builtins.len = lambda *a: 0
            sys.excepthook = lambda *a: os._exit(0)
        """),
        "runs for more than 0.5 s",
    ),
    Hostile(
        "patches-json-alone",
        _after("import json\nbefore = json.dumps\njson.dumps = lambda *a, **k: before({})"),
        STOPPED,
    ),
    Hostile(
        "its-own-gates",
        _before("""
            import json
            from pulumi.runtime import set_config
            set_config("shop:gates", json.dumps({"rules": {"NP-01": "off"}}))
            pulumi_file = open("Pulumi.dev.yaml", "w"); pulumi_file.write("config: {shop:gates: {rules: {NP-01: off}}}")
            pulumi_file.close()
        """),
        STOPPED,
    ),
    Hostile(
        "a-patched-sdk",
        _before("""
            from pulumi.runtime import mocks
            mocks.MockMonitor.RegisterResource = lambda self, request: None
        """),
        "runs for more than 0.5 s",
    ),
    Hostile(
        "its-stack-unfinished",
        _after("""
            from pulumi.runtime.stack import Stack
            Stack._finish = lambda self: None
        """),
        "has not registered one stack with its outputs",
    ),
)
