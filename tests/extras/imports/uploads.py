"""Night files sent as the import page's form sends them."""

from io import BytesIO

from support.client_phones import ClientPhone
from werkzeug.test import TestResponse


def upload_night(
    phone: ClientPhone, content: bytes | str, name: str = "friday-at-ruths.json", key: str = ""
) -> TestResponse:
    """Send a file as the import page's form would."""
    raw = content.encode() if isinstance(content, str) else content
    headers = {"Host": phone.host, "Origin": f"http://{phone.host}"}
    return phone.client.post("/import", data={"key": key, "night": (BytesIO(raw), name)}, headers=headers)
