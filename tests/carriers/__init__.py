"""Tests of the carriers: recorded exchanges, and what every carrier promises."""
