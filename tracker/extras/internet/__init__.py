"""A server that strangers on the internet may reach, by a public name and a proxy.

It has thousands of streams, and is fair between the networks that people come from: in turns, connections, memory and
the processor time of pages.
"""

from tracker.extras.internet import page_budget
from tracker.extras.internet.listening import OPTIONS
from tracker.web.base.extra import Extra

EXTRA = Extra([page_budget.bp], options=OPTIONS, begin=page_budget.begin)
