"""The words of an ARFF line: quotes, comments, and what separates values."""

import re
from pathlib import Path

from acoibl.datasets.errors import DataFileError

_QUOTED = r"""'(?P<single>(?:\\.|[^'\\])*)'|"(?P<double>(?:\\.|[^"\\])*)\""""
_BY_COMMA = re.compile(rf"\s*(?:{_QUOTED}|(?P<bare>[^,]*?))\s*(?P<end>,|$)")
_BY_TAB = re.compile(rf" *(?:{_QUOTED}|(?P<bare>[^\t]*?)) *(?P<end>\t|$)")
_BY_BLANK = re.compile(rf"\s*(?:{_QUOTED}|(?P<bare>\S*))(?P<end>\s+|$)")
_BY_INDEX = re.compile(rf"\s*(?P<index>\d+)\s+(?:{_QUOTED}|(?P<bare>[^,'\"][^,]*?))\s*(?:,|$)")
# A quote opens where a value may begin; elsewhere it is an apostrophe.
_PIECE = re.compile(r"""(?<![^\s,{])(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|.""", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def without_comment(text: str) -> str:
    """Line without the comment at its end: a ``%`` outside quotes, after a blank or in front.

    Parameters
    ----------
    text : str
        The line.

    Returns
    -------
    str
        Without blanks around it.

    Examples
    --------
    >>> without_comment("@attribute a {'x % y', 5%} % five % or x"), without_comment(" % all")
    ("@attribute a {'x % y', 5%}", '')
    """
    if "%" in text:
        for match in _PIECE.finditer(text):
            if match[0] == "%" and (match.start() == 0 or text[match.start() - 1].isspace()):
                return text[: match.start()].strip()
    return text.strip()


def closing_brace(text: str) -> int:
    """Place of the first closing brace outside quotes; -1 where there is none.

    Parameters
    ----------
    text : str
        Begins with the opening brace.

    Returns
    -------
    int
        Its index.

    Examples
    --------
    >>> closing_brace("{a,'}'} % {b}"), closing_brace("{a")
    (6, -1)
    """
    return next((m.start() for m in _PIECE.finditer(text) if m[0] == "}"), -1)


def split_values(text: str, path: str | Path, line: int) -> list[tuple[str, bool]]:
    """Values of one row or value list.

    Commas separate them; where there is none, tabs; where there is none either, blanks.

    Parameters
    ----------
    text : str
        The row, without comment.
    path : str or pathlib.Path
        File, for the error message.
    line : int
        Line, for the error message.

    Returns
    -------
    list of (str, bool)
        Each value, and whether it was quoted.

    Raises
    ------
    DataFileError
        If a quote is not closed, or text follows it.

    Examples
    --------
    >>> split_values("1, 'a, b' ,?", "f", 1)
    [('1', False), ('a, b', True), ('?', False)]
    """
    if "'" not in text and '"' not in text:  # the common case
        separator = "," if "," in text else "\t" if "\t" in text else None
        return [(cell.strip(), False) for cell in text.split(separator)] or [("", False)]
    bare = "".join(m[0] for m in _PIECE.finditer(text) if len(m[0]) == 1)
    token = _BY_COMMA if "," in bare else _BY_TAB if "\t" in bare else _BY_BLANK
    out, position = [], 0
    while True:
        match = token.match(text, position)
        if match is None or (match["bare"] or "")[:1] in ("'", '"'):
            raise DataFileError(
                path, f"a quote is not closed, or text follows it: {text[position:][:40]!r}", line
            )
        quoted = match["single"] if match["single"] is not None else match["double"]
        out.append((match["bare"], False) if quoted is None else (unescape(quoted), True))
        position = match.end()
        if position >= len(text) and not match["end"]:
            return out


def sparse_values(text: str, path: str | Path, line: int) -> list[tuple[int, str, bool]]:
    """Values of a sparse row, ``{index value, index value, ...}``.

    Parameters
    ----------
    text : str
        The row, without comment; begins with the opening brace.
    path : str or pathlib.Path
        File, for the error message.
    line : int
        Line, for the error message.

    Returns
    -------
    list of (int, str, bool)
        Index of the column, from 0, the value, and whether it was quoted.

    Raises
    ------
    DataFileError
        If the row is not of this form.

    Examples
    --------
    >>> sparse_values("{0 1.5, 3 'a, b'}", "f", 1)
    [(0, '1.5', False), (3, 'a, b', True)]
    """
    end = closing_brace(text)
    if end < 0:
        raise DataFileError(path, "this sparse row has no closing brace", line)
    if text[end + 1 :].strip():
        problem = f"{text[end + 1 :].strip()[:40]!r} follows the sparse row"
        raise DataFileError(path, f"{problem}; weights of rows are not read", line)
    body, out, position = text[1:end].strip(), [], 0
    while position < len(body):
        match = _BY_INDEX.match(body, position)
        if match is None:
            raise DataFileError(
                path,
                f"cannot read {body[position:][:40]!r} in a sparse row: an index, a blank and a "
                "value are expected, with commas between",
                line,
            )
        quoted = match["single"] if match["single"] is not None else match["double"]
        value = match["bare"] if quoted is None else unescape(quoted)
        out.append((int(match["index"]), value, quoted is not None))
        position = match.end()
    return out


def unescape(text: str) -> str:
    r"""Text of a quoted value: the character after a backslash, or what it stands for.

    Parameters
    ----------
    text : str
        What stands between the quotes.

    Returns
    -------
    str
        The text meant.

    Examples
    --------
    >>> unescape(r"it\'s")
    "it's"
    """
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text)
