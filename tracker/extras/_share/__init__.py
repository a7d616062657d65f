"""Links by which a text is sent."""

from urllib.parse import quote

from tracker.web.wording.texts import gettext as _


def share_links(title: str, text: str) -> list[tuple[str, str]]:
    """Return (address, label) of the apps that a phone can hand the text to, without any server."""
    body = quote(text)
    return [
        (f"sms:?&body={body}", _("Message")),
        (f"mailto:?subject={quote(title)}&body={body}", _("Mail")),
        (f"whatsapp://send?text={body}", _("WhatsApp")),
    ]
