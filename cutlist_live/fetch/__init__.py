"""Fetching of charts, repositories of git and artifacts by the installed helm and git, into a cache, with a lock.

`ToolFetcher` is given to what reads documents (`cutlist.documents.delivery.fetching.Fetcher`). docs/what-is-read.md says
what is fetched, what is never run, and where things are kept.
"""

from cutlist_live.fetch.cache import Cache, cache_folder
from cutlist_live.fetch.fetcher import ToolFetcher
from cutlist_live.fetch.lock import Lock, lock_path

__all__ = ["Cache", "Lock", "ToolFetcher", "cache_folder", "lock_path"]
