"""Spreadsheets (XLSX, ODS, XLS) read in a process apart, with limits."""
