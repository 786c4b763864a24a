"""Conservation laws in one coordinate: entropy solutions with their shocks."""
