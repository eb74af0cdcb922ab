"""What is installed works by itself: the program, its documents, and the library in somebody else's project."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(os.environ["VISVIVA_PROGRAM"])
ROOT = pathlib.Path(os.environ["VISVIVA_SOURCE_DIR"])
BUILD = PROGRAM.parent


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        for component in ("program", "documents", "development"):
            run("cmake", "--install", BUILD, "--component", component, "--prefix", cls.prefix)

    def test_the_program_is_stripped_and_runs(self):
        program = self.prefix / "bin/visviva"
        self.assertEqual(run(program, "--version"), run(PROGRAM, "--version"))
        self.assertNotIn(".debug_info", run("readelf", "--sections", "--wide", program))

    def test_manual_page_completions_and_examples_are_there(self):
        share = self.prefix / "share"
        for file in ("man/man1/visviva.1", "bash-completion/completions/visviva", "zsh/vendor-completions/_visviva",
                     "fish/vendor_completions.d/visviva.fish", "doc/visviva/examples/hoist.viva", "doc/visviva/copyright"):
            self.assertGreater((share / file).stat().st_size, 0, file)

    def test_only_public_headers_and_what_they_include_are_there(self):
        headers = {file.relative_to(self.prefix / "include").as_posix() for file in self.prefix.glob("include/**/*.h")}
        self.assertIn("visviva/visviva.h", headers)
        self.assertNotIn("visviva/report/page/page_frame.h", headers)
        self.assertFalse([name for name in headers if name.startswith("visviva/app") or name.endswith("_test.h")])

    def test_no_installed_file_names_this_machine(self):
        for file in [*self.prefix.glob("lib*/**/*.cmake"), *self.prefix.glob("share/**/*.1")]:
            self.assertNotIn(str(ROOT), file.read_text(encoding="utf-8"), file)

    def test_a_project_finds_it_builds_with_it_and_runs(self):
        build = self.folder / "consumer"
        run("cmake", "-S", ROOT / "tests/consumer", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        self.assertRegex(run(build / "consumer", ROOT / "examples/hoist.viva"), r"\Atheta -?\d")


if __name__ == "__main__":
    unittest.main()
