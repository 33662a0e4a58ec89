"""Commands that read files and write them: imports, exports, reports, batches."""
