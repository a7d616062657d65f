"""Statistics over all nights, for the host of the machine: of everybody, of one person, of two; and a year's recap."""
