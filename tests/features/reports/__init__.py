"""Reports, each figure against what the carriers of the sandbox sold."""
