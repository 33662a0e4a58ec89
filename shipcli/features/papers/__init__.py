"""Labels, invoices, documents from templates, files for carriers."""
