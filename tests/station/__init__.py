"""Tests of the packing station."""
