"""Yaniv: who calls with the least points takes none, all others their hands'; above 100 one is out."""

from tracker.web.base.extra import Extra

EXTRA = Extra(modules=("tracker.extras.yaniv.pages",))
