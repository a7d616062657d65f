"""Follow a night and print its score after every change: python scoreboard.py http://127.0.0.1:8000 CODE TOKEN."""

import json
import sys
import time
import urllib.error
import urllib.request


def messages(server, code, token):
    """Yield the fields of each message of a night's stream; come back whenever the connection is lost."""
    fields, last = {}, {}
    while True:
        headers = {"Authorization": f"Bearer {token}", **last}
        try:
            stream = urllib.request.Request(f"{server}/api/nights/{code}/stream", headers=headers)
            for line in urllib.request.urlopen(stream, timeout=30):
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                elif fields:  # an empty line ends the message
                    yield fields
                    last, fields = {"Last-Event-ID": fields.get("id", last.get("Last-Event-ID", "0"))}, {}
        except urllib.error.HTTPError as refusal:
            if refusal.code != 503:  # 503: no room just now
                sys.exit(json.load(refusal)["sentence"])
        except OSError:
            time.sleep(1)


if len(sys.argv) != 4:
    sys.exit(__doc__)
for message in messages(*sys.argv[1:]):
    if message["event"] == "state":
        state = json.loads(message["data"])
        print(f"{state['name']}, hand {state['hand']}: {state['prompt']['name']}", flush=True)
        for seat in sorted(state["net"], key=state["net"].get, reverse=True):
            print(f"  {state['names'][seat]:20} {state['net'][seat]:+5}", flush=True)
    if message["event"] == "closed" or (message["event"] == "state" and state["phase"] == "ended"):
        break
