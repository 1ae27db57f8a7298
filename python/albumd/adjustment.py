"""What was done to a photo, so that it can be undone."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from .errors import ProtocolViolation
from .interfaces.library import Adjustment


@dataclass(frozen=True, slots=True)
class PhotoAdjustment:
    """What was done to a photo or video, for the program that did it to go on from. PhotoKit: `PHAdjustmentData`."""

    format_identifier: str
    """Whose format the data is in, such as `org.example.Editor`: 1 to 255 printable ASCII characters without a space."""
    format_version: str
    """Which version of that format: 1 to 64 of such characters."""
    data: bytes
    """What was done: at most 512 KiB, which nobody else understands."""

    @property
    def wire(self) -> Adjustment:
        """As the daemon takes it."""
        return Adjustment(
            format_identifier=self.format_identifier, format_version=self.format_version,
            data=base64.b64encode(self.data).decode("ascii"))

    @classmethod
    def read(cls, adjustment: Adjustment) -> PhotoAdjustment:
        """As the daemon says it."""
        try:
            data = base64.b64decode(adjustment.data, validate=True)
        except binascii.Error as error:
            raise ProtocolViolation(f"the data of an adjustment is not base64: {error}") from error
        return cls(adjustment.format_identifier, adjustment.format_version, data)
