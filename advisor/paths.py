"""Where the data and the language catalogues lie: beside the package in a checkout, inside it when installed."""

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "_resources"


def resource_folder(name: str) -> Path:
    """Return the folder `data` or `locales`."""
    checkout = _PACKAGE.parent / name
    return checkout if checkout.is_dir() else _INSTALLED / name


def data_folder() -> Path:
    """Return the folder of the tables; `ADVISOR_DATA_DIR` names another one."""
    return (
        Path(os.environ["ADVISOR_DATA_DIR"]) if "ADVISOR_DATA_DIR" in os.environ else resource_folder("data")
    )


def locales_folder() -> Path:
    """Return the folder of the gettext catalogues."""
    return resource_folder("locales")
