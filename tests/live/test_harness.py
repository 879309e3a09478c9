"""What of the live cluster needs no cluster: sources, settings, processes, the stand-in for kubelets, the archives."""

from __future__ import annotations

import json
import re
import stat
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tests.live import patches, recordings, running, scheduling
from tests.live.build import PROGRAMS, BuildError, Module, Program, build, dependent_module
from tests.live.certificates import USERS, write_certificates, write_kubeconfigs
from tests.live.kubelet import ready_node, running_pod
from tests.live.processes import Processes, StartError, wait_for
from tests.live.recording import Recording, file_of
from tests.live.running import Run, Verdict, in_order, run_all
from tests.live.scenario import Scenario
from tests.live.scenarios import ALL
from tests.live.scenarios.builders import deployment, node_pool
from tests.live.servers import Karpenter, Servers, free_ports
from tests.live.state import as_oracle_type
from tests.recorded import VECTORS

AT = "2026-01-01T00:00:00Z"


def test_a_module_that_depends_on_kubernetes_names_its_neighbours_by_version():
    """What lies in folders of the published repository is required as the modules that these are."""
    replaced = "replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n)\n"
    published = f"module k8s.io/kubernetes\n\ngo 1.25\n\nrequire k8s.io/api v0.0.0\n\n{replaced}"
    text = dependent_module(published, next(program for program in PROGRAMS if program.name == "kube-scheduler"))
    assert "module live/kube-scheduler\n" in text
    assert "\tk8s.io/api => k8s.io/api v0.35.1\n" in text
    assert text.endswith("require k8s.io/kubernetes v1.35.1\n")


def test_neighbours_that_have_a_version_are_no_longer_replaced():
    """etcd's modules require each other by version."""
    published = "module e/server\n\ntoolchain go1.24.1\n\nrequire e/api v3.6.6\n\nreplace e/api => ../api\n"
    text = dependent_module(published, Program("etcd", Module("e/server", "v3.6.6", ""), "e/server"))
    assert not re.search("replace|toolchain", text)
    assert "require e/api v3.6.6" in text


def test_karpenter_reports_every_nomination_and_knows_reservations():
    """The lines stand first in main; a main that looks otherwise is an error and not silently left as it is."""
    text = 'package main\n\nimport (\n\t"a"\n)\n\nfunc main() {\n\tstart()\n}\n'
    for change in patches.RECORDED:
        assert isinstance(change, patches.Insertion)
        text = patches.inserted(change, text)
    lines = r"\tscheduling\.PodNominationRateLimiter = .*\n\tcloudprovider\.ReservationIDLabel = .*\n"
    assert re.search(rf"func main\(\) \{{\n{lines}\tstart\(\)", text)
    with pytest.raises(patches.PatchError, match="0 times 'import \\('"):
        patches.inserted(patches.RECORDED[0], "package main\nfunc main() {\n}\n")


def test_a_change_of_what_is_put_into_karpenter_builds_it_again(tmp_path: Path):
    """The mark of a program has the text of each file that is added, in the package that it is put into."""
    source = tmp_path / "devices.go"
    marks = []
    for text in ("//go:build karpenter_1_15\n\npackage scenario\n", "package scenario // other\n"):
        source.write_text(text)
        program = Program(
            "karpenter-1.15", Module("k", "v1", ""), "./kwok", changes=(patches.Addition("a.go", "kwok", source),)
        )
        marks.append(program.mark)
    assert marks[0] != marks[1]
    root = tmp_path / "module"
    root.mkdir()
    patches.apply([patches.Addition("a.go", "kwok", source)], root)
    assert (root / "a.go").read_text() == "package kwok // other\n"


def test_what_is_built_is_not_built_again(tmp_path: Path):
    """A folder with all programs asks for nothing, not even for Go."""
    (tmp_path / "bin").mkdir()
    for program in PROGRAMS:
        (tmp_path / "bin" / f"{program.name}.version").write_text(program.mark)
    said: list[str] = []
    build(tmp_path, said.append)
    assert said == []


def test_a_build_without_go_says_what_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The text names the version and where to get it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match=r"the command go was not found; building needs Go 1\.26 or later"):
        build(tmp_path, lambda _: None)


def test_a_missing_program_is_named_before_anything_starts(tmp_path: Path):
    """The text says how to build it, and no folder of a cluster is made."""
    with pytest.raises(StartError, match=r"has no etcd, .*build first"):
        Servers(tmp_path, tmp_path / "programs").up()
    assert list(tmp_path.iterdir()) == []


def test_karpenter_is_told_gates_and_settings():
    """A scenario's own gates and settings stand in the place of the defaults."""
    environment = Karpenter("1.14", {"NodeOverlay": True}, {"BATCH_MAX_DURATION": "5s"}).environment()
    gates = dict(pair.split("=") for pair in environment["FEATURE_GATES"].split(","))
    assert (gates["NodeOverlay"], gates["ReservedCapacity"], gates["NodeRepair"]) == ("true", "true", "false")
    assert environment["BATCH_MAX_DURATION"] == "5s"
    assert environment["BATCH_IDLE_DURATION"] == "1s"


def test_keys_are_the_owners_and_each_user_has_a_kubeconfig(tmp_path: Path):
    """Nobody else on the machine may read them."""
    write_certificates(tmp_path)
    write_kubeconfigs(tmp_path, "https://127.0.0.1:1", tmp_path / "ca.crt")
    assert {stat.S_IMODE(key.stat().st_mode) for key in tmp_path.glob("*.key")} == {0o600}
    rows = (tmp_path / "tokens.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == [f"{name}-token" for name in USERS]
    assert all(yaml.safe_load((tmp_path / f"{name}.kubeconfig").read_text())["users"] for name in USERS)


def test_ports_are_all_different():
    """They are held open together while they are looked for."""
    assert len(set(free_ports(5))) == 5


def test_a_process_is_known_by_its_file_and_stopped(tmp_path: Path):
    """Another command finds it by its file; a process that ended is not one that runs."""
    processes = Processes(tmp_path)
    processes.start("sleeper", [sys.executable, "-c", "import time; time.sleep(60)"])
    other = Processes(tmp_path)
    assert other.running("sleeper") == processes.running("sleeper") is not None
    processes.close()
    assert other.running("sleeper") is None
    assert processes.names() == []
    with pytest.raises(StartError, match="is not started any longer"):
        processes.start("another", [sys.executable])


def test_a_process_that_ends_at_once_is_reported_with_its_last_words(tmp_path: Path):
    """Waiting for it ends, with the end of its log."""
    processes = Processes(tmp_path)
    processes.start("short", [sys.executable, "-c", "print('no such port')"])
    with pytest.raises(StartError, match=r"short ended; .*\n.*no such port"):
        processes.wait_until("short", "an answer", lambda: False, 30)


def test_what_does_not_happen_in_time_is_named():
    """A condition that stays false ends in an error that says what was waited for."""
    with pytest.raises(StartError, match="after 0 s still waiting for rain"):
        wait_for("rain", lambda: False, 0, 0)


def test_nodes_become_ready_unless_a_scenario_says_otherwise():
    """A node with a Ready condition keeps it, true or not; one that is being deleted is left alone."""
    node = {"metadata": {"name": "n", "labels": {"kubernetes.io/arch": "arm64"}}}
    status = ready_node(node, AT)
    assert status is not None
    assert {c["type"]: c["status"] for c in status["conditions"]}["Ready"] == "True"
    assert status["nodeInfo"]["architecture"] == "arm64"
    assert ready_node({**node, "status": {"conditions": [{"type": "Ready", "status": "False"}]}}, AT) is None
    assert ready_node({"metadata": {"name": "n", "deletionTimestamp": AT}}, AT) is None


def test_pods_run_once_they_are_bound():
    """A pod without a node, and one that runs already, stay as they are."""
    pod = {"spec": {"nodeName": "n", "containers": [{"name": "main"}]}, "status": {"phase": "Pending"}}
    status = running_pod(pod, AT)
    assert status is not None
    assert status["phase"] == "Running"
    assert running_pod({**pod, "spec": {"containers": []}}, AT) is None
    assert running_pod({**pod, "status": {"phase": "Running"}}, AT) is None


def test_a_scenario_with_an_unknown_gate_or_karpenter_is_refused():
    """A misspelt gate would silently change nothing."""
    with pytest.raises(ValueError, match="unknown feature gates NodeOverlays; known: NodeRepair"):
        Scenario("x", "", [], gates={"NodeOverlays": True})
    with pytest.raises(ValueError, match="versions"):
        Scenario("x", "", [], versions=("1.13",))


def test_runs_are_ordered_so_that_karpenter_seldom_starts_anew():
    """Scenarios of the same settings follow each other; each is run with each Karpenter that it is for."""
    overlays = {"NodeOverlay": True}
    scenarios = [
        Scenario("a", "", []),
        Scenario("b", "", [], gates=overlays),
        Scenario("c", "", [], versions=("1.15",)),
        Scenario("d", "", [], gates=overlays),
    ]
    assert [str(run) for run in in_order(scenarios, ("1.14", "1.15"))] == [
        *("1.14 a", "1.14 b", "1.14 d"),
        *("1.15 a", "1.15 c", "1.15 b", "1.15 d"),
    ]


def test_a_scenario_s_own_instance_types_are_completed_as_the_provider_does():
    """The provider's own type, in the form of its file, is the one that the oracle recorded from it."""
    recorded = json.loads((VECTORS / "types" / "kwok.json").read_text())
    wanted = next(each for each in recorded if each["name"] == "c-1x-amd64-linux")
    form = {
        "name": wanted["name"],
        "architecture": "amd64",
        "operatingSystems": ["linux"],
        "resources": wanted["capacity"],
        "offerings": [{"Price": o["price"], "Available": True, "Requirements": o["requirements"]} for o in wanted["offerings"]],
    }
    completed = as_oracle_type(form)
    by_key = {each["key"]: sorted(each["values"]) for each in completed["requirements"]}
    assert by_key == {each["key"]: sorted(each["values"]) for each in wanted["requirements"]}
    assert completed["overhead"] == wanted["overhead"]
    assert [o["price"] for o in completed["offerings"]] == [o["price"] for o in wanted["offerings"]]


def test_recordings_take_the_place_of_older_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Those that were not run again stay, and those of scenarios that are no longer known are left out."""
    monkeypatch.setattr(recordings, "RECORDINGS", tmp_path / "packed")
    for names, about in ((("a", "b", "c"), "old"), (("b",), "new")):
        scratch = tmp_path / about
        for name in names:
            Recording(name, "1.14", "scheduling", {"about": about}, {}).write(scratch)
        recordings.take_in(scratch, {"a": 1, "b": 1})
    archive = tmp_path / "packed" / "scheduling-1.14.tar.xz"
    assert {each.name: each.scenario["about"] for each in recordings.recorded(archive)} == {"a": "old", "b": "new"}


def test_a_recording_is_read_as_it_was_written(tmp_path: Path):
    """Nothing is lost on the way."""
    recording = Recording("a", "1.15", "disruption", {"pods": []}, {"commands": []}, {"later": [1]}, "a tie")
    assert Recording.read(recording.write(tmp_path)) == recording
    assert file_of(tmp_path, "disruption", "1.15", "a").exists()


def test_scenarios_are_plain_data_that_the_api_server_can_be_sent():
    """Every object has a kind and a name, and can be written as JSON."""
    objects = [o for s in ALL.values() for o in [*s.objects, *s.then] if isinstance(o, dict)]
    assert all(o["kind"] and o["metadata"]["name"] for o in objects)
    assert len(json.dumps(objects)) > 0
    assert deployment("web", 2)["spec"]["template"]["metadata"]["labels"] == {"app": "web"}
    assert node_pool(weight=3)["spec"]["weight"] == 3


class _Cluster(Servers):
    """Servers that only note what happens to them."""

    def __init__(self, folder: Path, *, is_up: bool = False, starts: bool = True) -> None:
        super().__init__(folder, folder)
        self.was_up = is_up
        self.starts = starts
        self.notes: list[str] = []

    def is_up(self) -> bool:
        return self.was_up

    def up(self) -> None:
        if not self.starts:
            raise StartError("no etcd")
        self.notes.append("up")

    def down(self) -> None:
        self.notes.append("down")

    def resume_karpenter(self) -> None:
        self.notes.append("resume")


def test_clusters_share_the_runs_and_are_left_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each run is done once; a cluster that was up stays up, and one that does not start leaves its share to the others."""
    monkeypatch.setattr(running, "lived", lambda run, servers, folder: Verdict(run, "equal", 0))
    clusters = [_Cluster(tmp_path), _Cluster(tmp_path, is_up=True), _Cluster(tmp_path, starts=False)]
    runs = in_order([Scenario(f"s{i}", "", []) for i in range(40)], ("1.14",))
    verdicts = run_all(runs, clusters, tmp_path, lambda _: None)
    assert sorted(str(each.run) for each in verdicts) == sorted(map(str, runs))
    assert [cluster.notes for cluster in clusters] == [["up", "down"], ["resume"], ["down"]]


def test_a_pass_over_another_state_is_lived_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A Karpenter that lags behind three times is a broken run: nothing is recorded of it."""
    lagging = [scheduling.StaleViewError("lags")] * 4

    def live_through(*_: object) -> Recording:
        raise lagging.pop()

    monkeypatch.setattr(scheduling, "live_through", live_through)
    monkeypatch.setattr(running, "written_types", lambda *_: "")
    monkeypatch.setattr(Servers, "run_karpenter", lambda *_: None)
    verdict = running.lived(Run(Scenario("s", "", []), "1.14"), _Cluster(tmp_path), tmp_path)
    assert (verdict.word, verdict.lines[0], len(lagging)) == ("broken", "StaleViewError: lags", 1)


def test_runs_without_any_cluster_are_an_error(tmp_path: Path):
    """The error says why the cluster did not start."""
    with pytest.raises(StartError, match="no etcd"):
        run_all([Run(Scenario("s", "", []), "1.14")], [_Cluster(tmp_path, starts=False)], tmp_path, lambda _: None)


class _Interrupted(threading.Thread):
    """A thread that is interrupted while it is waited for."""

    def join(self, timeout: float | None = None) -> None:
        super().join(timeout)
        raise KeyboardInterrupt


def test_an_interrupt_stops_the_clusters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nothing of them outlives the command."""
    monkeypatch.setattr(running, "lived", lambda run, servers, folder: Verdict(run, "equal", 0))
    named = SimpleNamespace(Thread=_Interrupted, Lock=threading.Lock, Event=threading.Event)
    monkeypatch.setattr(running, "threading", named)
    cluster = _Cluster(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run_all([Run(Scenario("s", "", []), "1.14")], [cluster], tmp_path, lambda _: None)
    assert "down" in cluster.notes
