"""One record for each kind of event: its sentences, who may record it, and how forms record and correct it.

A record is an `EventKind` (event_kind.py) in the module of its family: every_game, hand, stages, or with its game.
registry.py collects them and raises TypeError at import where the core's kinds and the records differ.

To add a kind of event:

1. core/events.py: its class. core/apply.py and a module of the core: its step.
2. A record here, in its family's tuple: `event` and `sentence` at least.
   `own` or `seats` says whose phones may record it, `buttons` how a form becomes it, `correction` what can be changed,
   `short` and `undone` the line under the table, `icon` or `token` what stands before it in the log,
   `reason` what a seat won or lost chips by in the settlement.
3. docs/night-file.md: a row with its fields; extras/api/openapi.json: the same as a schema.
   tests/support/event_phases.py: fields that fit, and when it may happen.
4. `python tests/support/translatable_texts.py`, then the translations.
5. A button with one of the record's verbs in a template, where people record it at the table.

Nothing here reads Flask's request or a setting: forms come in as mappings, the night as the core's state.
"""
