"""Tests of the domain models."""
