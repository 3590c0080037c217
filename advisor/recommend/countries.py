"""Groups of countries that a filter may name, as ISO 3166 codes."""

EU = frozenset(
    "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split()  # noqa: SIM905
)
EEA = EU | {"IS", "LI", "NO"}
LATAM = frozenset(
    "AR BO BR CL CO CR CU DO EC SV GT HN MX NI PA PY PE PR UY VE".split()  # noqa: SIM905
)
GROUPS = {"EU": EU, "EEA": EEA, "LATAM": LATAM}


def countries_in(names: tuple[str, ...]) -> frozenset[str]:
    """Return the country codes of a list of codes and groups."""
    found: set[str] = set()
    for name in names:
        found |= GROUPS.get(name.upper(), {name.upper()})
    return frozenset(found)
