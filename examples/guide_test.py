"""The code in docs/guide/machine_code.md is the code that examples/machine_code.cpp runs."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ.get("VISVIVA_SOURCE_DIR", pathlib.Path(__file__).parent.parent))


class Guide(unittest.TestCase):
    def test_every_block_is_in_the_example(self):
        guide = (ROOT / "docs/guide/machine_code.md").read_text(encoding="utf-8")
        example = (ROOT / "examples/machine_code.cpp").read_text(encoding="utf-8")
        blocks = re.findall(r"```cpp\n(.*?)```", guide, flags=re.DOTALL)
        self.assertGreater(len(blocks), 4)
        for block in blocks:
            self.assertIn(block, example)


if __name__ == "__main__":
    unittest.main()
