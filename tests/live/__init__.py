"""A real Karpenter beside Cutlist: etcd, an API server, its controllers and Karpenter's KWOK provider on this machine.

`python -m tests.live` builds and runs it; README.md has the rest. `make test` only replays what was recorded.
"""
