"""A board as a short code that fits into a link or a QR code: everything is inside, nothing has to be looked up."""

import json
import re

from tracker.core.errors import PresetError
from tracker.core.preset import Preset
from tracker.formats.codec import preset_from, preset_to
from tracker.formats.packed_text import BASE32, code_in, pack, unpack
from tracker.formats.text import UnreadableError, json_value

VERSION = "1"
LONGEST_CODE = 8000
MOST_BYTES = 40_000

# Words that boards share, so that a code only has to spell what is new; the commonest stand last. It belongs to
# version 1: another dictionary would need another version.
_WORDS = (
    b'"dues":[{"id":"king-diamonds","name":"King of diamonds","chips":1}],"round_cards":[{"number":1,"goal":"","points"'
    b':1}],"about":"","source":"Published rules of","base":"michigan-kitty""base":"hearts-three-stages","game":"rum",'
    b'"rules":{"stakes.budget":4,"stakes.dealer_extra":,"stakes.cover_all":"on","ante.exempt":"last_winner","claim.tie"'
    b':"forehand","turn_up":"on","sweep":"on","out.count":"points","out.excuse":"holder","left_in_hand":"double_pot",'
    b'"barred_out":"normal","barred_out.applies":"both","poker.tie":"carry_all","bet.limit":5,"shortage":"iou",'
    b'"end":"last_hand_winner","end.rest":"last_hand_winner","money.chips":10,"money.cents":1,"money.coin":5,'
    b'"dummy":"exchange_only","dummy.after_no_bid":"dealer_may_exchange","auction.min":1,"auction.step":1,'
    b'"late_claim":"next_card_forfeits","claim":"held","dummy":"unused","poker.when":"before_betting",'
    b'"poker.when":"before_showdown","poker.when":"off","stop.fine":1,"out.per_card":2,"ante.each":1,"ante.dealer":2,'
    b'"penalties":"on","wrong_lead.each":1}}"chips":[{"name":"white","colour":"#F5E8CC","value":1},{"name":"red",'
    b'"colour":"#C23B30","value":5},{"name":"blue","colour":"#23497F","value":10},{"name":"gold","colour":"#E0A93E",'
    b'"value":25}],"fed_by":1,"ends_hand":true,"dealer_ante":2},"ante":0},"won_by":"side"},"takes_fines":true},'
    b'{"id":"eight-nine-ten","name":"Eight, nine, ten of one suit",'
    b'"label":"8\xc2\xb79\xc2\xb710","cards":["8","9","10"]},'
    b'{"id":"seven-eight-nine","name":"Seven, eight, nine of one suit",'
    b'"label":"7\xc2\xb78\xc2\xb79","cards":["7","8","9"]},'
    b'{"id":"king-queen-diamonds","name":"King and queen of diamonds","label":"KQ","cards":["KD","QD"]},'
    b'{"id":"ten-spades","name":"Ten of spades","label":"10","cards":["10S"]},'
    b'{"id":"jack-clubs","name":"Jack of clubs",'
    b'"label":"J","cards":["JC"]},{"id":"king-queen-hearts","name":"King and queen of hearts","label":"KQ",'
    b'"cards":["KH","QH"]},{"id":"ten-hearts","name":"Ten of hearts","label":"10","cards":["10H"]},{"id":"jack-hearts",'
    b'"name":"Jack of hearts","label":"J","cards":["JH"]},{"id":"queen-hearts","name":"Queen of hearts","label":"Q",'
    b'"cards":["QH"]},{"id":"king-hearts","name":"King of hearts","label":"K","cards":["KH"]},{"id":"ace-hearts",'
    b'"name":"Ace of hearts","label":"A","cards":["AH"]},{"id":"poker","name":"Poker pool","label":"Poker",'
    b'"won_by":"poker"},{"id":"pot","name":"Pot","label":"Pot","won_by":"poker"},{"id":"kitty","name":"Kitty",'
    b'"label":"Kitty","won_by":"out"},{"id":"jackpot","name":"Jackpot","label":"Jackpot","won_by":"out"}],'
    b'{"id":"our-board","name":"Our board","game":"pots","seats":{"min":3,"max":8},"base":"michigan-rummy","stack":100,'
    b'"pots":[{"id":"'
)


def to_code(preset: Preset) -> str:
    """Return a board as capital letters and digits, which a QR code packs best."""
    text = json.dumps(preset_to(preset), ensure_ascii=False, separators=(",", ":")).encode()
    return VERSION + pack(text, _WORDS)


def from_code(text: str) -> Preset:
    """Return the board of a code, or of a link that ends in one; PresetError says what is wrong, with all faults."""
    code = code_in(text, LONGEST_CODE)
    if len(text) > LONGEST_CODE:
        raise PresetError("this code is too long for a board")
    if not re.fullmatch(f"[0-9]{BASE32}", code, re.ASCII):
        raise PresetError("this is no code of a board: copy all of it, from the first sign to the last")
    if code[0] != VERSION:
        raise PresetError("this code comes from a newer tracker: update this one")
    return preset_from(_value(code[1:]), is_new=True)


def _value(code: str) -> object:
    try:
        return json_value(unpack(code, _WORDS, MOST_BYTES).decode())
    except (UnreadableError, ValueError):
        raise PresetError("this code is damaged or not whole: copy it again") from None
