"""What tests of the program share: running it, a folder for models, and its expressions as Python's."""

import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("VISVIVA_SOURCE_DIR", pathlib.Path(__file__).parents[4]))
EXAMPLES = ROOT / "examples"
FUNCTIONS = {name: getattr(math, name) for name in (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "pi")} | {"abs": abs}


def visviva(*arguments, cwd=None):
    return subprocess.run([os.environ["VISVIVA_PROGRAM"], *map(str, arguments)],
                          capture_output=True, text=True, check=False, cwd=cwd)


def python_of(expression):
    """An expression of the model language as one of Python: a prime becomes _d."""
    named = re.sub(r"([^\W\d]\w*)('+)", lambda m: m[1] + "_d" * len(m[2]), expression)
    return named.replace("^", "**")


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="model.viva"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name
