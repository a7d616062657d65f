"""Certificates for tests, from an authority that exists for one test only."""

import ssl
from dataclasses import dataclass
from pathlib import Path

import trustme


@dataclass(frozen=True)
class Issued:
    """A certificate and its key as files, and what a phone that trusts its authority connects with."""

    cert: Path
    key: Path
    trusting: ssl.SSLContext


def issued(folder: Path, *names: str) -> Issued:
    """Return a certificate for these addresses and names."""
    authority = trustme.CA()
    made = authority.issue_cert(*names)
    cert, key = folder / "table.pem", folder / "table.key"
    for number, part in enumerate(made.cert_chain_pems):
        part.write_to_path(cert, append=number > 0)
    made.private_key_pem.write_to_path(key)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    return Issued(cert, key, trusting)
