"""The tables that the paper prints, carried in ``data/published``."""

import pandas as pd

from acoibl.paths import shared_folder


def published(table: str) -> pd.DataFrame:
    """Load a published table by name.

    Parameters
    ----------
    table : str
        Name of the file in ``data/published`` without its ending: ``"table2_datasets"``
        (counts), ``"table3_knn"``, ``"table4_dnn"``, ``"table5_gke"`` or ``"table9_all"``
        (test accuracies in percent).

    Returns
    -------
    DataFrame of shape (36, n_columns)
        Indexed by the name of the dataset.

    Raises
    ------
    ValueError
        If there is no table of that name; the message lists the names.
    FileNotFoundError
        If the installation has lost its data folder.

    Notes
    -----
    The numbers of "Instance-based classification with Ant Colony Optimization" as printed;
    `average_ranks`, `wins`, `friedman`, `holm` and `wilcoxon` give the paper's own statistics
    from them.

    Examples
    --------
    >>> from acoibl.comparison import published
    >>> int(published("table2_datasets").loc["car", "instances"])
    1728
    >>> published("table4_dnn").columns.to_list()
    ['aco_dnn', 'ens_aco_dnn', 'dnn_d0.45']
    """
    files = {path.stem: path for path in (shared_folder("data") / "published").glob("*.csv")}
    if table not in files:
        raise ValueError(f"no published table {table!r}; there are {sorted(files)}")
    return pd.read_csv(files[table], index_col="dataset", thousands=",")
