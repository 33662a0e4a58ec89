"""The screen of the packing station: it shows what the station says, and passes on what is entered."""
