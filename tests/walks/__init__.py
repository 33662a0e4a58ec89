"""How far a wish travels: the functions, files and SQL statements that four common ones pass."""
