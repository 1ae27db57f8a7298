# Made by python/generate.py of python/albumd/aio/fetching.py. Change that, not this.
"""What a fetch found, read page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..interfaces.library import Asset, FetchAssets, FetchAssetsReply

if TYPE_CHECKING:
    from .library import PhotoLibrary


class FetchResult:
    """Assets in order. It holds the first page; iterating it reads the others, and keeps none. PhotoKit:
    `PHFetchResult`; **differs**: a result is of its pages' moments, and `token` is of the first: changes from there on
    leave no gap."""

    def __init__(
        self, library: PhotoLibrary, question: FetchAssets, first: FetchAssetsReply, limit: int | None
    ) -> None:
        self._library = library
        self._question = question
        self._first = first
        self._limit = limit
        rest = max(0, first.total - (question.offset or 0))
        self.total = rest if limit is None else min(rest, limit)
        """How many assets match, as of the first page, without those that an offset leaves out."""
        self.token = first.token
        """The place in the changes that this shows."""

    def __len__(self) -> int:
        return self.total

    @property
    def first_page(self) -> Sequence[Asset]:
        """What was read already."""
        return self._first.assets

    def __iter__(self) -> Iterator[Asset]:
        return self._assets()

    def _assets(self) -> Iterator[Asset]:
        for page in self.pages():
            for asset in page:
                yield asset

    def pages(self) -> Iterator[Sequence[Asset]]:
        """The same, a page at a time. An asset that changes its place meanwhile may come twice."""
        page = self._first
        count = 0
        while True:
            rest = len(page.assets) if self._limit is None else max(0, self._limit - count)
            if page.assets and rest:
                yield page.assets[:rest]
            count += len(page.assets)
            if page.cursor is None or self._limit is not None and count >= self._limit:
                return
            page = self._library.ask(replace(self._question, cursor=page.cursor))

    def all(self) -> list[Asset]:
        """All of them, in memory."""
        return [asset for asset in self]
