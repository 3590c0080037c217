"""Files to take away: the ranking as a table, as data, and as a report."""
