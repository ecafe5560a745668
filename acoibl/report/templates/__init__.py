"""The pages of a report, as jinja2 templates."""

from typing import Any


def render_page(template: str, **values: Any) -> str:
    """Fill in a template of this folder; everything that is text is escaped.

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
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values) + "\n"
