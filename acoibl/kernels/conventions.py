"""What all kernels agree on: which distances are equal, and marks in place of codes and rows."""

EQUAL = 1e-9
"""Two squared distances, or two totals of votes, are equal if they differ by no more than this
share of the smaller one.

The order in which a sum is formed, which differs between kernels, can then not break a tie. The
sums have no negative terms: the error of each is a share of itself, and that of equal rows is 0.
"""

BEYOND = 1.0 + EQUAL
"""Times a squared distance: the largest that counts as equal to it."""

MISSING_CODE, UNSEEN_CODE = -1, -2
"""In place of a category: the value is missing; the training rows have no such category."""

OPEN, NOBODY = -1, -2
"""In place of a class: to be measured in full; no row votes."""

NO_ROW, NOT_LISTED = -1, -2
"""In place of a row: there is none; a list that was cut short does not tell."""

UNKNOWN = -1
"""In place of a number of errors: not counted yet."""

ALL_SEEN = -1
"""In place of a part of the data that a query must not see: it may see every training row."""
