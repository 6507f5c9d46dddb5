"""Speed, node counts, latency and protocol checks of one or several engines."""
