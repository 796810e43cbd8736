"""The window: one Tk application of pages (launcher, table, settings) in the platform's own style."""
