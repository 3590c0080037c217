"""What renting costs: spot against on demand, and the parts of a bill."""
