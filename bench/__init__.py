"""Measuring: speed, peers, matches, statistics, openings, tuning."""
