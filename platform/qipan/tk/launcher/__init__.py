"""The launcher: the rail, the gallery of games, and the panel of the chosen one."""
