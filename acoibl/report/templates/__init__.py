"""The pages of a report, as jinja2 templates."""

from typing import Any

from acoibl.report.escapes import show_controls


def render_page(template: str, **values: Any) -> str:
    """Fill in a template of this folder; everything that is text is escaped.

    Control characters in it are written out, see `acoibl.report.escapes`.

    Parameters
    ----------
    template : str
        Name of a file in this folder.
    **values : object
        What the template shows.

    Returns
    -------
    str
        HTML.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("acoibl.report", "templates"),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values) + "\n"


def _finalize(value: Any) -> Any:
    return show_controls(value) if type(value) is str else value  # not what is HTML already
