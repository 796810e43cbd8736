"""The proofs of what Qipan promises: the tests' own code with full numbers. Each module plans some of them in steps."""
