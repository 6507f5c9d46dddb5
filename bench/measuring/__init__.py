"""Measures engines: speed, node counts, latency, protocol conformance."""
