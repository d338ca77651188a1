"""What a page costs on the line, as the browser counts it: heads and compressed bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Scales:
    """Weighs whatever a page loads from now on."""

    def __init__(self, page: Page) -> None:
        self.weights: dict[str, int] = {}  # bytes on the line by address
        self.raw: dict[str, int] = {}  # and what the browser made of them
        self._received_by: dict[str, int] = {}
        self._addresses: dict[str, str] = {}
        self.session = page.context.new_cdp_session(page)
        self.session.on("Network.requestWillBeSent", self._sent)
        self.session.on("Network.dataReceived", self._received)
        self.session.on("Network.loadingFinished", self._finished)
        self.session.on("Network.responseReceived", self._answered)
        self.session.send("Network.enable")

    @property
    def total(self) -> int:
        """All bytes."""
        return sum(self.weights.values())

    def _sent(self, event: dict[str, Any]) -> None:
        self._addresses[event["requestId"]] = urlsplit(event["request"]["url"]).path
        if "redirectResponse" in event:
            self._add(event["requestId"], event["redirectResponse"]["encodedDataLength"])

    def _answered(self, event: dict[str, Any]) -> None:
        # An answer without a body may never be said to be finished.
        if event["response"]["status"] == 201:
            self._add(event["requestId"], event["response"]["encodedDataLength"])

    def _received(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        self._received_by[request] = self._received_by.get(request, 0) + event["dataLength"]
        self.raw[self._addresses.get(request, "")] = self._received_by[request]

    def _finished(self, event: dict[str, Any]) -> None:
        self._add(event["requestId"], event["encodedDataLength"])

    def _add(self, request: str, weight: float) -> None:
        address = self._addresses.get(request, "")
        self.weights[address] = self.weights.get(address, 0) + round(weight)
