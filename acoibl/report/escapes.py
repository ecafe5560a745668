"""Text from anywhere, made to be shown as it is in HTML, Markdown and LaTeX."""

import html
import re
from typing import Any

# Control characters but tab and line ends, marks that turn the direction of what follows, and
# halves of surrogate pairs, which no file can hold.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "[": r"{[}",  # else an argument of the \\ or \midrule before it
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def show_controls(text: Any) -> str:
    r"""Text with its invisible control characters written out.

    Parameters
    ----------
    text : object
        What to show; converted by `str`.

    Returns
    -------
    str
        The text; control characters (but tab and line ends), the marks that turn the direction
        of writing, and lone surrogates stand as their code, ``<U+202E>``.

    Examples
    --------
    >>> show_controls("a\0b")
    'a<U+0000>b'
    """
    return _UNSEEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", str(text))


def escape_html(text: Any) -> str:
    """Text that HTML shows as it is.

    Parameters
    ----------
    text : object
        What to show; converted by `str`.

    Returns
    -------
    str
        The text for an element or an attribute in quotes.

    Examples
    --------
    >>> escape_html("a < b")
    'a &lt; b'
    """
    return html.escape(show_controls(text))


def escape_markdown(text: Any, *, paragraph: bool = False) -> str:
    r"""Text that Markdown shows as it is, in one line.

    Parameters
    ----------
    text : object
        What to show; converted by `str`.
    paragraph : bool, default=False
        Whether the text begins a line, where a hyphen or a number would begin a list.

    Returns
    -------
    str
        The text with every character of meaning behind a backslash.

    Examples
    --------
    >>> print(escape_markdown("a|b *c*"))
    a\|b \*c\*
    >>> print(escape_markdown("- x", paragraph=True))
    \- x
    """
    escaped = _MARKDOWN.sub(r"\\\1", _one_line(text))
    if paragraph:
        escaped = re.sub(r"^(|\d+(?=[.)](?:\s|$)))([-+=.)])", r"\1\\\2", escaped)
    return escaped


def escape_latex(text: Any) -> str:
    r"""Text that LaTeX prints as it is, in one line.

    Parameters
    ----------
    text : object
        What to print; converted by `str`.

    Returns
    -------
    str
        The text with LaTeX's special characters escaped, and a star at its beginning, which
        ``\\`` would take for its own.

    Examples
    --------
    >>> print(escape_latex("50 % of x_1"))
    50 \% of x\_1
    >>> print(escape_latex("*[a]"))
    {*}{[}a]
    """
    escaped = "".join(_LATEX.get(character, character) for character in _one_line(text))
    return f"{{*}}{escaped[1:]}" if escaped.startswith("*") else escaped


def _one_line(text: Any) -> str:
    return show_controls(" ".join(str(text).split()))
