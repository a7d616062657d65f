"""Which roles may use which page. A page that is not in this table is open to nobody."""

from collections.abc import Iterable

from tracker.web.access.devices import ASSISTANT, CLUB_HOST, SCREEN

ANYONE = frozenset({None, "knock", "watcher", "seat", "host", CLUB_HOST, ASSISTANT, SCREEN})
HAS_ASKED = frozenset({"knock", "watcher", "seat", "host"})
ALLOWED_IN = frozenset({"watcher", "seat", "host"})
AT_TABLE = frozenset({"seat", "host"})
SEAT = frozenset({"seat"})
HOST = frozenset({"host"})
OPENS_NIGHTS = frozenset({"host", CLUB_HOST})
"""Outside of all nights: whoever runs the house, and the hosts of its club."""

SEES_HOUSE = frozenset({"host", ASSISTANT})
"""Who sees the tables of a club and lets people in."""

SEES_LADDER = OPENS_NIGHTS | SEES_HOUSE
"""Who sees the ladder over all tables of a club."""

CLUB_PAGES = ("club.", "house.")
"""How the names of pages begin that are there with a club only."""

OF_THE_HOUSE = frozenset({"join.choose_address", "wifi_code.save"})
"""Pages of a night that change something for all nights: in a club they belong to whoever runs the house."""

OF_ALL_TABLES = frozenset({"night_options.erase_page", "night_options.erase"})
"""Pages about one night that whoever runs the house has for the nights of all hosts."""


def endpoints(feature: str, pages: str) -> Iterable[str]:
    """Return the endpoints of some pages of a blueprint; `pages` are their functions, separated by spaces."""
    return (f"{feature}.{page}" for page in pages.split())


MAY: dict[str, frozenset[str | None]] = {
    endpoint: roles
    for roles, feature, pages in (
        # No night in the address. Here `host` is the browser that opened the terminal's link.
        (ANYONE, "app_icons", "favicon touch_icon manifest"),
        (ANYONE, "home", "index host_link redeem language trust"),
        (OPENS_NIGHTS, "home", "take_over"),
        (HOST, "home", "save_responsible"),
        (OPENS_NIGHTS, "new_night", "games set_up open_night"),
        (OPENS_NIGHTS, "night_options", "page rows rename put_away list_put_away play_again"),
        (HOST, "night_options", "play_on erase_page erase"),
        (HOST, "rehearsal", "begin end"),
        (HOST, "webhooks", "page add remove"),
        # Who played over all nights: the names of everybody who was ever here, so they are the host's alone
        (HOST, "people", "index names add page rename set_colour hide merge split undo"),
        (HOST, "kept", "page file search file_of_seats forget_page forget"),
        (HOST, "statistics", "overview person pair recap recap_file"),
        # A club: its link, and what whoever runs the house sees of its tables
        (ANYONE, "club", "page link_page become_host ask answer enter moving_page move"),
        (ANYONE, "club", "room_table assistant_page become_assistant"),
        (SEES_HOUSE, "house", "page live let_in refuse"),
        (SEES_HOUSE | {SCREEN}, "house", "screen screen_live"),
        (HOST, "house", "renew_link host_page dismiss take_back rename make_link give give_nights"),
        (HOST, "house", "make_assistant_link withdraw_assistants end_screens"),
        (HOST, "house", "set_room_tables codes announce start_series draw_seats"),
        (SEES_LADDER, "statistics", "ladder"),
        # Groups, whose figures and payments are the house's
        (HOST, "groups", "page rename remove"),
        # Several nights settled together
        (HOST, "settle_up", "index make page tick close undo delete add_cost remove_cost"),
        # Boards: whoever scans the code of one may read it; keeping and changing are the host's
        (HOST, "presets", "index edit redraw_form preview save delete restore duplicate rule_card_page"),
        (HOST, "presets", "download_toml share import_form import_preset"),
        (ANYONE, "presets", "shared_preset"),
        # Copies of all nights hold everything: they are the host's
        (HOST, "backups", "page make new_codes look download ask bring_all_back bring_one_back"),
        # Joining, and waiting to be let in
        (ANYONE, "join", "scan code_form tv_code_form help_page sit"),
        (ALLOWED_IN, "join", "show_code tv_instructions"),
        (HOST, "join", "choose_address new_code"),
        (ANYONE, "join_requests", "answer"),
        (HAS_ASKED, "join_requests", "waiting enter"),
        (AT_TABLE, "join_requests", "let_in refuse"),
        (AT_TABLE, "wifi_code", "page"),
        (HOST, "wifi_code", "save"),
        # The lobby
        (ALLOWED_IN, "lobby", "page seats stream tv tv_seats tv_stream"),
        (HOST, "lobby", "add_person seat_same_people order save_order"),
        (AT_TABLE, "seat", "page rename send_phone_away"),
        (HOST, "seat", "remove"),
        (HOST, "seat", "confirm_all choose"),  # and nobody but the host of the machine, as the pages check
        # Running the night; phones: who is in, and moving what a phone is to another one
        (ALLOWED_IN, "settings", "sounds"),
        (HOST, "settings", "settings save_settings dealer begin hand_over offer"),
        (SEAT, "settings", "take_table"),
        (HOST, "notices", "go_on hide_announcement"),
        (HOST, "pin", "page submit remove"),
        (HOST, "phones", "page"),
        (AT_TABLE, "phones", "transfer_code"),
        (ANYONE, "phones", "transfer_form transfer"),
        # The table
        (ALLOWED_IN, "table", "page live stream"),
        (AT_TABLE, "table", "sheet record"),
        (ALLOWED_IN, "tv", "page live stream"),
        (ALLOWED_IN, "rules", "page"),
        (HOST, "rules", "change"),
        # Scripts
        (ALLOWED_IN, "api", "state file stream"),
        (AT_TABLE, "api", "record"),
        (HOST, "api", "seat_token"),
        (HOST, "api_nights", "index open_night take"),
        (HOST, "api_people", "index"),
        (HOST, "api_presets", "index whole"),
        (ANYONE, "openapi", "document"),
        # The log, counting, the end
        (ALLOWED_IN, "log", "log hand older_hands"),
        (AT_TABLE, "log", "undo undo_preview"),
        (HOST, "log", "amend_form amend undo_brought"),
        (ALLOWED_IN, "count", "page"),
        (AT_TABLE, "count", "save"),
        (HOST, "count", "record reset"),
        (ALLOWED_IN, "settlement", "page print_page payments"),
        (AT_TABLE, "settlement", "set_payment"),
        (HOST, "settlement", "set_last_hand award_pool award_odd_chips book_faults finish set_worth"),
        (ALLOWED_IN, "film", "page player file"),
        # Nights as files, and from hand to hand
        (ALLOWED_IN, "files", "page night"),
        (ALLOWED_IN, "tables", "hands_csv log_csv result_text_file"),
        (HOST, "files", "bring take take_elsewhere undo_elsewhere all_nights_table"),
        (ANYONE, "arrive", "page send"),
        (HOST, "arrive", "answer carry"),
        (ALLOWED_IN, "arrive", "phone_copy"),
    )
    for endpoint in endpoints(feature, pages)
} | {"static": ANYONE}
"""endpoint -> the roles that may use it"""

FEATURES_WITH_OTHERS = ("join", "join_requests", "wifi_code", "phones", "tv", "backups", "webhooks")
NEEDS_OTHERS = frozenset(
    {
        *(endpoint for endpoint in MAY if endpoint.partition(".")[0] in FEATURES_WITH_OTHERS),
        *endpoints("home", "host_link redeem take_over"),
        *endpoints("lobby", "tv tv_seats tv_stream"),
        *endpoints("settings", "hand_over offer take_table"),
        *(
            "notices.hide_announcement",
            "seat.send_phone_away",
            "arrive.phone_copy",
            "api.seat_token",
            "presets.shared_preset",
        ),
    }
)
"""Pages that need another phone, a network or a folder of copies: an app that runs in one browser has none of them."""
