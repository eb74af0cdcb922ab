"""The notebooks of the course run from top to bottom."""

import os
import pathlib
import sys

import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebook(path, monkeypatch):
    # The kernel is this Python, whatever else is installed under that name.
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(p for p in sys.path if p))
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3",
                            resources={"metadata": {"path": str(pathlib.Path(path).parent)}}).execute()
    kept = os.environ.get("VISVIVA_NOTEBOOKS")
    if kept:
        nbformat.write(notebook, pathlib.Path(kept) / path.name)
