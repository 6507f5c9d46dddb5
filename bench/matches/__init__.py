"""Engine against engine: settings, schedule, games under a referee, results on disk, standings, report."""
