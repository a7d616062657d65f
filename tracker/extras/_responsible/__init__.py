"""Who is responsible for what is kept about guests."""

from typing import NamedTuple

from tracker.app.settings import FolderSettings, record


class Responsible(NamedTuple):
    """Who is responsible for what is kept about guests, and how to reach them; both empty where nobody said."""

    name: str = ""
    contact: str = ""


class ResponsibleSettings(FolderSettings):
    """The settings of the data folder, with who is responsible for what is kept in it."""

    responsible = record("responsible", Responsible, Responsible(), "\n")
