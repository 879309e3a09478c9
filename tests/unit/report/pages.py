"""Pages taken apart, for tests that look at what a browser would make of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

_WITHIN_A_LINE = {"a", "bdi", "b"}
_WITHOUT_CONTENT = {"meta", "input", "br", "link", "img"}


@dataclass
class Taken(HTMLParser):
    """The elements of a page with their attributes, its words, and what was opened and never closed."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _WITHIN_A_LINE:
            self.words.append(" ")
        if tag not in _WITHOUT_CONTENT:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if not self._open or self._open[-1] not in ("script", "style"):
            self.words.append(data)

    def close(self):
        super().close()
        self.faults += [f"<{tag}> stays open" for tag in self._open]

    @property
    def tags(self) -> Counter[str]:
        """Return how often each element is there; `bdi` aside, which only names that need it have."""
        return Counter(tag for tag, _ in self.elements if tag != "bdi")

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def values(self, attribute: str) -> list[str]:
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]


def taken(page: str) -> Taken:
    """Return the page taken apart."""
    parser = Taken()
    parser.feed(page)
    parser.close()
    return parser
