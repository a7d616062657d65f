"""What BG Stats, Splitwise and Spliit export."""

from typing import Any

PLAYS: dict[str, Any] = {
    "games": [{"id": 1, "uuid": "A", "name": "Hearts", "highestWins": False}, {"id": 7, "name": "Skat"}],
    "players": [{"id": 3, "name": "Ann"}, {"id": 4, "name": "Bob", "isAnonymous": False}],
    "plays": [
        {
            "playDate": "2026-01-05 20:30:00",
            "gameRefId": 1,
            "playerScores": [
                {"playerRefId": 3, "score": "12", "winner": True, "startPlayer": False},
                {"playerRefId": 4, "score": 26, "winner": False},
            ],
        },
        {
            "playDate": "2026-01-06 20:30:00",
            "gameRefId": 7,
            "playerScores": [{"playerRefId": 4, "score": "-3"}, {"playerRefId": 3, "score": "8"}],
        },
    ],
}
SPLITWISE = """Date,Description,Category,Cost,Currency,Ann,Bob,Cara

2026-01-05,Pizza,Dining out,30.00,EUR,20.00,-10.00,-10.00
2026-01-06,Taxi,Taxi,9.00,EUR,-3.00,6.00,-3.00

2026-02-01,Total balance, , ,EUR,17.00,-4.00,-13.00
"""
SPLIIT = """\ufeff"Date","Description","Category","Currency","Cost","Is Reimbursement","Split mode","Ann","Bob","Cara"
"2026-01-05","Pizza","Dining Out","€","30.00","No","Evenly",10,-10,-10
"2026-01-06","Taxi","Taxi","€","9.00","No","Evenly",-3,3,-3
"""
