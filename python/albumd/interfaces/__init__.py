# Made by python/generate.py of Sources/AlbumAPI/Interfaces. Change that, not this.
"""The daemon's interfaces, each a module: a class for every type, method, reply and error."""

from . import agent as agent
from . import authorization as authorization
from . import library as library
from . import manager as manager
from . import picker as picker
