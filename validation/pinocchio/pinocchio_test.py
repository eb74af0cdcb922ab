"""Robots compared with Pinocchio: mass matrix, accelerations, forces of inverse dynamics, jacobians at random states.

Runs where Pinocchio is installed (PyPI: pin). The robots are the URDF files beside this script, and those of the folder
that VISVIVA_ROBOTS names. Speeds of a floating base differ: Visviva's are the velocity of its origin along N, Pinocchio's
along the base itself; T below turns one into the other.
"""

import json
import os
import pathlib
import subprocess
import unittest

try:
    import numpy as np
    import pinocchio as pin
except ImportError:
    pin = None

PROGRAM = os.environ.get("VISVIVA_PROGRAM", "build/visviva")
HERE = pathlib.Path(__file__).parent
SEED = 20261118
STATES = 3
# Both compute in double precision; what a sum of terms of size s rounds to is a few 1e-16 s.
ROUNDING = 1e-12


def list_robots():
    folders = [HERE] + [pathlib.Path(f) for f in [os.environ.get("VISVIVA_ROBOTS")] if f]
    return sorted(path for folder in folders for path in folder.glob("*.urdf"))


class Peer:
    """A robot in Pinocchio, at a random state."""

    def __init__(self, path, is_floating, random):
        self.path, self.is_floating = path, is_floating
        root = [pin.JointModelFreeFlyer()] if is_floating else []
        self.model = pin.buildModelFromXML(path.read_text(), *root, True)  # with mimic joints
        self.base = first_link(path)
        self.q, self.v = pin.neutral(self.model), random.uniform(-1, 1, self.model.nv)
        self.settings = {}
        for name, joint in zip(self.model.names[1:], self.model.joints[1:]):
            self.set_joint(name, joint, random)

    def set_joint(self, name, joint, random):
        if joint.nv == 6:
            place, quaternion = random.uniform(-1, 1, 3), random.normal(size=4)
            quaternion /= np.linalg.norm(quaternion)  # scalar last
            self.q[:7] = [*place, *quaternion]
            self.R = pin.Quaternion(quaternion).toRotationMatrix()
            for axis, x, v in zip("xyz", place, self.R @ self.v[:3]):
                self.settings[f"base_{axis}"], self.settings[f"base_v{axis}"] = x, v
            for i, e in enumerate(np.roll(quaternion, 1)):
                self.settings[f"base_e{i}"] = e
            for axis, w in zip("xyz", self.v[3:6]):
                self.settings[f"{self.base}_w{axis}"] = w
        elif joint.nv == 1 and "Mimic" not in joint.shortname():
            angle = random.uniform(-1, 1)
            self.q[joint.idx_q] = angle
            if joint.nq == 2:
                self.q[joint.idx_q:joint.idx_q + 2] = np.cos(angle), np.sin(angle)
            self.settings[name], self.settings[name + "'"] = angle, self.v[joint.idx_v]

    def order(self, speeds):
        """Places of Pinocchio's speeds in a list of Visviva's."""
        names = [None] * self.model.nv
        for name, joint in zip(self.model.names[1:], self.model.joints[1:]):
            if joint.nv == 6:
                names[:6] = [f"base_v{a}" for a in "xyz"] + [f"{self.base}_w{a}" for a in "xyz"]
            elif "Mimic" not in joint.shortname():
                names[joint.idx_v] = name + "'"
        return [speeds.index(name) for name in names]

    def turning(self):
        """T: Pinocchio's speeds are T u."""
        T = np.eye(self.model.nv)
        if self.is_floating:
            T[:3, :3] = self.R.T
        return T

    def damping(self):
        return -np.array(self.model.damping) * self.v


def first_link(path):
    model = pin.buildModelFromXML(path.read_text())
    return next(f.name for f in model.frames if f.type == pin.FrameType.BODY)


def evaluate(peer, inverse):
    command = [PROGRAM, "evaluate", str(peer.path), "--json", *(["--inverse", inverse] if inverse else [])]
    command += ["--floating"] if peer.is_floating else []
    for name, value in peer.settings.items():
        command += ["--set", f"{name}={value!r}".replace("np.float64(", "").replace(")", "")]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    assert "errors" not in answer, answer["errors"][:3]
    return answer


@unittest.skipIf(pin is None, "Pinocchio is not installed")
class PinocchioTest(unittest.TestCase):
    def assert_near(self, found, expected, what):
        error = np.max(np.abs(np.asarray(found) - expected)) / max(1.0, np.max(np.abs(expected)))
        self.worst[what] = max(self.worst.get(what, 0), error)
        self.assertLess(error, ROUNDING, what)

    def compare(self, path, is_floating, random):
        peer = Peer(path, is_floating, random)
        data, model = peer.model.createData(), peer.model
        wanted = random.uniform(-1, 1, model.nv)  # rates of Visviva's speeds
        T = peer.turning()
        names = evaluate(peer, "")["independent_speeds"]
        order = peer.order(names)
        inverse = ", ".join(f"{names[i]}'={float(a)!r}" for i, a in zip(order, wanted))
        answer = evaluate(peer, inverse)

        M = pin.crba(model, data, peer.q)
        M = np.triu(M) + np.triu(M, 1).T
        found = np.array(answer["mass_matrix"])[np.ix_(order, order)]
        self.assert_near(found, T.T @ M @ T, "mass matrix")

        # v = T u, so that v' = T u' + T' u; only the base turns.
        drift = np.zeros(model.nv)
        if is_floating:
            drift[:3] = -np.cross(peer.v[3:6], peer.v[:3])
        forces = pin.rnea(model, data, peer.q, peer.v, T @ wanted + drift) - peer.damping()
        found = [answer["generalized_forces"][names[i]] for i in order]
        self.assert_near(found, T.T @ forces, "inverse dynamics")

        rates = np.array([answer["accelerations"][names[i]] for i in order])
        exact = np.linalg.solve(M, peer.damping() - pin.nle(model, data, peer.q, peer.v)) - drift
        size = np.max(np.abs(exact))
        self.assert_near(T @ rates / size, exact / size, "accelerations")
        self.compare_points(peer, answer, order)

    def compare_points(self, peer, answer, order):
        model, data = peer.model, peer.model.createData()
        pin.computeJointJacobians(model, data, peer.q)
        pin.updateFramePlacements(model, data)
        for i, frame in enumerate(model.frames):
            if frame.type != pin.FrameType.BODY or frame.name + "_o" not in answer["jacobians"]:
                continue
            J = pin.getFrameJacobian(model, data, i, pin.LOCAL_WORLD_ALIGNED)[:3] @ peer.turning()
            found = np.array(answer["jacobians"][frame.name + "_o"])[:, order]
            self.assert_near(found, J, "jacobians")

    def test_robots_agree_with_pinocchio(self):
        random = np.random.default_rng(SEED)
        for path in list_robots():
            for is_floating in (False, True):
                self.worst = {}
                with self.subTest(robot=path.stem, floating=is_floating):
                    for _ in range(STATES):
                        self.compare(path, is_floating, random)
                print(path.stem, "floating" if is_floating else "fixed",
                      {what: float(f"{error:.1e}") for what, error in self.worst.items()}, flush=True)


if __name__ == "__main__":
    unittest.main()
