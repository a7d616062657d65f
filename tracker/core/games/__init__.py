"""What each kind of event does in a pot game, in 8 Round Rummy and in the snake game. Imports the rest of `core`."""
