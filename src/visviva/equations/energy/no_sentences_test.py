#!/usr/bin/env python3
"""Verdicts about energies are data below report/: no file of equations/energy writes a sentence."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["VISVIVA_SOURCE_DIR"]) / "src" / "visviva"
# Names of scratch symbols and of an identity, and messages of errors.
ALLOWED = ("length of a line", "component of a line", "rate of transport of ", "no value is given for '",
           "kinetic energy by degrees: K = K0 + K1 + K2", "the equations were derived from another motion",
           "the energies are those of equations of another motion",
           "the energies are those of the equations by the method ", ", these are by ")


def strings_of(path):
    text = re.sub(r"//[^\n]*|#include[^\n]*", "", path.read_text(encoding="utf-8"))
    return re.findall(r'"((?:[^"\\]|\\.)*)"', text)


def is_sentence(text):
    """Three words in a row; formulas such as "K2 - K0 + U" and "F_r u_r" have none."""
    return re.search(r"\b[a-z]{2,} [a-z]{1,} [a-z]{2,}\b", text) is not None


class Sentences(unittest.TestCase):
    def test_none_are_made_for_energy_verdicts_outside_of_report(self):
        files = [p for p in (SOURCE / "equations" / "energy").iterdir()
                 if p.suffix in (".h", ".cpp") and "_test" not in p.name]
        self.assertGreater(len(files), 10)
        found = [f"{p.name}: {s}" for p in files for s in strings_of(p) if is_sentence(s) and s not in ALLOWED]
        self.assertEqual(found, [])

    def test_the_search_finds_sentences_where_they_are_made(self):
        found = [s for s in strings_of(SOURCE / "report" / "energy" / "reason_text.cpp") if is_sentence(s)]
        self.assertGreater(len(found), 20)

    def test_nothing_asks_for_gravity_by_the_beginning_of_a_name(self):
        for folder in ("equations", "codegen", "app"):
            for p in (SOURCE / folder).rglob("*.cpp"):
                if "_test" not in p.name:
                    self.assertNotRegex(p.read_text(encoding="utf-8"), r'(find|starts_with)\("gravity on ', p.name)

    def test_refusals_become_values_in_one_place(self):
        """Only the reader of models and the program itself catch a UsageError, and attempt()."""
        boundaries = ("text", "app")
        found = []
        for p in SOURCE.rglob("*"):
            if p.suffix not in (".h", ".cpp") or "_test" in p.name or p.relative_to(SOURCE).parts[0] in boundaries:
                continue
            if re.search(r"catch \(const UsageError", p.read_text(encoding="utf-8")):
                found.append(p.name)
        self.assertEqual(found, ["attempt.h"])


if __name__ == "__main__":
    unittest.main()
