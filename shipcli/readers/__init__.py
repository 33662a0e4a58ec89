"""Spreadsheet rows to request bodies, with errors that name row and column. Nothing here stores or requests
anything.
"""
