"""Night files sent as the import page's form sends them."""

from support.client_phones import ClientPhone
from werkzeug.test import TestResponse


def upload_night(
    phone: ClientPhone, content: bytes | str, name: str = "friday-at-ruths.json", key: str = ""
) -> TestResponse:
    """Send a file as the import page's form would."""
    raw = content.encode() if isinstance(content, str) else content
    head = f'--x\r\nContent-Disposition: form-data; name="key"\r\n\r\n{key}\r\n'.encode()
    head += f'--x\r\nContent-Disposition: form-data; name="night"; filename="{name}"\r\n\r\n'.encode()
    headers = {"Host": phone.host, "Origin": f"http://{phone.host}", "Content-Type": "multipart/form-data; boundary=x"}
    return phone.client.post("/import", data=head + raw + b"\r\n--x--\r\n", headers=headers)
