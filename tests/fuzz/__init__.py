"""Broken inputs for every reader, and command lines in hostile surroundings: none may end in a traceback, a hang or a flood.

`python -m tests.fuzz` runs all of both; `python -m tests.fuzz readers --count 500` a part of one.
"""
