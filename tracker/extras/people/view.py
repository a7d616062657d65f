"""What the pages of people show: faces, nights, and the sentence of a change that can be taken back."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from tracker.extras._night_lists import nights_line
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._people import KnownPerson
from tracker.extras.people.offers import Offer, SeatOfNight, days_of, nights_by_person
from tracker.extras.people.people import PeopleChange, PeopleState, StoredPeople
from tracker.web.base.context import get_nights
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.wording.texts import gettext as _, ngettext


@dataclass(frozen=True)
class PersonView:
    """A person with their nights, the newest first."""

    person: KnownPerson
    nights: Sequence[SeatOfNight]

    @property
    def face(self) -> PlayerToken:
        """The person's token outside of a night; its `seat` is the person's id."""
        person = self.person
        return PlayerToken(person.id, person.name, person.name[:1].upper(), person.colour)

    @property
    def line(self) -> str:
        return nights_line(days_of(self.nights))


def known_people() -> StoredPeople:
    """Return the people of the app that answers."""
    return cast(StoredPeople, get_nights().people)


def names_at(nights: Sequence[NightSummary]) -> Mapping[str, set[str]]:
    """Return by night every name that somebody who sat there ever had, at whichever night."""
    people, found = known_people(), defaultdict[str, set[str]](set)
    for person, seats in nights_by_person(people, nights).items():
        names = people.names_of(person) | {one.seat.name for one in seats}
        for one in seats:
            found[one.night.code] |= names
    return found


def all_people(people: StoredPeople, nights: Sequence[NightSummary]) -> list[PersonView]:
    """Return everybody, who played last on top; hidden ones too."""
    found = nights_by_person(people, nights)
    order = {person: place for place, person in enumerate(found)}
    views = [PersonView(one, found.get(one.id, ())) for one in people.all()]
    return sorted(views, key=lambda one: order.get(one.person.id, len(order)))


def person_view(people: StoredPeople, nights: Sequence[NightSummary], person: str) -> PersonView:
    """Return a person with their nights. Raises Unknown."""
    return PersonView(people.find(person), nights_by_person(people, nights).get(person, ()))


def name_line(name: Offer) -> str:
    """Return how often a name was used, and when last."""
    return nights_line(days_of(name.seats))


def shared_nights(one: PersonView, other: PersonView) -> int:
    return len({seat.night.code for seat in one.nights} & {seat.night.code for seat in other.nights})


def change_sentence(people: StoredPeople, change: PeopleChange) -> str:
    """Return what a change says, with the names that people had before it; empty for what was not said by anybody."""
    values, before = change.values, people.before(change.number)
    person, source = _name(before, values.get("person", "")), _name(before, values.get("source", ""))
    nights = ngettext("%(num)s night", "%(num)s nights", len(values.get("seats", ())))
    match change.kind:
        case "add" | "restate":
            said = _("%(name)s is a person, with %(nights)s.", name=values["name"], nights=nights)
        case "link":
            said = _("One more night is %(name)s’s.", name=person)
        case "unlink":
            said = _("One night is no longer %(name)s’s.", name=person)
        case "merge":
            target = _name(before, values["target"])
            said = _("%(source)s is the same person as %(name)s.", source=source, name=target)
        case "split":
            said = _("%(nights)s of %(name)s became %(other)s’s.", nights=nights, name=source, other=values["name"])
        case "rename":
            said = _("%(old)s is called %(name)s.", old=person, name=values["name"])
        case "colour":
            said = _("%(name)s got another colour.", name=person)
        case "hide" if values["is_hidden"]:
            said = _("%(name)s is hidden.", name=person)
        case "hide":
            said = _("%(name)s is listed again.", name=person)
        case _other:
            said = ""
    return said


def _name(state: PeopleState, person: str) -> str:
    known = state.people.get(person)
    return known.name if known else _("somebody")
