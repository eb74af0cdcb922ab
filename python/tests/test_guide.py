"""The code of the guide and of the README runs as it stands."""

import re

import numpy as np
import pytest
import visviva
from conftest import ROOT


def blocks_of(path):
    """The Python blocks of a page, in order."""
    return re.findall(r"^ *```python\n(.*?)^ *```", path.read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize("page", ["README.md", "docs/guide/python.md"])
def test_code_of_a_page_runs(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    rng = np.random.default_rng(1)
    known = {"visviva": visviva, "table": rng.normal(size=(2, 64)), "lengths": rng.uniform(0.5, 1, 64),
             "y": np.array([0.3, 0.1])}
    blocks = blocks_of(ROOT / page)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), known)
