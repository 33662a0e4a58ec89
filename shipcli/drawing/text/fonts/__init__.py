"""The font files, with their licences and where they come from (README.txt)."""
