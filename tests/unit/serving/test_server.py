"""The page on a board, served to this machine alone, for reading only, and updated when there is another."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from threading import Thread

import pytest
from click.testing import CliRunner

from cutlist.core.errors import InputError, Place, Problem
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.serve.html import live_page, problems_html
from cutlist_cli import main
from cutlist_cli.serving import changes
from cutlist_cli.serving import server as server_module
from cutlist_cli.serving.server import HOST, Board, PageServer
from tests.sample import POOLS, WORKLOADS
from tests.unit.report.hostile import ALL
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN


@pytest.fixture(params=[{}])
def server(request: pytest.FixtureRequest) -> Iterator[PageServer]:
    with PageServer(Board("<p>first \u00e9</p>"), **request.param) as made:
        thread = Thread(target=made.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join(timeout=10)


def _asked(server: PageServer, path: str = "/", method: str = "GET", **headers: str):
    connection = HTTPConnection(HOST, server.server_port, timeout=10)
    connection.request(method, path, headers=headers)
    return connection.getresponse()


@pytest.mark.slow
def test_the_page_that_was_put_up_last_is_shown(server):
    assert _asked(server).read().decode() == "<p>first \u00e9</p>"
    server.board.show("<p>second</p>")
    answer = _asked(server)
    assert (answer.status, answer.read()) == (200, b"<p>second</p>")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.slow
def test_only_this_machine_is_listened_to(server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


_OTHERS = ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", ""]


@pytest.mark.slow
@pytest.mark.parametrize("host", _OTHERS)
def test_who_asks_by_another_name_is_refused(server, host):
    """A page from elsewhere whose name leads to this machine cannot read ours."""
    for path in ("/", "/changes"):
        answer = _asked(server, path, Host=host.format(port=server.server_port))
        assert (answer.status, answer.read()) == (421, b"")


def test_localhost_is_this_machine(server):
    assert _asked(server, Host=f"localhost:{server.server_port}").status == 200


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/etc/passwd", "/../pools.yaml", "/?x", "/index.html"])
def test_there_is_nothing_but_the_page(server, path):
    assert _asked(server, path).status == 404


@pytest.mark.slow
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_there_is_nothing_to_do_but_read(server, method):
    assert _asked(server, method=method).status == 501


@pytest.mark.slow
def test_no_other_page_may_hold_ours(server):
    headers = _asked(server).headers
    assert (headers["X-Frame-Options"], headers["Cross-Origin-Resource-Policy"]) == ("DENY", "same-origin")
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.slow
def test_a_browser_gets_the_name_of_each_page_as_it_comes(server):
    answer = _asked(server, "/changes")
    assert answer.headers["Content-Type"] == "text/event-stream"
    first = answer.readline()
    assert answer.readline() == b"\n"
    server.board.show("<p>second</p>")
    second = answer.readline()
    assert re.fullmatch(rb"data: [0-9a-f]{16}\n", first)
    assert second == f"data: {server.board.name}\n".encode() != first


def test_the_same_page_again_is_no_news():
    board = Board("a")
    name = board.name
    board.show("a")
    assert board.other_than(name, 0.05) == name
    board.show("b")
    assert board.other_than(name, 10) == board.name != name


def test_a_port_that_is_taken_is_a_mistake_of_who_chose_it():
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        with pytest.raises(InputError, match=r"^port: cannot listen on port"):
            PageServer(Board(""), other.getsockname()[1])


def test_a_live_page_may_ask_its_own_server_and_nobody_else():
    """Its second script is known by its hash, as the first is."""
    page, from_disk = taken(live_page(plan_html(PLAN))), taken(plan_html(PLAN))
    policy, before = (
        next(a["content"] for tag, a in found.elements if a.get("http-equiv") == "Content-Security-Policy")
        for found in (page, from_disk)
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["connect-src"] == "'self'"
    assert "connect-src" not in before
    assert rules["script-src"].count("'sha256-") == 2
    assert page.tags["script"] == from_disk.tags["script"] + 1
    assert page.faults == []


def test_mistakes_in_the_files_are_a_page():
    text = taken(problems_html([Problem(Place("app.yaml", 1, 31, "spec.replicas"), "-3 is negative", "0 and more", "3")])).text
    assert "1 problem in the files" in text
    assert "app.yaml" in text
    assert "-3 is negative allowed: 0 and more did you mean 3?" in text


@pytest.mark.parametrize("text", ALL)
def test_hostile_mistakes_are_words(text):
    page = taken(problems_html([Problem(Place(text, 1, 1, text), text, text, text)]))
    assert page.tags == taken(problems_html([Problem(Place("x", 1, 1, "x"), "x", "x", "x")])).tags
    assert page.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: "])
def test_a_request_that_trickles_in_is_ended(server, monkeypatch, sent):
    """Whoever sends a byte now and then holds a thread for some seconds, not until the end."""
    monkeypatch.setattr(server_module, "_SLOW", 0.2)
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=5) as slow:
        slow.sendall(sent)
        begun = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - begun < 0.4:
                slow.sendall(b"a" if sent else b"")
                time.sleep(0.05)
        slow.settimeout(3)
        with contextlib.suppress(ConnectionError):
            while slow.recv(1024):
                pass
        assert time.monotonic() - begun < 3


def test_an_endless_body_is_not_read(server):
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=5) as client:
        head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\nContent-Length: 99999999999\r\n\r\n"
        client.sendall(head.encode() + b"x" * 1000)
        assert client.recv(15) == b"HTTP/1.0 200 OK"


@pytest.mark.parametrize("server", [{"most": 2}], indirect=True)
def test_a_connection_beyond_the_most_takes_the_place_of_an_idle_one(server):
    held = [socket.create_connection(("127.0.0.1", server.server_port), timeout=5) for _ in range(2)]
    assert _asked(server).status == 200
    with contextlib.suppress(ConnectionError):
        assert held[0].recv(10) == b""
    for connection in held:
        connection.close()
    assert _asked(server).status == 200


def test_two_hundred_idle_connections_keep_no_browser_out(server):
    held = [socket.create_connection(("127.0.0.1", server.server_port), timeout=5) for _ in range(200)]
    begin = time.monotonic()
    assert _asked(server).status == 200
    assert time.monotonic() - begin < 5
    for connection in held:
        connection.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (POOLS.read_text("utf-8"), "The plan is shown at http://127.0.0.1:"),
        (
            "kind: NodePool\napiVersion: karpenter.sh/v1\nmetadata: {name: a}\n",
            "The files have mistakes; until they are fixed",
        ),
    ],
)
def test_the_command_says_whether_the_page_is_a_plan(tmp_path, monkeypatch, text, said):
    (tmp_path / "pools.yaml").write_text(text, "utf-8")
    monkeypatch.setattr(changes, "changes", lambda _: iter([()]))  # nothing changes, so the command ends
    files = ["-f", str(tmp_path / "pools.yaml"), "-f", str(WORKLOADS), "--region", "us-west-2"]
    result = CliRunner().invoke(main, ["serve", *files, "--port", "0"])
    assert (result.exit_code, result.stdout.startswith(said)) == (0, True), result.output
