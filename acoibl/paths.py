"""Where the project's own files are, in a checkout or a wheel; which folders can be written."""

import tempfile
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shared_folder(name: str) -> Path:
    """Folder of files that travel with the package.

    Parameters
    ----------
    name : {"data", "notebooks"}
        Which folder.

    Returns
    -------
    pathlib.Path
        ``<checkout>/<name>`` when the package runs from a checkout (editable
        install), else the copy inside the wheel.

    Raises
    ------
    FileNotFoundError
        If neither exists, which means a broken installation.
    """
    checkout = _PACKAGE.parent / name
    if (_PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    installed = _PACKAGE / "_share" / name
    if installed.is_dir():
        return installed
    raise FileNotFoundError(
        f"the folder {name!r} of acoibl is neither at {checkout} nor at {installed}; "
        "reinstall the package"
    )


def check_writable(folder: Path) -> None:
    """Make a folder if need be, and prove that files can be written in it; else OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass
