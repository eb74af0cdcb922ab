"""docs/guide/tutorial.md, followed step by step: its models are written, its commands run, and what it shows is what they print."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ.get("VISVIVA_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(ROOT / "src/visviva/app/cli"))

from program import Folder, visviva  # noqa: E402

# A block of a kind, or a command of ours.
STEP = re.compile(r"^```(\w*)\n(.*?)^```$|^    visviva ([^\n]*)$", re.MULTILINE | re.DOTALL)
NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
# Exit status where it is not 0: three mistakes, and a promise that cannot be kept.
STATUS = {"check": [1, 0], "simulate": [0, 3, 0, 0]}


class Tutorial(Folder):
    def assert_shown(self, shown, printed, command):
        """Every piece between dots is printed. Runs may differ elsewhere in counts and rounding: there ten digits are compared."""
        for piece in shown.split("...\n"):
            if not command.startswith("simulate"):
                self.assertIn(piece, printed, command)
                continue
            pattern = re.escape(re.sub(NUMBER, "#", piece)).replace(r"\#", f"({NUMBER})")
            found = re.search(re.sub(r"(?:\\?\s)+", r"\\s+", pattern), printed)
            self.assertIsNotNone(found, f"{command}\n{piece}\n{printed}")
            for expected, number in zip(re.findall(NUMBER, piece), found.groups(), strict=True):
                if len(expected) > 9:
                    self.assertAlmostEqual(float(number), float(expected), delta=1e-7 * max(1, abs(float(expected))))

    def run_command(self, command, seen):
        words = shlex.split(command)
        expected = STATUS.get(words[0], [])
        count = sum(before.split()[0] == words[0] for before in seen)
        result = visviva(*words, cwd=self.folder)
        self.assertEqual(result.returncode, expected[count] if count < len(expected) else 0, f"{command}\n{result.stdout}{result.stderr}")
        return result.stdout + result.stderr

    def test_every_step_is_real(self):
        guide = (ROOT / "docs/guide/tutorial.md").read_text(encoding="utf-8")
        seen, printed, shown, models = [], "", 0, 0
        for kind, block, command in STEP.findall(guide):
            if command:
                printed = self.run_command(command, seen)
                seen.append(command)
            elif kind == "viva":
                self.write(block, re.match(r"model (\w+)", block)[1] + ".viva")
                models += 1
            elif kind == "csv":
                self.write(block, re.match(r"# (\S+)", block)[1])
            elif kind == "python":
                script = subprocess.run([sys.executable, "-c", block], cwd=self.folder, capture_output=True, text=True, check=False)
                self.assertEqual(script.returncode, 0, script.stderr)
                printed = script.stdout
            else:
                self.assert_shown(block, printed, seen[-1])
                shown += 1
        self.assertEqual((models, len(seen)), (5, 20))
        self.assertGreater(shown, 12)
        self.assertIn("<html", (self.folder / "crane.html").read_text(encoding="utf-8"))
        first = (self.folder / "lift/trajectory.csv").read_text(encoding="utf-8").splitlines()[1:3]
        start = dict(zip(first[0].split(","), map(float, first[1].split(","))))
        self.assertAlmostEqual(start["power(l)"], 500 * 9.81 * 0.3, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
