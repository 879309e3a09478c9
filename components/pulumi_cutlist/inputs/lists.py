"""Lists and mappings in inputs: any sequence or mapping for a type check, and what the component host knows at run time.

`list` and `dict` are invariant, so a program could not give a `list[str]` where texts may also be Outputs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping as MapOf
    from collections.abc import Sequence as ListOf
else:
    ListOf, MapOf = list, dict

__all__ = ["ListOf", "MapOf"]
