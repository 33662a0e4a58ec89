"""Tests of what shipcli offers to the tests of others."""
