"""The process that a stack's program runs in: ordinary programs notice nothing of it, and it never outlives the command."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pulumi_cutlist.errors import DamagedStreamError
from pulumi_cutlist.program import run as program_run
from pulumi_cutlist.program.stream import Frame, FrameKind, Frames
from pulumi_cutlist.stack.preview import preview

from cutlist.core.errors import CutlistError
from cutlist_cli import main
from tests.written_project import write_project

Project = Callable[..., Path]
COMMAND = [sys.executable, "-c", "from cutlist_cli.__main__ import run; run()"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Write a project whose program has this text, beside a package of its own."""

    def write(program: str) -> Path:
        (tmp_path / "own").mkdir(exist_ok=True)
        (tmp_path / "own" / "__init__.py").write_text("from own.inner import SIZE\n")
        (tmp_path / "own" / "inner.py").write_text("SIZE = 4\n")
        return write_project(tmp_path, program, "{shop:size: '3'}")

    return write


ORDINARY = {
    "a-package-of-its-own": "import own, pulumi\npulumi.export('x', own.SIZE)",
    "options": "import argparse, pulumi\np = argparse.ArgumentParser(); p.add_argument('--n', default=4)\n"
    "pulumi.export('x', p.parse_args().n)",
    "threads": "import pulumi, threading\ngot = []\nt = threading.Thread(target=lambda: got.append(4)); t.start(); t.join()\n"
    "pulumi.export('x', got[0])",
    "a-pool-of-threads": "import pulumi\nfrom concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(3) as pool: pulumi.export('x', sum(pool.map(int, '112')))",
    "a-pool-of-processes": "import pulumi, multiprocessing\n"
    "with multiprocessing.get_context('fork').Pool(2) as pool: pulumi.export('x', sum(pool.map(int, '112')))",
    "a-command": "import pulumi, subprocess\n"
    "pulumi.export('x', int(subprocess.run(['echo', '4'], capture_output=True).stdout))",
    "asynchronous": "import asyncio, pulumi\nasync def main():\n    await asyncio.sleep(0.01)\n    return {'x': 4}\n"
    "pulumi.run(main)",
    "a-coroutine": "import asyncio, pulumi\nasync def four():\n    await asyncio.sleep(0.01)\n    return 4\n"
    "pulumi.export('x', pulumi.Output.from_input(four()))",
    "logging": "import logging, pulumi\nlogging.basicConfig(level='INFO'); logging.info('started'); pulumi.export('x', 4)",
    "a-dynamic-provider": "import pulumi\nfrom pulumi import dynamic\nclass Own(dynamic.ResourceProvider):\n"
    "    def create(self, props): return dynamic.CreateResult('1', props)\n"
    "class Thing(dynamic.Resource):\n    n: pulumi.Output[int]\n"
    "    def __init__(self, name): super().__init__(Own(), name, {'n': 4})\npulumi.export('x', Thing('t').n)",
    "resources-given-to-components-of-another-process": "import pulumi, pulumi_aws as aws, pulumi_eks as eks\n"
    "role = aws.iam.Role('r', assume_role_policy='{}', max_session_duration=4)\n"
    "aws.iam.RolePolicyAttachment('a', policy_arn='arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy', role=role.id)\n"
    "cluster = eks.Cluster('c', skip_default_node_group=True, instance_roles=[role])\n"
    "eks.NodeGroup('n', cluster=cluster, instance_type='t3.medium', desired_capacity=1)\n"
    "pulumi.export('x', cluster.instance_roles.apply(lambda roles: roles[0].max_session_duration))",
    "its-working-directory": "import os, pulumi\nfrom pathlib import Path\nos.chdir('own')\n"
    "pulumi.export('x', 4 if Path('inner.py').exists() else 0)",
    "a-temporary-file": "import pulumi, tempfile\nf = tempfile.NamedTemporaryFile('w+'); f.write('4'); f.seek(0)\n"
    "pulumi.export('x', int(f.read()))",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_program_runs_as_usual(project: Project, name: str) -> None:
    exports = preview(project(ORDINARY[name]), "dev", time_limit=30).recording.exports
    assert int(exports["x"]) == 4


def test_files_that_this_process_left_behind_are_closed_without_harm(project: Project) -> None:
    """A loop and sockets in a circle are collected when the program's own files have had time to take their numbers.

    They are young. To look among all objects of these tests too takes seconds.
    """
    left: list[object] = [asyncio.new_event_loop(), *socket.socketpair(), *(open(os.devnull) for _ in range(20))]  # noqa: SIM115
    left.append(left)
    del left
    text = "import gc, pulumi\nfiles = [open('own/inner.py') for _ in range(40)]\n"
    text += "async def four():\n    gc.collect(1)\n    return len(files[30].read()) - 5\n"
    exports = preview(project(f"{text}pulumi.export('x', pulumi.Output.from_input(four()))"), "dev").recording.exports
    assert int(exports["x"]) == 4


@pytest.mark.slow
def test_what_this_process_left_behind_is_not_collected_in_that_of_the_program(project: Project, tmp_path: Path) -> None:
    """A server, for one, would wait there for its threads without an end."""
    collected = tmp_path / "collected"

    class Server:
        def __del__(self) -> None:
            with collected.open("a") as file:
                file.write(f"{os.getpid()}\n")

    servers = [Server(), Server()]
    for server, other in zip(servers, reversed(servers), strict=True):
        server.other = other  # type: ignore[attr-defined]
    folder = project("import gc, pulumi\ngc.collect()\npulumi.export('x', 4)")
    del servers, server, other
    assert preview(folder, "dev").recording.exports["x"] == 4
    gc.collect()
    assert set(collected.read_text().split()) == {str(os.getpid())}


def test_what_a_program_prints_comes_before_the_answer(project: Project) -> None:
    """To the streams that it prints to, byte for byte, also from commands that it starts."""
    text = "import os, sys\nprint('größe'); os.system('echo two'); print('three', end='')\nprint('four', file=sys.stderr)\n"
    text += "import atexit\natexit.register(print, ' five')\n"
    command = [*COMMAND, "preview", "--stack", "dev", "--allow-empty"]
    done = subprocess.run(command, cwd=project(text), capture_output=True, check=False)
    assert done.stdout.startswith("two\ngröße\nthree five\nNothing has a price: stack shop-dev, 0 resources\n".encode())
    assert (done.returncode, done.stderr) == (0, b"four\n")


@pytest.mark.slow
def test_a_program_that_is_spawned_gives_the_same(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is where forking is not safe."""
    folder = project(
        "import own, pulumi, sys\nprint('printed')\npulumi.export('x', [own.SIZE, pulumi.Config().require('size')])"
    )
    forked = preview(folder, "dev").recording
    monkeypatch.setattr(program_run, "_START", "spawn")
    spawned = preview(folder, "dev").recording
    assert spawned.exports == forked.exports == {"x": [4, "3"]}
    assert list(spawned.resources) == list(forked.resources)


WAITS = """
import os, subprocess, sys, time
from pathlib import Path
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
Path("pids").write_text(f"{os.getpid()} {child.pid}")
Path("pids").rename("ready")
time.sleep(60)
"""


def _runs(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


@pytest.fixture
def waiting(project: Project) -> Iterator[tuple[subprocess.Popen[bytes], list[int]]]:
    """Yield a command whose program waits, and the processes of the program."""
    folder = project(WAITS)
    # A shell's background job, as these tests may be, ignores Ctrl-C, and so would the command.
    command = subprocess.Popen(
        [*COMMAND, "preview", "--stack", "dev"],
        cwd=folder,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        for _ in range(600):
            if (folder / "ready").exists():
                break
            time.sleep(0.05)
        yield command, [int(pid) for pid in (folder / "ready").read_text().split()]
    finally:
        command.kill()
        command.communicate()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, None), (signal.SIGKILL, -9)])
def test_no_process_of_a_program_outlives_the_command(
    waiting: tuple[subprocess.Popen[bytes], list[int]], number: signal.Signals, code: int | None
) -> None:
    """However the command ends: by Ctrl-C, by the end of a pipeline, forcibly."""
    command, pids = waiting
    assert all(map(_runs, pids))
    os.kill(command.pid, number)
    assert command.wait(20) in ((code,) if code is not None else (143, -15))
    for _ in range(100):
        if not any(map(_runs, pids)):
            break
        time.sleep(0.05)
    assert [pid for pid in pids if _runs(pid)] == []


RUNNING = ["preview --stack dev", "gate --stack dev", "permissions --stack dev", "diff dev pools.yaml", "new qa --like dev"]


@pytest.mark.parametrize("words", RUNNING)
def test_a_command_that_runs_a_program_ends_it_in_time(project: Project, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    folder = project("import time\ntime.sleep(60)")
    monkeypatch.chdir(folder)
    before = {path.name for path in folder.iterdir()}
    result = CliRunner().invoke(main, [*words.split(), "--time-limit", "0.1"])
    assert result.exit_code == 1
    assert "the program runs for more than 0.1 s (--time-limit)" in " ".join(result.output.split())
    assert {path.name for path in folder.iterdir()} - {"__pycache__"} == before


IN_MEMORY = """
from dataclasses import replace
from cutlist import EC2NodeClass, NodePool, Workloads, plan_inputs
from pulumi_cutlist.plan import NodePlan
default = EC2NodeClass(name="default", role="nodes", ami="al2023@v20260625", discovery="demo")
pool = NodePool(name="general", node_class=default, requirements={"karpenter.sh/capacity-type": ["on-demand"]})
inputs = plan_inputs([pool], Workloads.read("app.yaml"), region="us-west-2")
"""
WEB = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web, resources: {requests: {cpu: "8"}}}]}
"""
DAEMON = """
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: agent, resources: {requests: {cpu: 100m}}}]}
"""


def test_a_plan_of_objects_that_a_program_builds_is_made_of_their_manifests(project: Project, tmp_path: Path) -> None:
    """As data, so that the program's word counts no more than that of a file; workloads are read again from theirs."""
    (tmp_path / "app.yaml").write_text(WEB)
    built = preview(project(f'{IN_MEMORY}NodePlan("nodes", {{"region": "us-west-2"}}, inputs=inputs)'), "dev")
    written = preview(
        project(
            f"{IN_MEMORY}objects = [one.manifest() for one in (pool, default)]\n"
            'NodePlan("nodes", {"region": "us-west-2", "sources": ["app.yaml"], "manifests": objects})'
        ),
        "dev",
    )
    assert built.plans == written.plans
    assert [len(made.nodes) for made in built.plans] == [1]


@pytest.mark.parametrize(
    "change",
    ["groups=tuple(replace(g, count=7) for g in inputs.workloads.groups)", "daemons=()"],
    ids=["another count", "no daemons"],
)
def test_what_manifests_do_not_say_is_refused_with_what_to_give_instead(project: Project, tmp_path: Path, change: str) -> None:
    """Such as workloads that are not those of their files: what the program says of them is not believed."""
    (tmp_path / "app.yaml").write_text(WEB + DAEMON)
    text = f"""{IN_MEMORY}
inputs = replace(inputs, workloads=replace(inputs.workloads, {change}))
NodePlan("nodes", {{"region": "us-west-2"}}, inputs=inputs)
"""
    with pytest.raises(CutlistError, match=r"NodePlan nodes has inputs made in the program.* sources or manifests"):
        preview(project(text), "dev")


APP = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: web, resources: {requests: {cpu: "8"}}}]}
"""

FORGED = """
import pulumi_cutlist.plan as plan
from pulumi_cutlist.node_plans.request import PlanAnswer
before = plan.plan_elsewhere
def cheap(name, request):
    answer = before(name, request)
    return PlanAnswer(answer.digest, {**answer.measures, **CHANGES})
plan.plan_elsewhere = cheap
NODE_PLAN = {"region": "us-west-2", "sources": ["app.yaml"], "external_classes": ["default"]}
plan.NodePlan("nodes", NODE_PLAN)
"""


def test_figures_of_a_plan_that_a_program_changes_are_no_plan(project: Project, tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(APP)
    assert preview(project(f"CHANGES = {{}}\n{FORGED}"), "dev").plans
    with pytest.raises(CutlistError, match=r"NodePlan/nodes is registered with figures that are not those of its plan"):
        preview(project(f"CHANGES = {{'price': 0.0, 'nodes': 0, 'most': None}}\n{FORGED}"), "dev")


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_frames_arrive_in_pieces_of_any_size(size: int) -> None:
    sent = [Frame(FrameKind.REGISTER, b"one"), Frame(FrameKind.END), Frame(FrameKind.PLAN, bytes(500))]
    stream = b"".join(frame.encoded() for frame in sent)
    frames = Frames()
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert [frame for piece in pieces for frame in frames.add(piece)] == sent


@pytest.mark.parametrize("noise", [b"all rules hold\n", b"CUT1\x00\0\0\0\0", b"CUT1\x63\0\0\0\0", b"CUT1\x01\xff\xff\xff\xff"])
def test_what_is_no_frame_is_refused(noise: bytes) -> None:
    with pytest.raises(DamagedStreamError, match="not a registration"):
        list(Frames().add(noise))
