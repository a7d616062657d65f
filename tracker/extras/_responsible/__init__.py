"""Who is responsible for what is kept about guests."""

from typing import NamedTuple

from tracker.app.settings import FolderSettings, Setting
from tracker.formats.records import Record


class Responsible(NamedTuple):
    """Who is responsible for what is kept about guests, and how to reach them; both empty where nobody said."""

    name: str = ""
    contact: str = ""


_RECORD = Record(Responsible, "\n")


class ResponsibleSettings(FolderSettings):
    """The settings of the data folder, with who is responsible for what is kept in it."""

    responsible = Setting("responsible", Responsible(), _RECORD.read, _RECORD.text)
