"""The language of the person at this process."""

from __future__ import annotations

import os


def preferred_language() -> str | None:
    """As locale(7) and gettext(3) have it, such as `zh-CN`; None where the environment names none."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return None
    named = os.environ.get("LANGUAGE", "").partition(":")[0] or locale
    return named.partition(".")[0].partition("@")[0].replace("_", "-") or None
