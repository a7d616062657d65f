"""The table's page: board, seats, dock, moves and sheets, and the same on a TV."""
