"""Where secrets sleep: a master key in the keyring or a sealed file, everything else sealed with it."""
