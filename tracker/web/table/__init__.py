"""The table's page: board, seats, dock, moves and sheets."""
