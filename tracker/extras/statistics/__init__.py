"""Statistics over all nights, for the host of the machine: of everybody, of one person, of two; a year's recap; in a
club the ladder over all tables. Of each night its best moments, and how long it took.
"""

from tracker.extras.statistics import ladder, pages
from tracker.extras.statistics.story import story_of
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [pages.bp, ladder.bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "group.links": "statistics/_of_group.html",
        "home.links": "statistics/_ladder_link.html",
        "house_screen.below": "statistics/_ladder_on_screen.html",
        "lobby.values": "statistics/_ladder_words.html",
        "new_night.choices": "statistics/_ladder_choice.html",
        "nights.links": "statistics/_link.html",
        "person.figures": "statistics/_main_figures.html",
        "person.styles": "statistics/_styles.html",
        "result.best": "statistics/_best.html",
        "result.time": "statistics/_time.html",
        "tables_of_nights.links": "statistics/_table_links.html",
    },
    new_night=ladder.read_choice,
    next_night=ladder.carry_on,
    person_links=pages.person_links,
    begin=lambda app: app.extensions.update(story=story_of),
)
