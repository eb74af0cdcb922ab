"""The code in the guides and in the README is code that examples and tests run."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ.get("VISVIVA_SOURCE_DIR", pathlib.Path(__file__).parent.parent))


class Guide(unittest.TestCase):
    def assert_blocks_in(self, guide, language, source, least):
        """Every block of that language in the guide stands in the source."""
        text = (ROOT / source).read_text(encoding="utf-8")
        blocks = re.findall(rf"```{language}\n(.*?)```", (ROOT / guide).read_text(encoding="utf-8"), flags=re.DOTALL)
        self.assertGreaterEqual(len(blocks), least)
        for block in blocks:
            self.assertIn(block, text)

    def test_the_machine_code_of_the_guide_is_the_examples(self):
        self.assert_blocks_in("docs/guide/machine_code.md", "cpp", "examples/machine_code.cpp", 6)

    def test_the_program_of_the_readme_and_of_the_guide_to_reports_is_an_example(self):
        self.assert_blocks_in("README.md", "cpp", "examples/hoist_pendulum.cpp", 1)
        self.assert_blocks_in("docs/guide/report.md", "cpp", "examples/hoist_pendulum.cpp", 1)

    def test_the_project_of_the_readme_is_the_one_that_is_built_in_the_tests(self):
        self.assert_blocks_in("README.md", "cmake", "tests/consumer/CMakeLists.txt", 1)


if __name__ == "__main__":
    unittest.main()
