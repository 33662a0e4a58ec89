"""Tests of scales."""
