"""Long chains against closed forms: small motions of many links, whose slopes are found in numbers.

Source: a hanging chain of n equal particles at equal distances L has the frequencies sqrt(g/L*x_k), where the x_k are the zeros of
Laguerre's polynomial of degree n (D. Levinson, J. Sound and Vibration 49 (1976) 441; Daniel Bernoulli, 1732). Those are the eigenvalues of
the tridiagonal matrix with 1, 3, ... 2n - 1 on its diagonal and 1, 2, ... n - 1 beside it.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    np = None

PROGRAM = os.environ.get("VISVIVA_PROGRAM", "build/visviva")
GRAVITY, LENGTH = 9.81, 0.3
# Of an eigenvalue; the fastest is some hundred times the slowest, and both come from one matrix.
CLOSE = 1e-9

HEAD = f"""model chain
parameter g = {GRAVITY} m/s^2, L = {LENGTH} m, m = 2 kg
"""
TAIL = "gravity -g*N.y\n"


def hanging_particles(count):
    """Particles on massless rods, by angles against the vertical."""
    text, pin = HEAD, "No"
    for i in range(1, count + 1):
        text += f"coordinate q{i}\nframe A{i} = rotate(N, z, q{i})\nparticle P{i} at {pin} - L*A{i}.y, mass m\n"
        pin = f"P{i}"
    return text + TAIL


def hanging_rods(count, is_spatial):
    """Slender rods on pins or on universal joints, each turned against the one before."""
    text, frame, pin = HEAD, "N", "No"
    for i in range(1, count + 1):
        text += f"coordinate a{i}\nframe B{i} = rotate({frame}, z, a{i})\n"
        frame = f"B{i}"
        if is_spatial:
            text += f"coordinate b{i}\nframe C{i} = rotate(B{i}, x, b{i})\n"
            frame = f"C{i}"
        text += f"point P{i} = {pin} - L*{frame}.y\nbody {frame} at {pin} - L/2*{frame}.y, mass m, rod length L along y\n"
        pin = f"P{i}"
    return text + TAIL


def linearize(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "chain.viva"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([PROGRAM, "linearize", path, "--json"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        return json.loads(done.stdout)


def frequencies(answer):
    """Of all eigenvalues with a positive imaginary part, in order; none may grow or die out."""
    values = np.array([complex(*e) if isinstance(e, list) else complex(e["re"], e["im"]) for e in answer["eigenvalues"]])
    assert np.max(np.abs(values.real)) < 1e-6 * np.max(np.abs(values)), values
    return np.sort(values.imag[values.imag > 0])


@unittest.skipIf(np is None, "NumPy is not installed")
class LongChainsTest(unittest.TestCase):
    def test_particles_swing_as_laguerre_says(self):
        for count in (6, 40):  # formulas for slopes, and numbers
            off = np.arange(1.0, count)
            zeros = np.linalg.eigvalsh(np.diag(2 * np.arange(count) + 1.0) + np.diag(off, 1) + np.diag(off, -1))
            expected = np.sqrt(GRAVITY / LENGTH * np.sort(zeros))
            found = frequencies(linearize(hanging_particles(count)))
            self.assertEqual(len(found), count)
            self.assertLess(np.max(np.abs(found / expected - 1)), CLOSE)

    def test_rods_on_universal_joints_swing_as_pinned_ones_in_either_plane(self):
        count = 16  # 32 angles: slopes in numbers; 16: by formulas
        planar = frequencies(linearize(hanging_rods(count, False)))
        spatial = frequencies(linearize(hanging_rods(count, True)))
        self.assertLess(np.max(np.abs(spatial / np.repeat(planar, 2) - 1)), CLOSE)


if __name__ == "__main__":
    unittest.main()
