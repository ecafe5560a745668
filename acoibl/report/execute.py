"""Runs one notebook with papermill, in a kernel of this interpreter that can be interrupted."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from acoibl.report.notebooks import kernelspec

_ADDED = {"injected-parameters", "papermill-error-cell-tag"}  # cells that the source has not
_START = 600  # seconds that a kernel gets to start, on a machine that has other work
_PATIENCE = 20.0  # seconds that an interrupted kernel gets to stop by itself


@dataclass
class Outcome:
    """How a notebook ended.

    Parameters
    ----------
    notebook : NotebookNode
        With its outputs, as far as it came.
    seconds : float
        How long it took.
    error : str
        Empty if all went well; else the cell and the error.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    notebook: nbformat.NotebookNode
    seconds: float
    error: str = ""
    interrupted: bool = False


def execute(
    notebook: nbformat.NotebookNode, parameters: Mapping[str, Any], environment: Mapping[str, str]
) -> Outcome:
    """Run a notebook.

    Parameters
    ----------
    notebook : NotebookNode
        The notebook.
    parameters : dict
        Values for its parameters.
    environment : dict of str to str
        Variables for the kernel, beside those of this process.

    Returns
    -------
    Outcome
        Always: an error in a cell, a dead kernel and Ctrl-C are outcomes too.
    """
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="acoibl-") as scratch:
        given, written = Path(scratch) / "given.ipynb", Path(scratch) / "executed.ipynb"
        nbformat.write(notebook, given)
        job = _Job(given, written, dict(parameters), dict(environment))
        interrupted = job.run()
        executed = nbformat.read(written, as_version=4) if written.is_file() else notebook
    _clean(executed)
    error = "" if job.error is None else _describe(job.error, executed)
    if interrupted:
        error = "interrupted"
    return Outcome(executed, time.monotonic() - begun, error, interrupted)


class _Job:
    """Papermill in a thread of its own.

    In the main thread nbclient would catch Ctrl-C, shut the kernel down and go on as if the
    kernel had died. In a thread it cannot, so the interruption comes to us, and we pass it on to
    the kernel, which stops its workers and hands over what it has.
    """

    def __init__(self, given: Path, written: Path, parameters: dict, environment: dict):
        self.given, self.written = given, written
        self.parameters, self.environment = parameters, environment
        self.error: BaseException | None = None
        self._managers: list[Any] = []
        self._kernel: int | None = None
        self._done = threading.Event()
        self._deadline = threading.Timer(_PATIENCE, self._signal, [signal.SIGKILL])
        self._deadline.daemon = True

    def run(self) -> bool:
        thread = threading.Thread(target=self._work, name="papermill", daemon=True)
        thread.start()
        interrupted = False
        # Not join(): in Python 3.11 one that Ctrl-C interrupts takes the thread for dead.
        while not self._done.is_set():
            try:
                self._done.wait(0.1)
                self._remember_kernel()
            except KeyboardInterrupt:
                # Asked twice means no more patience.
                self._signal(signal.SIGKILL if interrupted else signal.SIGINT)
                if not interrupted:
                    self._deadline.start()
                interrupted = True
        self._deadline.cancel()
        self._end_group()
        return interrupted

    def _work(self) -> None:
        import papermill

        logging.getLogger("papermill").setLevel(logging.ERROR)
        logging.getLogger("traitlets").setLevel(logging.ERROR)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of papermill's own parts; the kernel has its own
                papermill.execute_notebook(
                    str(self.given),
                    str(self.written),
                    parameters=self.parameters,
                    kernel_name="python3",
                    progress_bar=False,
                    log_output=False,
                    start_timeout=_START,
                    kernel_manager_class=_manager_class(self.environment, self._managers),
                )
        except BaseException as error:
            self.error = error
        finally:
            _close_event_loop()
            self._done.set()

    def _remember_kernel(self) -> None:
        if self._kernel is None and self._managers:
            provisioner = getattr(self._managers[-1], "provisioner", None)
            self._kernel = getattr(getattr(provisioner, "process", None), "pid", None)

    def _signal(self, number: int) -> None:
        self._remember_kernel()
        if self._kernel is not None:
            with contextlib.suppress(OSError):
                os.kill(self._kernel, number)

    def _end_group(self) -> None:
        """End worker processes that outlived their kernel, the leader of their group."""
        if self._kernel is not None and hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._kernel, signal.SIGKILL)


def _close_event_loop() -> None:
    """Close the loop that Jupyter's client opened in this thread, and left open."""
    with contextlib.suppress(RuntimeError), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        loop = asyncio.get_event_loop()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _manager_class(environment: dict[str, str], managers: list[Any]) -> type:
    """Kernel manager that starts this interpreter, whatever kernels the machine has."""
    from jupyter_client import AsyncKernelManager
    from jupyter_client.kernelspec import KernelSpec

    spec = KernelSpec(
        argv=[
            sys.executable,
            "-m",
            "ipykernel_launcher",
            "-f",
            "{connection_file}",
            "--log-level=CRITICAL",
        ],
        env=environment,
        **{key: kernelspec()[key] for key in ("display_name", "language")},
    )

    class ReportKernelManager(AsyncKernelManager):
        def __init__(self, *args: Any, **kwargs: Any):
            super().__init__(*args, **kwargs)
            managers.append(self)

        @property
        def kernel_spec(self) -> KernelSpec:
            return spec

    return ReportKernelManager


def _clean(notebook: nbformat.NotebookNode) -> None:
    """Leave nothing of this machine in the notebook, and the kernel's usual name."""
    notebook.metadata["kernelspec"] = kernelspec()
    notebook.metadata.pop("papermill", None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)


def _describe(error: BaseException, notebook: nbformat.NotebookNode) -> str:
    """Name the cell as its source file counts it, and the error."""
    cells = [cell for cell in notebook.cells if not _ADDED & set(cell.metadata.get("tags", []))]
    code = [(number, cell) for number, cell in enumerate(cells, 1) if cell.cell_type == "code"]
    failed = [item for item in code if any(o.output_type == "error" for o in item[1].outputs)]
    started = [item for item in code if item[1].execution_count]
    name = getattr(error, "ename", type(error).__name__)  # papermill's has that of the cell's error
    text = f"{name}: {getattr(error, 'evalue', error)}".strip().splitlines()[0]
    where = failed or started
    if not where:
        return text
    number, cell = where[-1]
    return f"cell {number} ({_first_line(cell.source)}): {text}"


def _first_line(source: str) -> str:
    line = next((line.strip() for line in source.splitlines() if line.strip()), "")
    return line if len(line) <= 60 else f"{line[:57]}..."
