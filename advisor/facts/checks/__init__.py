"""The rules that `advisor.facts.check` holds the tables of `data/` to: cells, columns, tables together."""
