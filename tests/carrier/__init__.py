"""Tests of the kit that carriers are written with."""
