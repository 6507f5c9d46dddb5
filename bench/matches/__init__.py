"""Engine matches: settings, schedule, refereed games, stored results, standings, report."""
