"""Tools for those who keep the catalogue and the languages; no part of the running product."""
