"""A process that runs one command for an assistant and reads nothing but the roots.

Python reports each file that it opens, each connection and each program that it starts to audit hooks (PEP 578). The hook here
refuses files outside of the roots, such as those that a kustomization or a symbolic link names, and everything but reading. It
lasts as long as its process, so each call has its own process. It guards against paths that lead elsewhere and against
commands that do more than read; it is not a sandbox for hostile code, and none runs here.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from cutlist_cli.__main__ import collect_rarely
from cutlist_cli.assistants.roots import Roots, is_below

SEPARATOR: Final = "--"
"""What the folders of a call end with; the command and its arguments follow."""
_OUTSIDE: Final = "outside of the folders that may be read"
_NOT_READING: Final = "not possible here: commands of assistants only read files"
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_LISTS: Final = frozenset(("os.listdir", "os.scandir"))
_REFUSED: Final = frozenset(
    (
        *(
            f"os.{name}"
            for name in ("chmod", "chown", "link", "mkdir", "remove", "rename", "rmdir", "symlink", "truncate", "utime")
        ),
        *(f"os.{name}" for name in ("exec", "fork", "forkpty", "posix_spawn", "spawn", "system")),
        *("pty.spawn", "subprocess.Popen"),
        *(f"socket.{name}" for name in ("bind", "connect", "getaddrinfo", "gethostbyname", "sendmsg", "sendto")),
    )
)
"""What no call may do: write, start programs, use the network."""


def guard(roots: Roots, code: Sequence[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """Return an audit hook that lets a process read the roots and the folders of its own code, and do nothing else.

    It raises PermissionError, which readers of files report like any file that cannot be read.
    """
    readable = (*roots.folders, *code)

    def check_path(path: Any) -> None:
        if isinstance(path, int) or path is None:  # a descriptor that is open already, or the working folder
            return
        name = os.fsdecode(path)
        if name != os.devnull and not is_below(roots.resolved(name), readable):
            raise PermissionError(errno.EACCES, _OUTSIDE, name)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            check_path(path)
            if not isinstance(path, int) and flags & _WRITING and path != os.devnull:
                raise PermissionError(errno.EACCES, _NOT_READING, os.fsdecode(path))
        elif event in _LISTS:
            check_path(arguments[0])
        elif event in _REFUSED:
            raise PermissionError(errno.EACCES, _NOT_READING, event)

    return hook


def folders_of_code() -> tuple[str, ...]:
    """Return the folders that this process loads Python, its packages and Cutlist from."""
    named = (sys.prefix, sys.base_prefix, *sys.path)
    return tuple(dict.fromkeys(os.path.realpath(path) for path in named if path and path != os.sep))


def run(words: Sequence[str]) -> None:
    """Run the command that stands behind the separator, with the folders before it as its roots; end with its exit code."""
    at = words.index(SEPARATOR)
    roots = Roots(tuple(words[:at]))
    collect_rarely()
    sys.dont_write_bytecode = True
    sys.addaudithook(guard(roots, folders_of_code()))
    from cutlist_cli.application import main  # both only behind the guard
    from cutlist_cli.project_settings import TopFolder

    main(list(words[at + 1 :]), prog_name="cutlist", obj=TopFolder(roots.first))


if __name__ == "__main__":
    run(sys.argv[1:])
