"""The command `cutlist`. Commands hold no logic: they read options, call one function and print the result.

Exit codes: 0 done, 1 the answer is no (pending pods under `--strict`), 2 bad input, 70 an error in Cutlist itself, 130
interrupted, 141 the reader of the output closed it.
"""

from cutlist_cli.application import main

__all__ = ["main"]
