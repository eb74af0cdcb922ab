"""LaTeX of derivations in a document: pdflatex takes it, and no line runs off the page."""

import re
import shutil
import subprocess
import unittest

from program import EXAMPLES, Folder, visviva

METHODS = ("kane", "lagrange", "hamilton", "newton-euler")
TOO_WIDE = 100  # pt; the margin of an article holds 134

HOSTILE = r"""
model hostile "100% of $cost_{x}^2 & #1 \end{document} ~ <b>漢字</b> – θ | “q” é Ж ]]"
parameter 漢字 = 1 kg "mass 50% \input{x}"
parameter M = 2 kg, f = 3 N/m, F = 2 N, z1 = 1 m, sin_ = 1 m, é = 2 m, θx = 1 m, Ж_ж = 1 kg
coordinate θ = 0.3 rad, x = 1 m
frame B = rotate(N, z, θ)
particle Q at No + x*N.x, mass 漢字 + M
body B at Q + z1*B.x + é*B.y, mass Ж_ж, inertia M*sin_^2, M*θx^2, M*θx^2
gravity -9.81 m/s^2*N.y
spring Ж_2 on x, stiffness f, rest sin_
force ñ_a on Q = -F*N.x
"""


@unittest.skipUnless(shutil.which("pdflatex"), "pdflatex is not here (Debian: texlive-latex-base, texlive-latex-recommended)")
class LatexTest(Folder):
    def typeset(self, fragments):
        document = "\\documentclass[a4paper]{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
        self.write(document + "\n\\clearpage\n".join(fragments) + "\n\\end{document}\n", "all.tex")
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"], cwd=self.folder,
                              capture_output=True, encoding="utf-8", errors="replace", check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        return done.stdout

    def test_every_example_compiles_and_stays_on_the_paper_by_every_method(self):
        for method in METHODS:
            with self.subTest(method):
                found = [visviva("derive", path, "--method", method, "--format", "latex")
                         for path in sorted(EXAMPLES.glob("*.viva"))]
                self.assertEqual([f.returncode for f in found], [0] * len(found))
                log = self.typeset([f.stdout for f in found])
                widths = [float(w) for w in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
                self.assertEqual([w for w in widths if w > TOO_WIDE], [])

    def test_energies_and_small_motions_of_every_example_compile_and_stay_on_the_paper(self):
        for command in ("energy", "linearize"):
            with self.subTest(command):
                found = [visviva(command, path, "--format", "latex") for path in sorted(EXAMPLES.glob("*.viva"))]
                # What has no linearization at its start says so.
                good = [f.stdout for f in found if f.returncode == 0]
                self.assertGreaterEqual(len(good), len(found) - (0 if command == "energy" else 6))
                log = self.typeset(good)
                widths = [float(w) for w in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
                self.assertEqual([w for w in widths if w > TOO_WIDE], [])

    def test_texts_and_names_of_any_script_compile(self):
        model = self.write(HOSTILE)
        self.typeset([visviva("derive", model, "--method", m, "--format", "latex").stdout for m in METHODS])
        self.typeset([visviva(command, model, "--format", "latex").stdout for command in ("energy", "linearize")])


if __name__ == "__main__":
    unittest.main()
