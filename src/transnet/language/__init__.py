"""The formula language: text to SymPy and domains, and back, without running anything."""
