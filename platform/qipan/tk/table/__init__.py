"""The table: board, people and record of one game, and what is done there."""
