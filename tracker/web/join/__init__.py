"""Coming to the table: QR and typed codes, join requests, the lobby, seats, phones, the Wi-Fi code."""
