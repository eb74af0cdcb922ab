"""A robot along a spline compared with Pinocchio: motor torques and powers, forces and moments in the joints.

Runs where Pinocchio is installed (PyPI: pin), with the URDF files that VISVIVA_ROBOTS names; the UR5 among them. Both take the same samples of the
joints' angles: the not-a-knot cubic spline through them is made here as in C. de Boor, A Practical Guide to Splines, chapter IV.
"""

import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import numpy as np
    import pinocchio as pin
except ImportError:
    pin = None

PROGRAM = os.environ.get("VISVIVA_PROGRAM", "build/visviva")
ROBOTS = os.environ.get("VISVIVA_ROBOTS")
SEED = 20261119
# Second derivatives of a spline over samples 0.02 s apart lose 1/0.02^2 of the rounding of angles.
CLOSE = 1e-9


def spline(t, y):
    """Second derivatives of the not-a-knot spline at its samples, and its slopes there."""
    n, h = len(t), np.diff(t)
    K, rhs = np.zeros((n, n)), np.zeros((n, y.shape[1]))
    for i in range(1, n - 1):
        K[i, i - 1:i + 2] = h[i - 1] / 6, (h[i - 1] + h[i]) / 3, h[i] / 6
        rhs[i] = (y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1]
    K[0, :3] = -1 / h[0], 1 / h[0] + 1 / h[1], -1 / h[1]
    K[-1, -3:] = -1 / h[-2], 1 / h[-2] + 1 / h[-1], -1 / h[-1]
    m = np.linalg.solve(K, rhs)
    slopes = (y[1:] - y[:-1]) / h[:, None] - h[:, None] / 6 * (2 * m[:-1] + m[1:])
    last = (y[-1] - y[-2]) / h[-1] + h[-1] / 6 * (m[-2] + 2 * m[-1])
    return np.vstack([slopes, last]), m


@unittest.skipIf(pin is None or ROBOTS is None, "Pinocchio is not installed, or VISVIVA_ROBOTS names no folder")
class AlongSplineTest(unittest.TestCase):
    def compare(self, path, exact=CLOSE):
        model = pin.buildModelFromXML(path.read_text())
        names = list(model.names[1:])
        self.assertEqual(model.nq, model.nv)
        rng = np.random.default_rng(SEED)
        t = np.linspace(0, 2, 101)
        q = sum(rng.uniform(-0.5, 0.5, model.nq) * np.sin(rng.uniform(0.5, 4, model.nq) * t[:, None] + rng.uniform(0, 6, model.nq)) for _ in range(3))
        v, a = spline(t, q)
        with tempfile.TemporaryDirectory() as folder:
            motion = pathlib.Path(folder) / "motion.csv"
            with open(motion, "w", encoding="utf-8", newline="") as file:
                rows = csv.writer(file)
                rows.writerow(["t", *names])
                rows.writerows([[repr(float(x)) for x in (time, *row)] for time, row in zip(t, q)])
            done = subprocess.run([PROGRAM, "evaluate", path, "--along", motion, "--json"], capture_output=True, text=True, check=False)
        found = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout[:1000] + done.stderr)
        self.assertEqual(sorted(found["along"]["follows"]), sorted(names))
        data = model.createData()
        worst = {"torque": 0.0, "power": 0.0, "force": 0.0, "moment": 0.0}
        sizes = dict(worst)
        links = {model.frames[i].parentJoint: model.frames[i].name for i in reversed(range(len(model.frames)))
                 if model.frames[i].type == pin.FrameType.BODY}
        for k in range(len(t)):
            damping = np.array(model.damping) * v[k]  # a motor moves the damper of its joint, too
            tau = pin.rnea(model, data, q[k], v[k], a[k]) + damping
            pin.updateGlobalPlacements(model, data)

            def note(what, found_values, expected):
                worst[what] = max(worst[what], float(np.max(np.abs(np.asarray(found_values) - expected))))
                sizes[what] = max(sizes[what], float(np.max(np.abs(expected))))
            note("torque", [found["motors"][n]["force"][k] for n in names], tau)
            note("power", [found["motors"][n]["power"][k] for n in names], tau * v[k])
            for joint in range(1, model.njoints):
                reaction = found["reactions"][links[joint] + "_o"]
                R = data.oMi[joint].rotation
                note("force", reaction["force"][k], R @ data.f[joint].linear)
                axis = R[:, "XYZ".index(model.joints[joint].shortname()[-1])]
                note("moment", reaction["moment"][k], R @ data.f[joint].angular)
        for what, error in worst.items():
            self.assertLess(error, exact * sizes[what], what)
        return {what: float(f"{error / sizes[what]:.1e}") for what, error in worst.items()}

    def test_the_ur5_has_the_torques_and_joint_forces_of_pinocchio(self):
        print("ur5", self.compare(pathlib.Path(ROBOTS) / "ur5.urdf"), flush=True)

    def test_other_arms_do_too(self):
        for name in ("iiwa14.urdf",):
            print(name, self.compare(pathlib.Path(ROBOTS) / name), flush=True)


if __name__ == "__main__":
    unittest.main()
