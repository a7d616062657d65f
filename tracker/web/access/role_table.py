"""Which roles may use which page. A page that is not in this table is open to nobody."""

from __future__ import annotations

from tracker.web.access.devices import CLUB_HOST

ANYONE = frozenset({None, "knock", "watcher", "seat", "host", CLUB_HOST})
ALLOWED_IN = frozenset({"watcher", "seat", "host"})
AT_TABLE = frozenset({"seat", "host"})
HOST = frozenset({"host"})
OPENS_NIGHTS = frozenset({"host", CLUB_HOST})
"""Outside of all nights: whoever runs the house, and the hosts of its club."""
CLUB_PAGES = ("club.", "house.")
"""How the names of pages begin that are there with a club only."""
OF_THE_HOUSE = frozenset({"join.choose_address", "wifi_code.save"})
"""Pages of a night that change something for all nights: in a club they belong to whoever runs the house."""

NEEDS_OTHERS = frozenset(
    {
        *(f"join.{page}" for page in ("scan", "code_form", "tv_code_form", "help_page", "sit", "show_code")),
        *(f"join.{page}" for page in ("tv_instructions", "choose_address", "new_code")),
        *(f"join_requests.{page}" for page in ("waiting", "answer", "enter", "let_in", "refuse")),
        *("wifi_code.page", "wifi_code.save", "seat.send_phone_away", "phone_backup.copy", "api.seat_token"),
        *(f"phones.{page}" for page in ("page", "transfer_code", "transfer_form", "transfer")),
        *("home.host_link", "home.redeem", "home.take_over", "lobby.tv", "lobby.tv_seats", "lobby.tv_stream"),
        *("tv.page", "tv.live", "tv.stream", "settings.hand_over", "settings.offer", "settings.take_table"),
        *(f"backups.{page}" for page in ("page", "make", "look", "download", "ask", "bring_all_back")),
        *("backups.bring_one_back", "presets.shared_preset", "webhooks.page", "webhooks.add", "webhooks.remove"),
    }
)
"""Pages that need another phone, a network or a folder of copies: an app that runs in one browser has none of them."""

MAY: dict[str, frozenset[str | None]] = {
    # No night in the address. Here `host` is the browser that opened the terminal's link.
    "static": ANYONE,
    "app_icons.favicon": ANYONE,
    "app_icons.touch_icon": ANYONE,
    "app_icons.manifest": ANYONE,
    "home.index": ANYONE,
    "home.host_link": ANYONE,
    "home.redeem": ANYONE,
    "home.take_over": OPENS_NIGHTS,
    "new_night.games": OPENS_NIGHTS,
    "new_night.set_up": OPENS_NIGHTS,
    "new_night.open_night": OPENS_NIGHTS,
    "rehearsal.begin": HOST,
    "rehearsal.end": HOST,
    "night_options.page": OPENS_NIGHTS,
    "night_options.rename": OPENS_NIGHTS,
    "night_options.put_away": OPENS_NIGHTS,
    "night_options.list_put_away": OPENS_NIGHTS,
    "night_options.play_again": OPENS_NIGHTS,
    # Who played over all nights: the names of everybody who was ever here, so they are the host's alone
    "people.index": HOST,
    "people.names": HOST,
    "people.add": HOST,
    "people.page": HOST,
    **dict.fromkeys(
        (f"people.{change}" for change in ("rename", "set_colour", "hide", "merge", "split", "undo")), HOST
    ),
    **dict.fromkeys((f"kept.{page}" for page in ("page", "file", "forget_page", "forget")), HOST),
    **dict.fromkeys(("webhooks.page", "webhooks.add", "webhooks.remove"), HOST),
    "home.language": ANYONE,
    "home.trust": ANYONE,
    # A club: its link, and what whoever runs the house sees of its tables
    **dict.fromkeys(
        ("club.page", "club.link_page", "club.become_host", "club.ask", "club.answer", "club.enter"), ANYONE
    ),
    **dict.fromkeys(("club.moving_page", "club.move"), ANYONE),
    **dict.fromkeys(("house.page", "house.live", "house.renew_link", "house.let_in", "house.refuse"), HOST),
    **dict.fromkeys(("house.host_page", "house.dismiss", "house.rename", "house.make_link", "house.give"), HOST),
    "house.give_nights": HOST,
    # Groups, whose figures and payments are the house's
    **dict.fromkeys(("groups.page", "groups.rename", "groups.remove"), HOST),
    # Several nights settled together
    **dict.fromkeys(("settle_up.index", "settle_up.make", "settle_up.page", "settle_up.tick", "settle_up.close"), HOST),
    **dict.fromkeys(("settle_up.undo", "settle_up.delete", "settle_up.add_cost", "settle_up.remove_cost"), HOST),
    # Boards: whoever scans the code of one may read it; keeping and changing are the host's
    "presets.index": HOST,
    "presets.edit": HOST,
    "presets.redraw_form": HOST,
    "presets.preview": HOST,
    "presets.save": HOST,
    "presets.delete": HOST,
    "presets.restore": HOST,
    "presets.duplicate": HOST,
    "presets.rule_card_page": HOST,
    "presets.download_toml": HOST,
    "presets.share": HOST,
    "presets.import_form": HOST,
    "presets.import_preset": HOST,
    "presets.shared_preset": ANYONE,
    "join.scan": ANYONE,
    "join.code_form": ANYONE,
    "join.tv_code_form": ANYONE,
    "join.help_page": ANYONE,
    "join.sit": ANYONE,
    # Copies of all nights hold everything: they are the host's
    **dict.fromkeys(("backups.page", "backups.make", "backups.look", "backups.download", "backups.ask"), HOST),
    **dict.fromkeys(("backups.bring_all_back", "backups.bring_one_back"), HOST),
    # Waiting to be let in
    "join_requests.waiting": frozenset({"knock", "watcher", "seat", "host"}),
    "join_requests.answer": ANYONE,
    "join_requests.enter": frozenset({"knock", "watcher", "seat", "host"}),
    "join_requests.let_in": AT_TABLE,
    "join_requests.refuse": AT_TABLE,
    "join.show_code": ALLOWED_IN,
    "join.tv_instructions": ALLOWED_IN,
    "join.choose_address": HOST,
    "join.new_code": HOST,
    "wifi_code.page": AT_TABLE,
    "wifi_code.save": HOST,
    # The lobby
    "lobby.page": ALLOWED_IN,
    "lobby.seats": ALLOWED_IN,
    "lobby.stream": ALLOWED_IN,
    "lobby.tv": ALLOWED_IN,
    "lobby.tv_seats": ALLOWED_IN,
    "lobby.tv_stream": ALLOWED_IN,
    "lobby.add_person": HOST,
    "lobby.seat_same_people": HOST,
    "lobby.order": HOST,
    "lobby.save_order": HOST,
    "notices.go_on": HOST,
    "settings.sounds": ALLOWED_IN,
    "settings.settings": HOST,
    "settings.save_settings": HOST,
    "seat.page": AT_TABLE,
    "seat.rename": AT_TABLE,
    "seat.remove": HOST,
    "person_offers.confirm_all": HOST,
    "person_offers.choose": HOST,  # and nobody but the host of the machine, as the page checks itself
    "seat.send_phone_away": AT_TABLE,
    # Phones: who is in, and moving what a phone is to another one
    "phones.page": HOST,
    "phones.transfer_code": AT_TABLE,
    "phones.transfer_form": ANYONE,
    "phones.transfer": ANYONE,
    "settings.dealer": HOST,
    "settings.begin": HOST,
    "settings.hand_over": HOST,
    "settings.offer": HOST,
    "settings.take_table": frozenset({"seat"}),
    # The table
    "table.page": ALLOWED_IN,
    "table.live": ALLOWED_IN,
    "table.stream": ALLOWED_IN,
    "table.menu": AT_TABLE,
    "table.sheet": AT_TABLE,
    "table.record": AT_TABLE,
    "tv.page": ALLOWED_IN,
    "tv.live": ALLOWED_IN,
    "tv.stream": ALLOWED_IN,
    "rules.page": ALLOWED_IN,
    "rules.change": HOST,
    # Scripts
    "api.state": ALLOWED_IN,
    "api.record": AT_TABLE,
    "api.seat_token": HOST,
    "api.file": ALLOWED_IN,
    "api.stream": ALLOWED_IN,
    "api_nights.index": HOST,
    "api_nights.open_night": HOST,
    "api_nights.take": HOST,
    "api_people.index": HOST,
    "api_presets.index": HOST,
    "api_presets.whole": HOST,
    "openapi.document": ANYONE,
    # The log, counting, the end
    "log.log": ALLOWED_IN,
    "log.hand": ALLOWED_IN,
    "log.older_hands": ALLOWED_IN,
    "log.undo": AT_TABLE,
    "log.undo_preview": AT_TABLE,
    "log.amend_form": HOST,
    "log.amend": HOST,
    "count.page": ALLOWED_IN,
    "count.save": AT_TABLE,
    "count.record": HOST,
    "count.reset": HOST,
    "settlement.page": ALLOWED_IN,
    "settlement.print_page": ALLOWED_IN,
    "settlement.set_last_hand": HOST,
    "settlement.award_pool": HOST,
    "settlement.award_odd_chips": HOST,
    "settlement.book_faults": HOST,
    "settlement.finish": HOST,
    "settlement.set_worth": HOST,
    "settlement.payments": ALLOWED_IN,
    "settlement.set_payment": AT_TABLE,
    # The film of a night that is over
    "film.page": ALLOWED_IN,
    "film.player": ALLOWED_IN,
    "film.file": ALLOWED_IN,
    # Statistics over all nights
    **dict.fromkeys((f"statistics.{page}" for page in ("overview", "person", "pair", "recap", "recap_file")), HOST),
    # Nights as files
    "files.page": ALLOWED_IN,
    "files.night": ALLOWED_IN,
    "tables.hands_csv": ALLOWED_IN,
    "tables.log_csv": ALLOWED_IN,
    "tables.result_text_file": ALLOWED_IN,
    "files.bring": HOST,
    "elsewhere.take": HOST,
    "elsewhere.undo": HOST,
    "arrive.page": ANYONE,
    "arrive.send": ANYONE,
    "arrive.answer": HOST,
    "arrive.carry": HOST,
    "files.all_nights_table": HOST,
    "files.take": HOST,
    "phone_backup.copy": ALLOWED_IN,
    # The table PIN
    "pin.page": HOST,
    "pin.submit": HOST,
    "pin.remove": HOST,
}
"""endpoint -> the roles that may use it"""
