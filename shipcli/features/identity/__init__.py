"""Who may ask: users, API keys, tokens, programs of others."""
