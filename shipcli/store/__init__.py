"""The store: one place for all documents, files and rows. `shipcli.store.store` has the class `Store`."""
