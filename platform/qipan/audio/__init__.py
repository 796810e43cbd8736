"""Cues of a game, played by a process of their own so that the table never waits for a speaker."""
