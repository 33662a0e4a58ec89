"""An honest client beside strangers who mean no good: a bounded run over a server of its own, on loopback."""
