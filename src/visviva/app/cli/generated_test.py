"""The manual page and the completions name what --help names: all come from one table."""

import re
import shutil
import subprocess
import unittest

from program import Folder, visviva


def options_of(command):
    """The long options that `visviva COMMAND --help` shows."""
    return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", visviva(command, "--help").stdout, re.MULTILINE))


def commands():
    text = visviva("--help").stdout.split("Subcommands:\n")[1]
    return re.findall(r"^  (\w+) ", text, re.MULTILINE)


class Manual(unittest.TestCase):
    def setUp(self):
        result = visviva("manual")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.page = result.stdout

    def test_every_command_has_its_options(self):
        sections = dict(re.findall(r"^\.SS \\fBvisviva (\w+)\\fR[^\n]*\n(.*?)(?=^\.S[SH])", self.page, re.MULTILINE | re.DOTALL))
        self.assertEqual(list(sections), commands())
        for command, text in sections.items():
            shown = {name.replace("\\-", "-") for name in re.findall(r"^\\fB(\\-\\-[^\s]*?)\\fR", text, re.MULTILINE)}
            self.assertEqual(shown, options_of(command) - {"--help"}, command)

    def test_statements_are_those_of_the_language(self):
        for keyword in ("parameter", "specified", "constraint", "study", "case"):
            self.assertRegex(self.page, rf"\n\\fB{keyword} ")

    @unittest.skipUnless(shutil.which("groff"), "groff is not here to set the manual page (Debian: groff-base)")
    def test_it_is_set_without_a_warning(self):
        groff = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=self.page, capture_output=True, text=True, check=False)
        self.assertEqual((groff.returncode, groff.stderr), (0, ""))


class Completions(Folder):
    def complete(self, *words):
        """What bash offers for the last of these words."""
        script = self.folder / "visviva.bash"
        script.write_text(visviva("completions", "bash").stdout, encoding="utf-8")
        quoted = " ".join(f"'{word}'" for word in ("visviva", *words))
        done = subprocess.run(["bash", "-c", f"source ./visviva.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; "
                               '_visviva; printf "%s\\n" "${COMPREPLY[@]}"'],
                              capture_output=True, text=True, check=True, cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_commands_and_options_are_those_of_help(self):
        self.assertEqual(self.complete(""), {*commands(), "--help", "--version"})
        for command in commands():
            self.assertEqual(self.complete(command, "--"), options_of(command), command)

    def test_values_are_words_models_or_folders(self):
        self.write("model m\n", "m.viva")
        (self.folder / "runs").mkdir()
        self.assertEqual(self.complete("derive", "--method", ""), {"kane", "lagrange", "hamilton", "newton-euler"})
        self.assertEqual(self.complete("export", "m.viva", "--as", "p"), {"python"})
        self.assertEqual(self.complete("check", "m"), {"m.viva"})
        self.assertEqual(self.complete("simulate", "m.viva", "--out", "r"), {"runs"})

    def test_other_shells_know_every_option(self):
        for shell, form in (("zsh", "--{}["), ("fish", " -l {} ")):
            text = visviva("completions", shell).stdout
            for command in commands():
                for option in options_of(command):
                    self.assertIn(form.format(option[2:]), text, f"{shell} {command}")
            if shutil.which(shell):
                subprocess.run([shell, "-n", "/dev/stdin"], input=text, text=True, check=True)

    def test_an_unknown_shell_is_a_wrong_command(self):
        result = visviva("completions", "csh")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none of bash, zsh, fish", result.stderr)


if __name__ == "__main__":
    unittest.main()
