# Made by python/generate.py of Sources/AlbumAPI/ProductVersion.swift. Change that, not this.
"""The version of albumd that this is part of."""

VERSION = "0.1.0"
