"""How drawn pages become PDF, PNG and ZPL, and what is read of label files in these formats."""
