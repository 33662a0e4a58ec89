"""The face for assistants: operations as tools of the Model Context Protocol."""
