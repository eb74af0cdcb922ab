#!/usr/bin/env python3
"""Reasons are data below report/: the files that find them write no sentence, and nothing reads one."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["VISVIVA_SOURCE_DIR"]) / "src" / "visviva"
# Folders and files that find reasons.
FINDERS = ("equations/energy", "equations/small_motion", "equations/loads", "equations/constraints", "equations/prove",
           "codegen/system/momentum_expressions", "codegen/system/no_momenta", "codegen/system/compiled_parts",
           "codegen/export/exported_system.cpp", "simulation/reason.h", "simulation/run/outside_run")
# Where their sentences are made.
WRITERS = ("report/energy/reason_text.cpp", "report/derivation/reason_text.cpp", "report/derivation/proof_text.cpp",
           "report/trajectory/reason_text.cpp")
# Names of scratch symbols, a state's description in an exported file, and messages of errors.
ALLOWED = ("length of a line", "inverse length of ", "component of a line", "rate of transport of ", "no value is given for '",
           "orientation of a frame known by its angular velocity",
           "the power of what is prescribed is not finite at the start", "the equations by ", " belong to another model, or lack entries",
           "the constraints do not determine as many speeds as they seem to at the start: they ", "contradict each other there",
           "the equations were derived from another motion",
           "the energies are those of equations of another motion",
           "the energies are those of the equations by the method ", ", these are by ")


def strings_of(path):
    text = re.sub(r"//[^\n]*|#include[^\n]*", "", path.read_text(encoding="utf-8"))
    return re.findall(r'"((?:[^"\\]|\\.)*)"', text)


def is_sentence(text):
    """Three words in a row; formulas such as "K2 - K0 + U" and "F_r u_r" have none."""
    return re.search(r"\b[a-z]{2,} [a-z]{1,} [a-z]{2,}\b", text) is not None


class Sentences(unittest.TestCase):
    def test_none_are_made_where_reasons_are_found(self):
        for finder in FINDERS:
            files = [p for p in SOURCE.rglob("*") if p.relative_to(SOURCE).as_posix().startswith(finder)
                     and p.suffix in (".h", ".cpp") and "_test" not in p.name]
            self.assertGreater(len(files), 0, finder)
            found = [f"{p.name}: {s}" for p in files for s in strings_of(p) if is_sentence(s) and s not in ALLOWED]
            self.assertEqual(found, [])

    def test_the_search_finds_sentences_where_they_are_made(self):
        for writer, least in zip(WRITERS, (20, 5, 5, 20)):
            found = [s for s in strings_of(SOURCE / writer) if is_sentence(s)]
            self.assertGreaterEqual(len(found), least, writer)

    def test_nothing_is_allowed_that_is_no_longer_there(self):
        written = {s for p in SOURCE.rglob("*.cpp") for s in strings_of(p)}
        self.assertEqual([s for s in ALLOWED if s not in written], [])

    def test_the_name_of_a_weight_is_made_in_one_place(self):
        """Whoever wants to know whether a load is gravity asks for its kind."""
        found = [p.name for p in SOURCE.rglob("*") if p.suffix in (".h", ".cpp") and "_test" not in p.name
                 and any(s.startswith("gravity on ") for s in strings_of(p))]
        self.assertEqual(found, ["loads.cpp"])

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
